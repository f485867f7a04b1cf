"""A client of a cache over a slot file, with the standard library alone.

    with Client("/run/app/alice.slots") as c:
        c.set(b"key", b"value", ttl=60)
        c.get(b"key")            # b"value", or None
        c.batch([("set", b"a", b"1"), ("get", b"a"), ("delete", b"a")])

It needs Python 3.8 or later. An invalid argument raises BadRequest, which names the argument, and nothing is sent. A
call of a closed client raises Closed. A client that is garbage-collected while it is open closes itself, with a
ResourceWarning, as files do. A client cannot be copied or pickled. In a child process by os.fork or multiprocessing the
clients of the parent are closed; the parent can still use them.

A service (samecycle cache serve) makes the file, maps the cache, and performs the requests. The file has the layout of
impl/slots/layout.go, and requests have that of impl/remote/codec.go; docs/slots.md explains both.

What is atomic here, and why it is enough
-----------------------------------------
Python has no compare-and-swap, so this client does without. It makes only those changes of a slot's state that
no other process can make at the same time:

* free -> claimed -> published, done -> free, failed -> free, and claimed -> free after an interrupt. In these
  states the slot belongs to the client, and this process is the only client of the file, because it holds the
  client's lock. A lock of this module makes sure that only one thread at a time changes a slot.
* It makes none of the changes for which two sides compete: it never withdraws a request (the service may take it at
  that moment), never abandons one (the service may answer it), and never declares one failed (the next service
  does that). A call whose time is over raises Unknown, never "not done", and its slot counts as lost. The slot can be
  used again after the service has answered, or the next service has failed the request; the next call finds that out.
  Until then the client has one slot less.

A change is one store of eight bytes at a multiple of eight, by ctypes. CPython copies a c_uint64 by a memcpy of
eight bytes, which compilers turn into one move. The processor (x86-64) performs that move in one piece, and keeps the
order of stores and the order of loads. So when the service sees "published", it sees the whole request. On other
processors the order would need barriers, which Python does not have; there this module refuses to open a file.

A store may become visible after a later load is made. That would matter in only one place: "ring, then look whether
the service sleeps". So this client does not look. It always makes the system call that wakes the service, which is
also a barrier. If no service sleeps, that call has no other effect.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import math
import mmap
import numbers
import os
import platform
import stat
import struct
import sys
import threading
import time
import warnings
import weakref
from typing import Any, Dict, Iterable, List, Optional, Sequence, Union

__all__ = ["Client", "Error", "Unknown", "NoService", "NoSlot", "TooLarge", "Busy", "Corrupt", "BadRequest",
           "Closed", "BadFile", "Held", "Suspect", "Denied"]


class Error(Exception):
    """The base of all errors of this module."""


class Unknown(Error):
    """The request may take effect once, or never."""


class NoService(Error):
    """Not done: no service has the slot file open."""


class NoSlot(Error):
    """Not done: all slots were in use, or were lost until the service answers."""


class TooLarge(Error):
    """Not done: a key, value, request or answer does not fit."""


class Busy(Error):
    """Not done: the cache has no room at present, or the slot file has another client."""


class Corrupt(Error):
    """The slot file or the cache is damaged."""


class BadRequest(Error):
    """Not done: an argument, which the error names, or the request makes no sense."""


class Closed(Error):
    """Not done: the client, or the service's cache, is closed."""


class BadFile(Error):
    """The file cannot be used, because of its kind, owner, mode or layout, or because of the processor."""


class Held(Error):
    """Not done: refused by a quota. After retry_after seconds the call is served, if others ask less."""

    def __init__(self, text: str, retry_after: float, by_client: bool = False):
        super().__init__(f"{text}: try again after {retry_after:g} s")
        self.retry_after, self.by_client = retry_after, by_client


class Suspect(Held):
    """All clients together ask for the key too often."""


class Denied(Held):
    """The same, after three offences of the key or more; or, with by_client, this client calls too often."""


_MAGIC = 0x3153544F4C534353
_BELL, _SERVICE_LOCK, _CLIENT_LOCK, _HEADER, _STATE = 64, 192, 200, 256, 64
_FREE, _CLAIMED, _PUBLISHED, _TAKEN, _DONE, _ABANDONED, _FAILED = range(7)
_SYS_FUTEX, _FUTEX_WAIT, _FUTEX_WAKE = 202, 0, 1  # of x86-64; shared between processes
_F_OFD_GETLK, _F_OFD_SETLK = 36, 37
_FLOCK = struct.Struct("hhqqi4x")  # type, whence, start, length, process
_OPERATION, _RESULT = struct.Struct("=IIIIq"), struct.Struct("=II")
_LONGEST = (2**63 - 1) / 1e9  # the longest time in seconds: 2**63 - 1 nanoseconds
_Bytes = Union[bytes, bytearray, memoryview]
# what to do about a file that cannot be opened
_ADVICE = dict.fromkeys((errno.EACCES, errno.EPERM), "run as its owner or in its group, and check the folders")
_ADVICE.update(dict.fromkeys((errno.ELOOP, errno.EISDIR, errno.ENXIO),
                             "it is a link, a folder or a device: name the slot file itself"))
_ADVICE.update({errno.ENAMETOOLONG: "use a shorter path",
                errno.EMFILE: "close files, or raise the limit of open files of this process"})
_KINDS = {"get": 1, "set": 2, "delete": 3}
_FAILURES = {2: (TooLarge, "the key is longer than the cache allows"),
             3: (TooLarge, "the value does not fit into the cache"),
             4: (TooLarge, "the value does not fit into the response area"),
             5: (Busy, "the cache has no room or handle at present"), 6: (Corrupt, "the cache is damaged"),
             8: (Closed, "the service ends, or has closed the cache"), 9: (Unknown, "the cache failed")}
_HELD = {10: (Suspect, "the key is asked for too often", False),
         11: (Denied, "the key was asked for too often again and again", False),
         12: (Denied, "this client calls too often", True)}
_opened: weakref.WeakSet[Client] = weakref.WeakSet()
os.register_at_fork(after_in_child=lambda: [client._forked() for client in _opened])


class _Timespec(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]


def _state(word):
    return word & 0xFF


def _later(word, state):
    """The word of the next life."""
    return ((((word >> 8) + 1) << 8) | state) & (2**64 - 1)


def _shown(x):
    try:
        return repr(x)[:40]
    except Exception:  # for example for a number with very many digits
        return f"of type {type(x).__name__}"


def _bytes(n, what, x):
    """Returns x, of the operation n, as bytes. It refuses a number, which bytes() would turn into zeros, and a text."""
    if type(x) is bytes:
        return x
    try:
        return memoryview(x).tobytes()
    except (TypeError, ValueError, BufferError):
        hint = f", such as {x[:20]!r}.encode()" if isinstance(x, str) else ""
        raise BadRequest(f"operations[{n}]: {what} of type {type(x).__name__}: use bytes{hint}") from None


def _seconds(what, x, most):
    """Returns x if it is a time in seconds. NaN fails every comparison, so it is refused."""
    if not isinstance(x, numbers.Real) or not 0 <= x <= min(most, sys.float_info.max) and x != most:
        raise BadRequest(f"{what} {_shown(x)}: use a number of seconds from 0 to {most:g}")
    return x


def _time(name, most):
    return property(lambda self: self.__dict__[name], lambda self, x: self.__dict__.update({name: _seconds(name, x, most)}))


def _checked(n, operation):
    """Returns the kind, key, value and nanoseconds of the operation n, and the bytes that it takes."""
    kind, key, value, ttl = (operation + (None, None, None, None))[:4]
    other = not isinstance(kind, str) or kind not in _KINDS or len(operation) > 4
    if other or kind != "set" and (value is not None or ttl is not None):
        raise BadRequest(f"operations[{n}] {_shown(operation)}: use ('get', key), ('set', key, value[, ttl]) "
                         "or ('delete', key)")
    nanoseconds = 0
    if ttl is not None:
        ttl = _seconds(f"operations[{n}]: ttl", ttl, _LONGEST)
        nanoseconds = -1 if ttl == 0 else max(1, min(int(ttl * 1e9), 2**63 - 1))
    key = _bytes(n, "key", key)
    value = _bytes(n, "value", value) if kind == "set" else b""
    return _KINDS[kind], key, value, nanoseconds, 24 + (len(key) + len(value) + 7) // 8 * 8


class _Lock:
    """A lock that an exception of a signal handler cannot leave held.

    Such an exception can come behind any instruction. In CPython 3.8, 3.9 and 3.14 one of these is between the acquire of
    a threading.Lock and the with that would release it. So this lock belongs to the frame that has the with: when
    that frame is no longer on the stack of its thread, nobody holds the lock, whether or not it was released.

    Holders form a chain, and the one at its end has the lock. setdefault links the next holder in one step, which
    only one thread can win. _last leads to the end. A link that it is beyond is replaced by True: a holder that a frame
    of an exception keeps must not keep all later ones.
    """

    def __init__(self):
        self._last = {"frame": None, "thread": 0}

    def __enter__(self):
        mine, waits = {"frame": sys._getframe(1), "thread": threading.get_ident()}, 0
        while True:
            last = self._last
            while isinstance(last.get("next"), dict):
                last = last["next"]
            check = last["thread"] == mine["thread"] or waits % 100 == 99
            if (last["frame"] is None or check and self._gone(last)) and last.setdefault("next", mine) is mine:
                self._last = mine
                last["next"] = True
                return
            waits += 1
            time.sleep(0.0001)

    def __exit__(self, *_):
        self._last["frame"] = None

    @staticmethod
    def _gone(holder):
        """Returns whether the frame of a holder is off the stack of its thread. Then it never comes back."""
        frame, f = holder["frame"], sys._current_frames().get(holder["thread"])
        while f is not None and f is not frame:
            f = f.f_back
        return f is None


class _Sent(list):
    """The number and word of a call's slot. It lasts as long as the call."""


class Client:
    """One process's client of a slot file. All threads may call it at once, but a signal handler must not.

    timeout is how many seconds a call waits for its answer. After each look seconds without an answer, it asks whether
    the service lives. Both may be changed later. owner is the number of the user that the file must belong to; None
    stands for the effective user.
    """

    timeout: float = _time("timeout", math.inf)
    look: float = _time("look", 1e9)

    # No local variable refers to a word of the file: the frames of an exception would keep it, and the file mapped.
    _fd, _memory = -1, None  # values of a client that could not be opened

    def __init__(self, path: Union[str, bytes, os.PathLike], timeout: float = 5.0, owner: Optional[int] = None,
                 look: float = 0.1):
        self._lock, self._process = _Lock(), os.getpid()
        self._words: Dict[int, ctypes.c_uint64] = {}
        self._lost: Dict[int, int] = {}
        self._awaited: Dict[int, tuple] = {}
        self.timeout, self.look, self.timed_out = timeout, look, 0
        if owner is not None and not isinstance(owner, int):
            raise BadRequest(f"owner {_shown(owner)}: use the number of a user, or None")
        if platform.machine() not in ("x86_64", "AMD64") or struct.calcsize("P") != 8:
            raise BadFile("this client is for x86-64 with addresses of 64 bits, and this is "
                          f"{platform.machine()}: use the one in C")
        self._libc = ctypes.CDLL(None, use_errno=True)
        try:
            self.path = os.fsdecode(path)
            self._fd = os.open(self.path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        except FileNotFoundError as e:
            raise BadFile(f"{self.path}: there is no such file: start the service, which creates it") from e
        except OSError as e:
            raise BadFile(f"{self.path}: {e.strerror}: {_ADVICE.get(e.errno, 'check the path and its folders')}") from e
        except (TypeError, ValueError) as e:
            raise BadRequest(f"path {_shown(path)}: {e}") from None
        try:
            self._open(self.path, os.geteuid() if owner is None else owner)
        except BaseException:
            self.close()
            raise

    def _open(self, path, owner):
        st = os.fstat(self._fd)
        if not stat.S_ISREG(st.st_mode) or st.st_uid != owner or st.st_mode & 7:
            raise BadFile(f"{path}: kind, owner {st.st_uid} or mode {st.st_mode & 0o777:o} is wrong: want a file "
                          f"of user {owner} that others may not use")
        head = os.pread(self._fd, 64, 0)
        words = struct.unpack("=8Q", head) if len(head) == 64 else (0,) * 8
        magic, version, self.slots, stride, self._request, self._response, size, _ = words
        good = (magic == _MAGIC and version == 1 and 1 <= self.slots <= 64
                and all(128 <= n <= 64 << 20 and n % 64 == 0 for n in (self._request, self._response))
                and stride == _STATE + self._request + self._response
                and size == _HEADER + self.slots * stride == st.st_size)
        if not good:
            raise BadFile(f"{path}: no slot file of version 1: name the one that the service created")
        self._stride = stride
        try:
            fcntl.fcntl(self._fd, _F_OFD_SETLK, _FLOCK.pack(fcntl.F_WRLCK, 0, _CLIENT_LOCK, 1, 0))
        except OSError as e:
            if e.errno in (errno.EAGAIN, errno.EACCES):
                raise Busy(f"{path}: the slot file has another client: end that one first") from None
            raise
        _opened.add(self)
        self._memory = mmap.mmap(self._fd, size)
        self._words = {at: ctypes.c_uint64.from_buffer(self._memory, at)
                       for at in [_BELL] + [self._at(i) for i in range(self.slots)]}
        self._inherit()

    def _at(self, i):
        return _HEADER + i * self._stride

    def _inherit(self):
        """Frees the slots that a dead client has left. Slots that the service may be changing count as lost."""
        for i in range(self.slots):
            at = self._at(i)
            w = self._words[at].value
            if _state(w) in (_CLAIMED, _DONE, _FAILED):
                self._words[at].value = _later(w, _FREE)
            elif _state(w) in (_PUBLISHED, _TAKEN):
                self._lost[i] = w

    def close(self) -> None:
        """Gives up the file and its lock. It may be called twice. A call that waits in another thread raises Unknown."""
        with self._lock:
            fd, memory, self._fd, self._memory, self._words = self._fd, self._memory, -1, None, {}
        if fd < 0:
            return
        try:
            if self._process == os.getpid():  # in a child process the lock is that of its parent
                fcntl.fcntl(fd, _F_OFD_SETLK, _FLOCK.pack(fcntl.F_UNLCK, 0, _CLIENT_LOCK, 1, 0))
        except OSError:
            pass  # the lock ends with the last descriptor; the mapping has one
        finally:
            with contextlib.suppress(OSError):  # the descriptor is closed even after an error
                os.close(fd)
        with contextlib.suppress(BufferError):  # a call of another thread sleeps at a word, and uses the memory
            if memory is not None:
                memory.close()

    def _forked(self):  # closes it in a child process: otherwise two processes could take one slot
        self._lock = _Lock()  # the old lock may be held by a thread that the child does not have
        self.close()

    def __reduce__(self, *_):
        raise TypeError("a client cannot be copied or pickled, because its copy would use the same slots: open another "
                        "client, with a slot file of its own")

    __copy__ = __deepcopy__ = __reduce__

    def __enter__(self) -> Client:
        self._check()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self, _warn=warnings.warn) -> None:
        if self._fd >= 0:
            try:
                _warn(f"unclosed client of {self.path!r}", ResourceWarning, source=self)
            finally:
                self.close()

    def _check(self):
        if self._memory is None:
            raise Closed("the client is closed" if self._process == os.getpid() else
                         f"the client is that of process {self._process}: open another one, with a file of its own")

    def _futex(self, at, operation, value, seconds=None):
        """Returns True after a time-out."""
        t = None if seconds is None else ctypes.byref(_Timespec(int(seconds), int(seconds % 1 * 1e9)))
        try:
            r = self._libc.syscall(ctypes.c_long(_SYS_FUTEX), ctypes.byref(self._words[at]),
                                   ctypes.c_int(operation), ctypes.c_uint32(value), t, None, ctypes.c_int(0))
        except KeyError:
            return False  # the client was closed, which the caller will see
        return r == -1 and ctypes.get_errno() == errno.ETIMEDOUT

    def _lives(self):
        """Returns whether a service has the file open. The caller holds the lock."""
        answer = fcntl.fcntl(self._fd, _F_OFD_GETLK, _FLOCK.pack(fcntl.F_WRLCK, 0, _SERVICE_LOCK, 1, 0))
        return _FLOCK.unpack(answer)[0] != fcntl.F_UNLCK

    def service_lives(self) -> bool:
        """Returns whether a service has the file open."""
        with self._lock:
            self._check()
            return self._lives()

    def _claim(self):
        """Claims a slot, and returns its number and word, or None. The caller holds the lock."""
        for i, (w, sent) in list(self._awaited.items()):
            if sent() is None:  # the call has ended; if an interrupt stopped it, its slot counts as lost
                self._lost[i] = w
                del self._awaited[i]
        for i, w in list(self._lost.items()):
            at = self._at(i)
            now = self._words[at].value
            if now >> 8 != w >> 8:
                del self._lost[i]
            elif _state(now) in (_DONE, _FAILED):
                self._words[at].value = _later(now, _FREE)
                del self._lost[i]
        for i in range(self.slots):
            at = self._at(i)
            w = self._words[at].value
            if _state(w) == _CLAIMED:  # an interrupt stopped its thread before the publish
                w = _later(w, _FREE)
            if _state(w) == _FREE and not w >> 8 & 1:
                self._words[at].value = w = _later(w, _CLAIMED)
                return i, w
        return None

    def _send(self, request, end, sent):
        """Publishes a request, and adds the number and word of its slot to sent."""
        while True:
            with self._lock:
                self._check()
                claimed = self._claim()
                if claimed is not None:
                    i, w = claimed
                    at = self._at(i) + _STATE
                    self._memory[at:at + 8 + len(request)] = struct.pack("=Q", len(request)) + request
                    w = w & ~0xFF | _PUBLISHED
                    sent.append((i, w))
                    self._awaited[i] = w, weakref.ref(sent)
                    self._words[self._at(i)].value = w
                    self._words[_BELL].value = (self._words[_BELL].value + 1) & (2**64 - 1)
                    self._futex(_BELL, _FUTEX_WAKE, 2**31 - 1)
                    return
            if time.monotonic() >= end:
                raise NoSlot(f"all {self.slots} slots are in use, {len(self._lost)} of them lost")
            time.sleep(0.001)

    def _exchange(self, request):
        """Sends a request and returns its answer."""
        end, sent = time.monotonic() + self.timeout, _Sent()
        if self._lost and not self.service_lives():
            raise NoService("no service has the slot file open: start it and call again")
        try:
            self._send(request, end, sent)
            return self._await(*sent[0], end)
        except Error:
            raise
        except BaseException:  # for example KeyboardInterrupt: the request may have been sent
            with self._lock:
                for i, w in sent:
                    self._lose(i, w, "")
            raise

    def _await(self, i, w, end):
        """Waits for the answer in a slot."""
        at, serial, slept, seen = self._at(i), w >> 8, False, 0
        while True:
            with self._lock:
                if self._memory is None:
                    raise self._lose(i, w, "the client was closed")
                self.timed_out += slept
                w = self._words[at].value
                if w >> 8 != serial or _state(w) not in (_PUBLISHED, _TAKEN, _DONE, _FAILED):
                    raise Corrupt(f"slot {i} was changed by somebody else")
                if _state(w) == _DONE:
                    return self._take(i, w)
                if _state(w) == _FAILED:
                    self._words[at].value = _later(w, _FREE)
                    raise Unknown("the service died with the request")
                if slept and w == seen and not self._lives():
                    raise self._lose(i, w, "no service lives")
                left = end - time.monotonic()
                if left <= 0:
                    raise self._lose(i, w, "the time was over")
            look, seen = self.look, w
            slept = self._futex(at, _FUTEX_WAIT, w & 0xFFFFFFFF, min(left, look)) and left >= look

    def _lose(self, i, w, why):
        """Counts a slot as lost, unless it is in a later life already. The caller holds the lock."""
        if self._memory is not None and self._words[self._at(i)].value >> 8 == w >> 8:
            self._lost[i] = w
        return Unknown(f"{why}: the request may take effect, once, when the service or the next one gets to it")

    def _take(self, i, w):
        """Reads the answer, and frees the slot. The caller holds the lock."""
        at = self._at(i) + _STATE + self._request
        length = struct.unpack_from("=Q", self._memory, at)[0]
        answer = self._memory[at + 8:at + 8 + min(length, self._response - 8)]
        self._words[self._at(i)].value = _later(w, _FREE)
        if length > self._response - 8:
            raise Corrupt(f"the answer says that it has {length} bytes")
        return answer

    def batch(self, operations: Iterable[Sequence[Any]]) -> List[Any]:
        """Performs operations in their order, each ("get", key), ("set", key, value[, ttl]) or ("delete", key).

        Returns a list with one result for each operation: the value or None for a get, True for a set, whether the
        key was there for a delete, and an Error object for an operation that failed. ttl is in seconds, at most
        2**63 - 1 ns, which are 292 years. Without ttl the default of the cache applies, and with 0 the value stays
        for ever. If one operation is invalid, none is sent.
        """
        self._check()
        try:
            operations = [tuple(operation) for operation in operations]
        except TypeError as e:
            raise BadRequest(f"operations: {e}: use a list of tuples") from e
        checked = [_checked(n, operation) for n, operation in enumerate(operations)]
        size, n = sum(operation[-1] for operation in checked), len(checked)
        if size > self._request - 8:
            raise TooLarge(f"a request of {size} bytes: send at most {self._request - 8}")
        if n == 0:
            return []
        request = b"".join((_OPERATION.pack(kind, len(key), len(value), 0, ttl) + key + value).ljust(need, b"\0")
                           for kind, key, value, ttl, need in checked)
        results: List[Any] = []
        answer, at = self._exchange(request), 0
        for operation in operations:
            if len(answer) - at < 8:
                raise Corrupt(f"the answer ends behind {len(results)} of {n} results")
            status, length = _RESULT.unpack_from(answer, at)
            at += 8
            if status == 0 and length > len(answer) - at:
                raise Corrupt(f"the answer ends within the value of result {len(results)}, of {length} bytes")
            if status == 0:
                value = answer[at:at + length]
                at += length + -length % 8
                results.append(value if operation[0] == "get" else True)
            elif status == 1:
                results.append(None if operation[0] == "get" else False)
            elif status in _HELD:
                held, text, by_client = _HELD[status]
                results.append(held(text, length / 1000, by_client))
            elif status == 7 and length > 0:
                raise TooLarge(f"a batch of {n} operations: send at most {length} at once")
            elif status == 7:
                raise BadRequest("the service does not understand the request")
            else:
                failed, text = _FAILURES.get(status, (Corrupt, f"the status {status} is none"))
                results.append(failed(f"{text} ({length} bytes)" if status == 4 else text))
        return results

    def _one(self, *operation):
        result = self.batch([operation])[0]
        if isinstance(result, Error):
            raise result
        return result

    def get(self, key: _Bytes) -> Optional[bytes]:
        """Returns the value of the key, or None."""
        return self._one("get", key)

    def set(self, key: _Bytes, value: _Bytes, ttl: Optional[float] = None) -> None:
        """Gives the key a value for ttl seconds. 0 is for ever, and None stands for the default of the cache."""
        self._one("set", key, value, ttl)

    def delete(self, key: _Bytes) -> bool:
        """Removes the key, and returns whether it was there."""
        return self._one("delete", key)
