"""What the tests drive. It reads a command a line, and prints a line for each."""

import sys

import samecycle_slots as slots

WORDS = {slots.Unknown: "outcome unknown", slots.TooLarge: "too large", slots.NoService: "no service",
         slots.NoSlot: "no slot was free", slots.BadRequest: "request malformed"}


def loop(c, prefix, n):
    wrong = 0
    for i in range(n):
        key, value = f"{prefix} {i % 7}".encode(), f"{prefix} {i}".encode()
        c.set(key, value)
        wrong += c.get(key) != value
    return f"{wrong} wrong, {c.timed_out} timed out"


def answer(c, op, key=b"", value=b""):
    if op == b"set":
        c.set(key, value)
        return "ok"
    if op == b"keep":  # for so many nanoseconds, which are written as C takes them
        nanoseconds = int(value)
        c.set(key, b"kept", ttl={0: None, -1: 0}.get(nanoseconds, nanoseconds / 1e9))
        return "ok"
    if op == b"get":
        got = c.get(key)
        return "absent" if got is None else f"{got.decode()} ok"
    if op == b"del":
        return "ok" if c.delete(key) else "absent"
    if op == b"batch":
        done, got, deleted = c.batch([("set", key, value, 0), ("get", key), ("delete", key)])
        return f"{got.decode()} {'ok' if done and deleted else 'wrong'}"
    if op == b"many":
        return "absent" if c.batch([("get", key)] * int(value))[0] is None else "ok"
    return loop(c, key.decode(), int(value))


def main():
    numbers = [float(a) / 1000 for a in sys.argv[2:]]
    try:
        client = slots.Client(sys.argv[1], *numbers[:1], **({"look": numbers[1]} if len(numbers) > 1 else {}))
    except slots.Error as e:
        print(f"open: {e}")
        return 1
    with client as c:
        print("open", flush=True)
        for line in sys.stdin.buffer:
            try:
                print(answer(c, *line.split()), flush=True)
            except slots.Error as e:
                print(f"{WORDS.get(type(e), type(e).__name__)}: {e}", flush=True)
    return 0


sys.exit(main())
