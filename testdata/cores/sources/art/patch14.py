#!/usr/bin/env python3
"""patch14.py LIBART: makes Debian's libart.so.0 14.0.0+r15 for amd64, an unpacked copy, able to start.

Two bugs of that build, which Debian never runs:
AssignVTableIndexes wants alloca() to return zeros, which Android's compiler flags see to and Debian's do not. It is
made to take the arena always (cmp $0x100,%rax; ja  becomes  cmp $0x0,%rax; ja), which is zeroed.
InvokeStatic without arguments hands over sizeof(std::array<uint32_t, 0>), 1 in libstdc++, as the size of nothing: the
invoke stubs are made to copy whole words (rep movsb becomes shr $2,%ecx; rep movsl).
No layout of data changes. Both are found by their bytes; a copy that is patched already stays as it is.
"""
import re
import sys

path = sys.argv[1]
with open(path, 'rb') as f:
    data = f.read()
patched = re.sub(rb'\x48\x3d\x00\x01(\x00\x00\x77.\x48\x89\xe7)', lambda m: b'\x48\x3d\0\0' + m[1], data, flags=re.S)
patched = patched.replace(bytes.fromhex('48c7042400000000 4489d1 4889f8 4989f3 488d7c2408 f3a4'),
                          bytes.fromhex('4883242400 4489d1 c1e902 4889f8 4989f3 488d7c2408 f3a5'))
if patched != data:
    with open(path, 'wb') as f:
        f.write(patched)
