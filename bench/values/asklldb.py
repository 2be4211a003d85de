# asklldb.py PROGRAM CORE OUT: of the values that a values-* program wrote down (OUT), which ones lldb
# has, too. Prints "OK function name" for each, "WRONG …" for those that differ.
# Debian's python3-lldb-14 has a link to nowhere: the folder of this script's module "lldb" needs
# _lldb.so, a link to liblldb-14.so.1.
import json
import math
import sys

import lldb

WORDS = {lldb.eBasicTypeBool}
FLOATS = {lldb.eBasicTypeFloat, lldb.eBasicTypeDouble, lldb.eBasicTypeLongDouble, lldb.eBasicTypeHalf}
CHARS = {lldb.eBasicTypeChar, lldb.eBasicTypeSignedChar, lldb.eBasicTypeUnsignedChar}


def of(t):
    return t.GetCanonicalType().GetUnqualifiedType().GetBasicType()


def plain(v, depth=0):
    """plain returns a value as JSON has it; it raises an error for what lldb cannot say."""
    if not v.IsValid() or v.GetError().Fail() or depth > 10:
        raise ValueError(str(v.GetError()))
    t = v.GetType().GetCanonicalType()
    if t.IsReferenceType():
        return plain(v.Dereference(), depth + 1)
    name = t.GetUnqualifiedType().GetName()
    summary = v.GetSummary()
    kind = t.GetTypeClass()
    if kind == lldb.eTypeClassEnumeration:
        return v.GetValue()
    if t.IsPointerType():
        if v.GetValueAsUnsigned() == 0:
            return None
        if of(t.GetPointeeType()) in CHARS:
            return json.loads(summary)
        return hex(v.GetValueAsUnsigned())
    if kind == lldb.eTypeClassBuiltin:
        b = of(t)
        if b in WORDS:
            return v.GetValueAsUnsigned() != 0
        if b in FLOATS:
            return float(v.GetValue())
        return v.GetValueAsSigned() if t.GetTypeFlags() & lldb.eTypeIsSigned else v.GetValueAsUnsigned()
    if kind == lldb.eTypeClassArray and of(t.GetArrayElementType()) in (lldb.eBasicTypeChar, lldb.eBasicTypeSignedChar):
        return json.loads(summary)
    children = [v.GetChildAtIndex(i) for i in range(v.GetNumChildren())]
    if kind == lldb.eTypeClassArray:
        return [plain(c, depth + 1) for c in children]
    if name.startswith(("std::__cxx11::basic_string<char", "std::basic_string<char")):
        return json.loads(summary)
    if name.startswith(("std::vector<", "std::__cxx11::list<", "std::list<", "std::deque<", "std::set<", "std::multiset<", "std::forward_list<")):
        return [plain(c, depth + 1) for c in children]
    if name.startswith(("std::map<", "std::unordered_map<", "std::multimap<")):
        pairs = [[plain(c.GetChildMemberWithName("first"), depth + 1), plain(c.GetChildMemberWithName("second"), depth + 1)] for c in children]
        return dict(pairs) if pairs and all(isinstance(k, str) for k, _ in pairs) else pairs
    if name.startswith(("std::unique_ptr<", "std::shared_ptr<", "std::optional<")):
        return plain(v.GetChildMemberWithName("pointee") if "_ptr<" in name else children[0], depth + 1)
    out = {}
    for c in children:
        x = plain(c, depth + 1)
        out.update(x) if not c.GetName() and isinstance(x, dict) else out.__setitem__(c.GetName(), x)
    return out


def same(a, b):
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b or math.isclose(a, b, rel_tol=1e-5)  # lldb prints six digits of some
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return a == b


def read(target, thread, function, name):
    if function == "-":
        return target.FindFirstGlobalVariable(name)
    for f in thread:
        if (f.GetFunctionName() or "").split("(")[0].split("::")[-1] == function:
            return f.FindVariable(name)
    raise ValueError("no frame")


debugger = lldb.SBDebugger.Create()
debugger.SetAsync(False)
target = debugger.CreateTarget(sys.argv[1])
thread = target.LoadCore(sys.argv[2]).GetSelectedThread()
for line in open(sys.argv[3], encoding="utf-8", errors="replace"):
    part = line.rstrip("\n").split("\t", 2)
    if len(part) != 3:
        continue
    try:
        got = plain(read(target, thread, part[0], part[1]))
        print("OK" if same(got, json.loads(part[2])) else "WRONG", part[0], part[1])
    except Exception as e:
        print("?", part[0], part[1], e)
