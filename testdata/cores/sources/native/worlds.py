"""worlds: objects that have memory of malloc. It prints a line for each: what it is, its address and size, and the class of the object."""
import array
import os


class Store:
    def __init__(self):
        self.numbers = array.array("d", [0.5]) * 5000
        self.bytes = array.array("b", b"x") * 70000


store = Store()
arrays = [array.array("q", [n]) * 1000 for n in range(20)]
for name, a in (("numbers", store.numbers), ("bytes", store.bytes), ("first", arrays[0]), ("last", arrays[19])):
    at, count = a.buffer_info()
    print("%s %#x %d array.array %#x" % (name, at, count * a.itemsize, id(a)), flush=True)
os.abort()
