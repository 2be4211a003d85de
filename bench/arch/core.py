# core.py, sourced by gdb-multiarch: runs a program under qemu's debug stub until
# it is dead, and writes a core of what there was when the last signal came, as
# the kernel does (Linux: include/linux/elfcore.h, struct elf_prstatus; the order
# of registers is that of arch/*/include/uapi/asm/ptrace.h and elf.h).

import os
import re
import struct

import gdb

PAGE = 0x1000

RISCV = ["pc", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "fp", "s1"] + ["a%d" % i for i in range(8)] + \
    ["s%d" % i for i in range(2, 12)] + ["t%d" % i for i in range(3, 7)]
# Of each machine: byte order and registers.
MACHINES = {243: ("<", RISCV)}

SIGNALS = {"SIGSEGV": 11, "SIGABRT": 6, "SIGBUS": 7, "SIGILL": 4, "SIGUSR1": 10}


def read(a, n):
    try:
        return gdb.selected_inferior().read_memory(a, n).tobytes()
    except gdb.MemoryError:
        return None


def pages(a):
    """The memory from the page of a on, as far as there is some."""
    a, out = a & -PAGE, []
    while len(out) < 1024:
        b = read(a + len(out) * PAGE, PAGE)
        if b is None:
            break
        out.append(b)
    return a, b"".join(out)


def register(name):
    try:
        return int(gdb.parse_and_eval("(unsigned long long)$" + name)) & (1 << 64) - 1
    except gdb.error:
        return 0


def snapshot(sig, exe, order, names):
    phoff, = struct.unpack_from(order + "Q", exe, 32)
    phnum, = struct.unpack_from(order + "H", exe, 56)
    loads = []
    for i in range(phnum):
        typ, flags, _, vaddr, _, _, memsz, _ = struct.unpack_from(order + "IIQQQQQQ", exe, phoff + 56 * i)
        if typ == 1:
            a, end = vaddr & -PAGE, vaddr + memsz + PAGE - 1 & -PAGE
            b = read(a, end - a)
            if b is not None:
                loads.append((a, flags & 7, b))
    regs = [register(n) for n in names]
    at, stack = pages(register("sp"))
    # qemu has the code that returns from handlers on a page above the stack.
    end = stack.find(b"\x93\x08\xb0\x08\x73\0\0\0")
    if end > 0 and end % PAGE == 0:
        loads.append((at + end, 5, stack[end:end + PAGE]))
        stack = stack[:end]
    loads.append((at, 6, stack))
    # Pages that the stack points to: the code that returns from handlers.
    for (w,) in struct.iter_unpack(order + "Q", stack):
        page = w & -PAGE
        if len(loads) < 64 and not any(a <= w < a + len(b) for a, _, b in loads):
            b = read(page, PAGE)
            if b is not None:
                loads.append((page, 5, b))
    auxv = b""
    for line in gdb.execute("info auxv", to_string=True).splitlines():
        f = line.split()
        m = re.search(r"\s(0x[0-9a-f]+|\d+)(?: \".*)?$", line)
        if m and f[0].isdigit():
            auxv += struct.pack(order + "QQ", int(f[0]), int(m.group(1), 0))
    return sig, regs, loads, auxv


def write(path, machine, order, sig, regs, loads, auxv):
    status = struct.pack(order + "iiih", sig, 0, 0, sig).ljust(32, b"\0") + struct.pack(order + "iiii", 1, 0, 1, 1)
    status = status.ljust(112, b"\0") + struct.pack(order + "%dQ" % len(regs), *regs) + b"\0" * 8

    def note(typ, desc):
        return struct.pack(order + "III", 5, len(desc), typ) + b"CORE\0\0\0\0" + desc + b"\0" * (-len(desc) % 4)

    notes = note(1, status) + note(6, auxv)
    loads.sort()
    off = 64 + 56 * (len(loads) + 1)
    ph = struct.pack(order + "IIQQQQQQ", 4, 0, off, 0, 0, len(notes), 0, 4)
    at = off + len(notes)
    for a, flags, b in loads:
        ph += struct.pack(order + "IIQQQQQQ", 1, flags, at, a, 0, len(b), len(b), PAGE)
        at += len(b)
    head = b"\x7fELF\x02" + (b"\x01" if order == "<" else b"\x02") + b"\x01" + b"\0" * 9
    head += struct.pack(order + "HHIQQQIHHHHHH", 4, machine, 1, 0, 64, 0, 0, 64, 56, len(loads) + 1, 0, 0, 0)
    with open(path, "wb") as f:
        f.write(head + ph + notes + b"".join(b for _, _, b in loads))


def main():
    path = gdb.current_progspace().filename
    with open(path, "rb") as f:
        exe = f.read()
    order = "<" if exe[5] == 1 else ">"
    machine, = struct.unpack_from(order + "H", exe, 18)
    order, names = MACHINES[machine]
    gdb.execute("set pagination off")
    gdb.execute("set confirm off")
    gdb.execute("target remote 127.0.0.1:" + os.environ["PORT"])
    last, stops = None, []
    gdb.events.stop.connect(lambda e: stops.append(getattr(e, "stop_signal", None)))
    for n in range(8):
        try:
            gdb.execute("continue")
        except gdb.error:  # the program is gone
            break
        if len(stops) <= n or stops[n] is None:
            break
        last = snapshot(SIGNALS.get(stops[n], 11), exe, order, names)
    if last:
        write(os.environ["CORE"], machine, order, *last)


main()
