"""How a client ends, and what it says of arguments. It prints what is wrong, and last "end".

Its arguments are a slot file that is served, and one that nobody serves yet; a line on its input starts that service.
"""

import copy
import gc
import math
import os
import pickle
import signal
import sys
import threading
import time
import warnings

import samecycle_slots as slots

SERVED, IDLE = sys.argv[1:]
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the shell that runs the tests has set


def raised(f, *args, **named):
    """What f raises; the frames of it stay, as those of an error that somebody keeps."""
    try:
        return f"returned {f(*args, **named)!r}"
    except BaseException as e:
        return e


def want(what, e, kind, text=""):
    if type(e) is not kind or text not in str(e):
        print(f"{what}: {e!r}, want {kind.__name__} with {text!r}")


def check(what, ok):
    if not ok:
        print(what)


def files(path):
    """How many descriptors and maps of the file this process has."""
    names = [f"/proc/self/fd/{n}" for n in os.listdir("/proc/self/fd")]
    open_ = [os.readlink(name) for name in names if os.path.lexists(name)]
    with open("/proc/self/maps") as maps:
        return open_.count(path) + sum(path in line for line in maps)


def leave(failure):
    """Leaves a with by the exception of a call that waits."""
    with slots.Client(IDLE, timeout=30 if failure is KeyboardInterrupt else 0.05) as c:
        if failure is KeyboardInterrupt:
            main = threading.get_ident()
            threading.Timer(0.2, signal.pthread_kill, (main, signal.SIGINT)).start()
        c.get(b"a")


def leaving():
    for failure in (slots.Unknown, KeyboardInterrupt, slots.Unknown):
        e = raised(leave, failure)
        want("leaving by an exception", e, failure)
        check(f"{failure.__name__}: files are left", files(IDLE) == 0)
        with slots.Client(IDLE):  # raises Busy if the lock is left
            check("the files of an open client are not seen", files(IDLE) > 1)
        del e


def closed_by_another_thread():
    c = slots.Client(IDLE, timeout=30)
    results = []
    thread = threading.Thread(target=lambda: results.append(raised(c.get, b"a")))
    thread.start()
    while not any(c._words[c._at(i)].value & 0xFF == 2 and i not in c._lost for i in range(c.slots)):
        time.sleep(0.001)  # until its request is published
    c.close()
    slots.Client(IDLE).close()
    thread.join()
    want("closed while a call waits", results[0], slots.Unknown, "the client was closed")
    check("files are left after the call has ended", files(IDLE) == 0)


def closed_ahead_of_the_wait():
    """Another thread closes the client between the look at the slot and the sleep."""
    c = slots.Client(IDLE)
    real = c._futex
    c._futex = lambda *arguments: (len(arguments) == 4 and c.close(), real(*arguments))[1]
    want("closed ahead of the wait", raised(c.get, b"a"), slots.Unknown, "the client was closed")


def collected():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        slots.Client(SERVED).set(b"a", b"b")
        gc.collect()
    said = [str(w.message) for w in caught if w.category is ResourceWarning]
    check(f"collected: the warnings are {said}", len(said) == 1 and SERVED in said[0])
    check("collected: files are left", files(SERVED) == 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
        slots.Client(SERVED).get(b"a")
        gc.collect()
        sys.unraisablehook = hook
    check("collected with warnings that are errors: files are left", files(SERVED) == 0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        slots.Client(SERVED).close()
        raised(slots.Client, SERVED + ".none")
        raised(slots.Client, SERVED, owner=os.geteuid() + 1)
        gc.collect()
    check(f"closed: the warnings are {[str(w.message) for w in caught]}", not caught)


def copied():
    """A copy would close the file, and give up the lock, under the client that it was made of."""
    with slots.Client(SERVED) as c:
        for copy_ in (copy.copy, copy.deepcopy, pickle.dumps):
            want(f"{copy_.__name__} of a client", raised(copy_, c), TypeError, "open another client")
        gc.collect()
        c.set(b"a", b"b")
        want("a second client", raised(slots.Client, SERVED), slots.Busy)


def child(f):
    """The number of a child, which does f, and then waits for its end."""
    sys.stdout.flush()
    number = os.fork()
    if number == 0:
        signal.alarm(60)
        try:
            f()
        except BaseException as e:
            print(f"a child: {e!r}")
        sys.stdout.flush()
        os.write(TELL, b"%d" % os.getpid())
        signal.pause()
    return number


HEARD, TELL = os.pipe()


def end(number):
    os.kill(number, signal.SIGKILL)
    os.waitpid(number, 0)


def forked():
    """A child has the clients of its parent closed: it takes no slot of theirs, and has none of their locks and files."""
    def uses():
        for f in (lambda: c.get(b"a"), lambda: c.batch([("set", b"a", b"child")]), c.service_lives, c.__enter__):
            want("a call in a child", raised(f), slots.Closed, f"the client is that of process {parent}")
        check("close in a child", c.close() is None)
        check("files are left in a child", files(SERVED) == 0)
        want("a client of a child on the file of its parent", raised(slots.Client, SERVED), slots.Busy)
        slots.Client(IDLE).close()

    def dies():
        c = slots.Client(SERVED)
        c.set(b"a", b"c")
        child(lambda: None)
        signal.pause()

    signal.alarm(60)  # a child that does not come so far
    parent = os.getpid()
    with slots.Client(SERVED) as c:
        with c._lock:  # as another thread of the parent may have
            user = child(uses)
        os.read(HEARD, 100)
        c.set(b"a", b"b")
        check("the value", c.get(b"a") == b"b")
        end(user)
        want("a second client", raised(slots.Client, SERVED), slots.Busy)
    parent = child(dies)
    orphan = int(os.read(HEARD, 100))
    end(parent)
    with slots.Client(SERVED) as c:  # raises Busy if the orphan has the lock of its parent
        check("the value", c.get(b"a") == b"c")
    os.kill(orphan, signal.SIGKILL)
    signal.alarm(0)


def arguments():
    bad = slots.BadRequest
    for name, x in (("timeout", math.nan), ("timeout", -1), ("timeout", "5"), ("timeout", None), ("look", math.inf),
                    ("look", math.nan), ("look", "1"), ("owner", "root"), ("owner", 1.5)):
        want(f"{name} {x}", raised(slots.Client, SERVED, **{name: x}), bad, name)
    for path in (None, 5, "a\0b", []):
        want(f"path {path!r}", raised(slots.Client, path), bad, "path")
    folder = os.path.dirname(SERVED)
    link = os.path.join(folder, "link")
    os.symlink(SERVED, link)
    for path, text in ((link, "it is a link, a folder or a device: name the slot file itself"),
                       (folder, "it is a link, a folder or a device: name the slot file itself"),
                       ("n" * 300, "use a shorter path"), (SERVED + "/none", "check the path and its folders"),
                       (SERVED + ".none", "start the service")):
        want(f"path {path}", raised(slots.Client, path), slots.BadFile, text)
    with slots.Client(SERVED, timeout=math.inf) as c:
        want("timeout later", raised(setattr, c, "timeout", math.nan), bad, "timeout")
        for ttl in (math.nan, math.inf, -math.inf, -1, 1e300, 10**300, 10**5000, "60", b"1", [1], 1j):
            want("ttl", raised(c.set, b"k", b"v", ttl=ttl), bad, "ttl")
        for operations, text in (
                (None, "operations: "), (5, "operations: "), ([None], "operations: "), (["get"], "operations[0]"),
                ([()], "operations[0]"), ([("get",)], "operations[0]: key"), ([([], b"k")], "operations[0]"),
                ([("get", b"k"), ("set", b"k")], "operations[1]: value"),
                ([("set", b"k", b"v", 5, 6)], "operations[0]"), ([("set", b"k", b"v", 5, None)], "operations[0]"),
                ([("set", b"k", b"v"), ("set", b"k", b"v", "1")], "operations[1]: ttl"),
                ([("set", b"k", b"v"), ("get", b"k", b"v")], "operations[1]"),
                ([("put", b"k", b"v")], "operations[0]")):
            want(f"batch of {operations!r}", raised(c.batch, operations), bad, text)
        try:
            large = bytes(2**32 + 1)  # which takes addresses, and no memory
        except MemoryError:
            large = bytes(2**20)
        want("a length of more than 32 bits", raised(c.set, b"", large), slots.TooLarge, "bytes")
        want("a length of more than 32 bits", raised(c.set, large, b""), slots.TooLarge, "bytes")
        check("something was sent", c.get(b"k") is None)
        for ttl in (None, 0, 1, 60.5, True, (2**63 - 1) / 1e9, 5e-324):
            c.set(b"k", b"v", ttl)
        c.set(b"k", b"v", (2**63 - 1) / 1e9)
        check("the longest time is none", c.get(b"k") == b"v")
        check("an operation that can be read once", c.batch([iter(("get", b"k"))]) == [b"v"])
    for what, f in (("get", lambda: c.get(b"k")), ("set", lambda: c.set(b"k", b"v")), ("empty", lambda: c.batch([])),
                    ("delete", lambda: c.delete(b"k")), ("service_lives", c.service_lives), ("with", c.__enter__)):
        want(f"{what} after close", raised(f), slots.Closed)
    check("close after close", c.close() is None)


def slots_come_back():
    """What calls have left that an exception ended is free again when the service has answered."""
    with slots.Client(IDLE) as c:
        for n in range(3 * c.slots):
            c.set(b"k", b"%d" % n)
        for n in range(3 * c.slots):  # an interrupt between claim and publish leaves a claimed slot
            real, c._memory = c._memory, Interrupts()
            want("an interrupt", raised(c.get, b"k"), KeyboardInterrupt)
            c._memory = real
        for n in range(3 * c.slots):  # one of a call that waits leaves a request under way
            real, c._futex = c._futex, interrupted(c._futex)
            want("an interrupt", raised(c.get, b"k"), KeyboardInterrupt)
            c._futex = real
        for n in range(3 * c.slots):  # and a second one keeps the call from saying so
            real, c._futex, c._lose = c._futex, interrupted(c._futex), interrupted(lambda *_: None)
            want("two interrupts", raised(c.get, b"k"), KeyboardInterrupt)
            c._futex = real
            del c._lose
        check("the value", c.get(b"k") == b"%d" % (3 * c.slots - 1))  # which finds the calls that have ended
        while c._lost:  # until the service has answered
            check("the value", c.get(b"k") == b"%d" % (3 * c.slots - 1))
        states = [c._words[c._at(i)].value & 0xFF for i in range(c.slots)]
        check(f"the states are {states}", states == [0] * c.slots and not c._lost)


class Interrupts:
    """A memory in whose first write an interrupt comes."""

    def __setitem__(self, *_):
        raise KeyboardInterrupt


def interrupted(futex):
    """The call that wakes the service, and then an interrupt."""
    def f(*arguments):
        futex(*arguments[:3])
        raise KeyboardInterrupt
    return f


leaving()
closed_by_another_thread()
closed_ahead_of_the_wait()
collected()
copied()
forked()
arguments()
print("serve", flush=True)
sys.stdin.readline()
slots_come_back()
print("end")
