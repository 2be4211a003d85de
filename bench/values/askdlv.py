# askdlv.py COREDBG DLV FOLDER...: of the values that values.go wrote down before it died, how many
# coredbg and delve have right, wrong or not at all. FOLDERs are live cores. With SHOW set in the
# environment each value that is not right is listed.
import json
import os
import re
import socket
import subprocess
import sys
import time

from compare import same, unknown

BOOL, FLOAT, COMPLEX, ARRAY, CHAN, FUNC, INTERFACE, MAP, PTR, SLICE, STRING, STRUCT, RAW = 1, (13, 14), (15, 16), 17, 18, 19, 20, 21, 22, 23, 24, 25, 26
CONFIG = {"FollowPointers": True, "MaxVariableRecurse": 10, "MaxStringLen": 1000, "MaxArrayValues": 200, "MaxStructFields": -1}


class Delve:
    """Delve is a dlv that serves one core."""

    def __init__(self, dlv, d):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            at = s.getsockname()
        self.process = subprocess.Popen([dlv, "core", d + "/values", d + "/core", "--headless", "--listen=127.0.0.1:%d" % at[1], "--api-version=2",
                                         "--check-go-version=false"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                self.file = socket.create_connection(at).makefile("rw")
                break
            except OSError:
                time.sleep(0.1)
        self.frames = {}
        for g in self.call("ListGoroutines", Start=0, Count=1000)["Goroutines"]:
            for i, f in enumerate(self.call("Stacktrace", Id=g["id"], Depth=200)["Locations"]):
                self.frames.setdefault(bare((f.get("function") or {}).get("name", "")), (g["id"], i))

    def call(self, method, **args):
        self.file.write(json.dumps({"method": "RPCServer." + method, "params": [args], "id": 1}) + "\n")
        self.file.flush()
        answer = json.loads(self.file.readline())
        if answer.get("error"):
            raise ValueError(answer["error"])
        return answer["result"]

    def value(self, function, name):
        if function == "-":
            scope = next(iter(self.frames.values()))
        elif function in self.frames:
            scope = self.frames[function]
        else:
            raise ValueError("no frame")
        return plain(self.call("Eval", Scope={"GoroutineID": scope[0], "Frame": scope[1]}, Expr=name, Cfg=CONFIG)["Variable"])


def bare(name):
    """bare returns a function's name without what it was instantiated with."""
    return re.sub(r"\[.*?\]", "", name)


def number(text):
    if text in ("+Inf", "-Inf", "NaN"):
        return text
    m = re.fullmatch(r".*\((-?\d+)\)", text)  # the name of a constant comes first
    return json.loads(m[1] if m else text)


def plain(v):
    """plain returns a value as JSON has it; it raises an error for what delve cannot say."""
    kind, children = v["kind"], v.get("children") or []
    if v.get("unreadable"):
        raise ValueError(v["unreadable"])
    if kind == BOOL:
        return v["value"] == "true"
    if kind in COMPLEX:
        return "%s + %si" % tuple(re.sub(r"\.0$", "", str(float(c["value"]))) for c in children)
    if kind == STRING:
        if len(v["value"].encode()) < v["len"]:
            raise ValueError("cut")
        return v["value"]
    if kind in (SLICE, ARRAY):
        return [plain(c) for c in children]
    if kind == MAP:
        pairs = [[plain(k), plain(x)] for k, x in zip(children[::2], children[1::2])]
        return None if v["base"] == 0 and not pairs else pairs
    if kind == FUNC:
        return v["value"] or None
    if kind == INTERFACE:
        c = children[0] if children else None
        if c is None or c["kind"] == 0 and c["addr"] == 0:
            return None
        if c["kind"] == PTR:
            to = (c.get("children") or [None])[0]
            return None if to is None or to["addr"] == 0 else plain(to)
        return plain(c)
    if kind == PTR:
        return hex(children[0]["addr"]) if children and children[0]["addr"] else None
    if kind == RAW:
        return v["value"] and hex(children[0]["addr"])
    if kind == CHAN:
        part = {c["name"]: c for c in children}
        if not part:
            return None
        if int(part["qcount"]["value"]) == 0:
            return []
        room, first = int(part["dataqsiz"]["value"]), int(part["recvx"]["value"])
        queue = part["buf"]["children"][0]["children"]
        return [plain(queue[(first + i) % room]) for i in range(int(part["qcount"]["value"]))]
    if kind == STRUCT:
        if v["realType"] == "time.Time" and v["value"]:
            return re.sub(r"^time\.Time\((.*?)\).*", r"\1", v["value"])
        return {c["name"]: plain(c) for c in children}
    return number(v["value"])


def instant(text):
    """instant returns the second that a time is in, as delve writes no more of it, at offsets of its own."""
    m = re.match(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)(?:, .*)?$", text)
    if not m:
        return None
    import datetime
    return datetime.datetime.fromisoformat(m[1] + m[2].replace("Z", "+00:00")).timestamp()


def agrees(got, want):
    """agrees compares values; maps may be pairs, in any order."""
    if isinstance(want, dict) and isinstance(got, list):
        got = {k if isinstance(k, str) else json.dumps(k): v for k, v in got}
        got = {k[:-2] if k.endswith(".0") else k: v for k, v in got.items()}
    if isinstance(want, list) and isinstance(got, list):
        return len(got) == len(want) and all(map(agrees, got, want))
    if isinstance(want, dict) and isinstance(got, dict):
        return got.keys() == want.keys() and all(agrees(got[k], want[k]) for k in want)
    if isinstance(want, str) and isinstance(got, str) and got != want:
        return instant(want) is not None and instant(got) == instant(want)
    if want is None or isinstance(want, bool) or isinstance(got, bool):
        return got is want
    return same(got, want)


def by_coredbg(program, d, names):
    lines = ["::walk thread | ::locals -A -l 200", "::goroutines -s waiting | ::locals -A -l 200"]
    for f, n in names:
        if f == "-":
            lines.append("::print -l 200 '%s'" % n)
    out = subprocess.run([program, "-S", "-json", *(x for l in lines for x in ("-e", l)), d + "/values", d + "/core"],
                         capture_output=True, text=True).stdout
    got, frames = {}, {}
    for r in map(json.loads, out.splitlines()):
        if r["type"] == "variable":
            key = bare(r["function"]), r["name"]
            got[key] = r["value"]
            frames[key[0]] = "::goroutine %d" % r["goroutine"] if "goroutine" in r else "::thread %d" % r["tid"], r["frame"]
        elif "value" in r:
            got["-", r.get("name")] = r["value"]
    for f, n in names:  # paths
        if f in frames and (f, n) not in got:
            out = subprocess.run([program, "-S", "-json", "-e", frames[f][0], "-e", "::frame %d" % frames[f][1], "-e", "::print -l 200 '%s'" % n,
                                  d + "/values", d + "/core"], capture_output=True, text=True).stdout
            for r in map(json.loads, out.splitlines()):
                if "value" in r:
                    got[f, n] = r["value"]
    return got


def main():
    total = [0] * 7
    form = "%-24s" + " %7s" * 7
    print(form % ("", "values", "coredbg", "wrong", "missing", "dlv", "wrong", "missing"))
    for d in map(os.path.abspath, sys.argv[3:]):
        names = {}
        for l in open(d + "/out.txt", encoding="utf-8", errors="replace"):
            part = l.rstrip("\n").split("\t", 2)
            if len(part) == 3:
                names[part[0], part[1]] = json.loads(part[2])
        ours, delve = by_coredbg(sys.argv[1], d, names), Delve(sys.argv[2], d)
        row = [len(names)] + [0] * 6
        for key, want in names.items():
            if key in ours and not unknown(ours[key]):
                score(row, 1, "coredbg", key, ours[key], want)
            else:
                row[3] += 1
                show("coredbg", key, ours.get(key, "-"), want)
            try:
                got = delve.value(*key)
                score(row, 4, "dlv", key, got, want)
            except (ValueError, KeyError, TypeError) as e:
                row[6] += 1
                show("dlv", key, e, want)
        delve.process.terminate()
        print(form % (os.path.basename(d), *row), flush=True)
        total = [a + b for a, b in zip(total, row)]
    print(form % ("all", *total))


def score(row, at, who, key, got, want):
    right = agrees(got, want)
    row[at if right else at + 1] += 1
    if not right:
        show(who, key, got, want)


def show(who, key, got, want):
    if os.environ.get("SHOW"):
        print(who, *key, "is", json.dumps(got) if not isinstance(got, Exception) else got, "and not", json.dumps(want))


if __name__ == "__main__":
    main()
