# compare.py COREDBG FOLDER...: of the values that a values-* program wrote down, how many coredbg,
# gdb and lldb have right, and which ones another has that coredbg does not. FOLDERs are live cores.
import json
import os
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))


def by_gdb(d, args):
    program = "gdb"
    more = []
    if "-sysroot" in args:
        program, more = "gdb-multiarch", ["-ex", "set sysroot " + args[args.index("-sysroot") + 1]]
    out = subprocess.run([program, "-nx", "-batch", *more, "-ex", "file " + d + "/values", "-ex", "core-file " + d + "/core", "-x", here + "/gdb.py"],
                         env=dict(os.environ, OUT=d + "/out.txt", LIST="1"), capture_output=True, text=True).stdout
    return listed(out, "OK ")


def by_lldb(d):
    out = subprocess.run(["python3", here + "/asklldb.py", d + "/values", d + "/core", d + "/out.txt"], capture_output=True, text=True).stdout
    return listed(out, "OK "), listed(out, "WRONG ")


def listed(out, mark):
    return {tuple(l.split()[1:3]) for l in out.splitlines() if l.startswith(mark)}


def unknown(v):
    if isinstance(v, dict):
        return len(v) == 1 and isinstance(v.get("error"), str) or any(map(unknown, v.values()))
    return isinstance(v, list) and any(map(unknown, v))


def same(a, b):
    if isinstance(a, float) and isinstance(b, (int, float)) or isinstance(a, int) and isinstance(b, float):
        return abs(a - b) <= 1e-8 * abs(b)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return a == b


def by_coredbg(program, d, names, args):
    lines = ["::locals -A -l 100"] + ["::print " + n for f, n in names if f == "-"]
    right, wrong = set(), []
    for line in lines:
        out = subprocess.run([program, "-S", "-json", *args, "-e", line, d + "/values", d + "/core"],
                             capture_output=True, text=True, cwd=d).stdout
        for l in out.splitlines():
            r = json.loads(l)
            if "value" not in r:
                continue
            key = (r.get("function", "-").split("(")[0].split("::")[-1].removesuffix(".cold"), r["name"])
            if key not in names or unknown(r["value"]):
                continue
            if same(r["value"], names[key]):
                right.add(key)
            else:
                wrong.append(key)
    return right, wrong


def main():
    total = [0] * 6
    form = "%-40s" + " %7s" * 6
    print(form % ("", "values", "coredbg", "wrong", "gdb", "lldb", "wrong"))
    for d in map(os.path.abspath, sys.argv[2:]):
        names = {}
        for l in open(d + "/out.txt", encoding="utf-8"):
            part = l.rstrip("\n").split("\t", 2)
            if len(part) == 3:
                names[part[0], part[1]] = json.loads(part[2])
        args = json.load(open(d + "/truth.json")).get("args", [])
        gdb = by_gdb(d, args)
        lldb, mistaken = by_lldb(d)
        ours, wrong = by_coredbg(sys.argv[1], d, names, args)
        figures = list(map(len, (names, ours, wrong, gdb, lldb, mistaken)))
        print(form % (os.path.basename(d), *figures), *sorted((gdb | lldb) - ours))
        total = [a + b for a, b in zip(total, figures)]
    print(form % ("all", *total))


if __name__ == "__main__":
    main()
