# compare.py COREDBG FOLDER...: of the values that a values-* program wrote down, how many coredbg
# and gdb have right, and which one has that the other does not. FOLDERs are live cores.
import json
import os
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))


def by_gdb(d):
    out = subprocess.run(["gdb", "-nx", "-batch", "-x", here + "/gdb.py", d + "/values", d + "/core"],
                         env=dict(os.environ, OUT=d + "/out.txt", LIST="1"), capture_output=True, text=True).stdout
    return {tuple(l.split()[1:3]) for l in out.splitlines() if l.startswith("OK ")}


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


def by_coredbg(program, d, names):
    lines = ["::locals -A -l 100"] + ["::print " + n for f, n in names if f == "-"]
    right, wrong = set(), []
    for line in lines:
        out = subprocess.run([program, "-S", "-json", "-e", line, d + "/core"], capture_output=True, text=True).stdout
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


total = [0, 0, 0, 0]
print("%-40s %7s %7s %7s %7s" % ("", "values", "coredbg", "wrong", "gdb"))
for d in sys.argv[2:]:
    names = {}
    for l in open(d + "/out.txt", encoding="utf-8"):
        part = l.rstrip("\n").split("\t", 2)
        if len(part) == 3:
            names[part[0], part[1]] = json.loads(part[2])
    gdb = by_gdb(d)
    ours, wrong = by_coredbg(sys.argv[1], d, names)
    print("%-40s %7d %7d %7d %7d" % (os.path.basename(d), len(names), len(ours), len(wrong), len(gdb)), *sorted(gdb - ours))
    total = [a + b for a, b in zip(total, (len(names), len(ours), len(wrong), len(gdb)))]
print("%-40s %7d %7d %7d %7d" % ("all", *total))
