"""objects: makes objects of many sizes and types, prints what it has, has the allocator print its own figures, and aborts."""
import _thread
import gc
import os
import sys


class Session:
    def __init__(self, number):
        self.number = number
        self.parts = [number, str(number)]


class Point:
    __slots__ = ("x", "y")


def make_points(points, ended):
    points.extend(Point() for _ in range(500))
    ended.release()


def main():
    ended = _thread.allocate_lock()
    ended.acquire()
    sessions = [Session(n) for n in range(1000)]
    points = []
    _thread.start_new_thread(make_points, (points, ended))
    ended.acquire()
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
    print("blocks %d" % sys.getallocatedblocks(), flush=True)
    figures, abort = sys._debugmallocstats, os.abort
    sys.stderr.flush()
    figures()
    abort()


main()
