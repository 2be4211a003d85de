"""objects: makes objects of many sizes and types, prints what it has, has the allocator print its own figures, and aborts."""
import gc
import os
import sys


class Session:
    def __init__(self, number):
        self.number = number
        self.parts = [number, str(number)]


class Point:
    __slots__ = ("x", "y")


def main():
    sessions = [Session(n) for n in range(1000)]
    points = [Point() for _ in range(500)]
    texts = ["text of some length %d" % n for n in range(2000)]
    maps = {n: {"a": n, "b": str(n)} for n in range(300)}
    tuples = [tuple(range(n % 40)) for n in range(800)]
    blobs = [bytes(n) for n in range(1, 700)]
    del texts[::3], tuples[::5], blobs[1::2], sessions[900:]
    gc.collect()
    kept = (sessions[0], points[0], texts[0], maps, maps[7], tuples[30], blobs[0], sessions, 1 << 200, 1.5, main)
    for o in kept:
        print("object %#x %s" % (id(o), type(o).__name__))
    print("instances Session %d Point %d" % (len(sessions), len(points)), flush=True)
    figures, abort = sys._debugmallocstats, os.abort
    sys.stderr.flush()
    figures()
    abort()


main()
