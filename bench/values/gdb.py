# gdb.py: run by gdb, on a core of a values-* program: which of the values that the program wrote
# down gdb has, too. Environment: OUT, the program's output. Prints "RIGHT n WRONG n UNKNOWN n".
import json
import os
import gdb


def plain(v, depth=0):
    """plain returns a value as JSON has it; it raises an error for what gdb cannot say."""
    if isinstance(v, (bool, int, float, str)):
        return v
    t = v.type.strip_typedefs()
    if v.is_optimized_out:
        raise ValueError("optimized out")
    if t.code == gdb.TYPE_CODE_REF or t.code == gdb.TYPE_CODE_RVALUE_REF:
        return plain(v.referenced_value(), depth + 1)
    printer = gdb.default_visualizer(v)
    if printer is not None and depth < 8:
        hint = printer.display_hint() if hasattr(printer, "display_hint") else None
        if hint == "string":
            s = printer.to_string()
            if type(s).__name__ == "LazyString":
                size = s.type.target().sizeof
                raw = bytes(gdb.selected_inferior().read_memory(s.address, max(s.length, 0) * size))
                return raw.decode({1: "utf-8", 2: "utf-16-le", 4: "utf-32-le"}[size])
            return s.string() if hasattr(s, "string") else str(s).strip('"')
        if hasattr(printer, "children"):
            list_ = [plain(x, depth + 1) for _, x in printer.children()]
            if hint == "map":
                pairs = list(zip(list_[::2], list_[1::2]))
                if pairs and all(isinstance(k, str) for k, _ in pairs):
                    return dict(pairs)
                return [list(p) for p in pairs]
            name = str(t)
            if name.startswith(("std::optional", "std::variant", "std::shared_ptr", "std::unique_ptr", "std::weak_ptr")):
                return list_[0] if list_ else None
            return list_
    if t.code == gdb.TYPE_CODE_BOOL:
        return bool(v)
    if t.code == gdb.TYPE_CODE_ENUM:
        return str(v).split("::")[-1].strip("()")
    if t.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR):
        return int(v)
    if t.code == gdb.TYPE_CODE_FLT:
        return float(v)
    if t.code == gdb.TYPE_CODE_PTR:
        if int(v) == 0:
            return None
        to = t.target().strip_typedefs()
        if to.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR) and to.sizeof == 1:
            return v.string()
        return hex(int(v))
    if t.code == gdb.TYPE_CODE_ARRAY:
        to = t.target().strip_typedefs()
        if to.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR) and to.sizeof == 1 and "unsigned" not in str(to):
            return v.string()
        low, high = t.range()
        return [plain(v[i], depth + 1) for i in range(low, high + 1)]
    if t.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        out = {}
        for f in t.fields():
            if hasattr(f, "bitpos"):
                x = plain(v[f], depth + 1)
                out.update(x) if not f.name else out.__setitem__(f.name, x)
        return out
    return str(v)


def same(a, b):
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b or abs(a - b) <= 1e-8 * abs(b)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return a == b


def read(function, name):
    if function == "-":
        return gdb.parse_and_eval("'%s'" % name if "::" in name else name)
    f = gdb.newest_frame()
    while f is not None:
        if f.name() and f.name().split("(")[0].split("::")[-1] == function:
            f.select()
            return gdb.parse_and_eval(name)
        f = f.older()
    raise ValueError("no frame")


right = wrong = unknown = 0
for line in open(os.environ["OUT"], encoding="utf-8", errors="replace"):
    part = line.rstrip("\n").split("\t", 2)
    if len(part) != 3:
        continue
    try:
        got = plain(read(part[0], part[1]))
    except Exception as e:
        if os.environ.get("SHOW"):
            print("?", part[:2], e)
        unknown += 1
        continue
    if same(got, json.loads(part[2])):
        right += 1
        if os.environ.get("LIST"):
            print("OK", part[0], part[1])
    else:
        wrong += 1
        if os.environ.get("SHOW"):
            print(part, got)
print("RIGHT %d WRONG %d UNKNOWN %d" % (right, wrong, unknown))
