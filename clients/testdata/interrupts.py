"""An exception at each instruction of a call, as one of a signal handler. It prints what is wrong, and last "end".

Its argument is a slot file that is served. After each exception another thread makes a call, which must not wait for
the one that was ended, and the values must be those of calls that were made.
"""

import faulthandler
import queue
import sys
import threading

import samecycle_slots as slots

faulthandler.dump_traceback_later(120, exit=True)  # a lock that is left held is held for ever


class Interrupt(BaseException):
    pass


def interrupted(f, at):
    """Calls f, and raises an exception ahead of the instruction of that number. It returns whether f got so far."""
    left = at

    def trace(frame, event, _):
        nonlocal left
        frame.f_trace_opcodes = True
        if event == "opcode" and frame.f_globals is vars(slots):
            left -= 1
            if left < 0:
                sys.settrace(None)
                raise Interrupt
        return trace

    sys.settrace(trace)
    try:
        f()
    except Interrupt:
        return True
    finally:
        sys.settrace(None)
    return False


def others():
    """Makes a call for each word of the one queue, and puts what it gives into the other."""
    while asked.get():
        try:
            given.put(c.get(b"other"))
        except BaseException as e:
            given.put(e)


asked, given = queue.Queue(), queue.Queue()
c = slots.Client(sys.argv[1])
c.set(b"other", b"value")
c.set(b"own", b"-1")
threading.Thread(target=others, daemon=True).start()
possible, at = {b"-1"}, 0
while True:
    new = b"%d" % at
    possible.add(new)
    more = interrupted(lambda: c.set(b"own", new), at)
    asked.put(True)
    got, own = given.get(), c.get(b"own")
    if got != b"value" or own not in possible:
        print(f"behind an exception ahead of instruction {at}: {got!r} for the other thread, {own!r} of {possible}")
        break
    if not more:
        break
    possible, at = {own, new}, at + 1
if at == 0 and not more:
    print("no instructions")  # CPython 3.12.0 to 3.12.4 do not trace them
else:
    while c._lost:  # until the service has answered
        c.get(b"own")
    states = [c._words[c._at(i)].value & 0xFF for i in range(c.slots)]
    if at < 200 or states != [0] * c.slots:
        print(f"after {at} instructions the states are {states}")
    c.close()
print("end")
