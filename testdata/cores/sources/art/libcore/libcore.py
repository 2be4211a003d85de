#!/usr/bin/env python3
"""libcore.py LIBCORE DIR VERSION: the boot class path that ART VERSION starts with, as smali below DIR, with
Android's own libcore 10 in it.

LIBCORE is the smali of libcore. A class that boot.py makes, too, is libcore's, with the members
that libart asks for beside its own, and with just the fields and as many virtual methods as libart wants of those that it
lays out itself. overrides.smali has methods that replace libcore's.
"""
import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..'))

PADS = re.compile(r'\.field public static s([a-z])\d?:(.*)')


class Smali:
    """A class file taken apart: head, fields and methods by name and type."""

    def __init__(self, text):
        self.head, self.fields, self.methods = [], {}, {}
        block = key = None
        for line in text.splitlines():
            if line.startswith(('.field ', '.method ')):
                key = (line[0:2], line.split(' = ')[0].split()[-1])
                block = [line]
                to = self.fields if line.startswith('.field') else self.methods
                to[key[1]] = block
                if line.startswith('.field'):
                    block_of_field = block
                    block = None
                    continue
            elif block is not None:
                block.append(line)
                if line == '.end method':
                    block = None
            elif line.startswith('    ') and self.fields and not self.methods or line == '.end field':
                block_of_field.append(line)  # its annotations
            elif line and not line.startswith('#'):
                self.head.append(line)

    def text(self):
        parts = [self.head] + list(self.fields.values()) + list(self.methods.values())
        return '\n'.join(line for part in parts for line in part) + '\n'


def flags(block):
    return block[0].split()[1:-1]


def virtual(key, block):
    return not {'private', 'static', 'constructor'} & set(flags(block))


def instance(c):
    return {k.split(':')[0]: b for k, b in c.fields.items() if 'static' not in b[0].split(' = ')[0].split()[:-1]}


def renamed(have, wanted):
    """Takes from wanted what libcore has by another name."""
    kind = lambda b: b[0].split(' = ')[0].split(':')[1]
    for name in sorted(set(wanted) - set(have)):
        for other in sorted(set(have) - set(wanted)):
            if kind(wanted[name]) == kind(have[other]) and sorted(wanted).index(name) == sorted((set(wanted) - {name}) | {other}).index(other):
                wanted[other] = have[other]
                del wanted[name]
                break


def merge(boot, own, exact, inherited):
    """merge puts what libart wants of a class into libcore's."""
    have = instance(own)
    wanted = instance(boot)
    if 'final' not in boot.head[0].split():  # later versions extend it
        own.head[0] = own.head[0].replace(' final ', ' ')
    if exact:
        renamed(have, wanted)
    for name, block in wanted.items():
        if name not in have:
            own.fields[block[0].split()[-1]] = block
    if exact:
        for name, block in have.items():
            if name not in wanted:
                del own.fields[block[0].split(' = ')[0].split()[-1]]
    statics = [b[0].split(' = ')[0].split(':')[1] for k, b in own.fields.items() if 'static' in b[0].split(':')[0].split()]
    for key, block in boot.fields.items():
        pad = PADS.match(block[0])
        if pad:
            kind = pad[2] if len(pad[2]) == 1 else 'L'
            same = [s for s in statics if (s if len(s) == 1 else 'L') == kind]
            if same:
                statics.remove(same[0])
                continue
        elif key in own.fields or 'static' not in block[0].split():
            continue
        own.fields[key] = block
    for key, block in boot.methods.items():
        if re.match(r'pad\d+\(', key):
            continue
        if key not in own.methods:
            if not virtual(key, block) or key not in inherited:
                own.methods[key] = block
        elif 'native' in flags(block) and 'native' not in flags(own.methods[key]):
            words = flags(own.methods[key])
            own.methods[key] = [f'.method {" ".join(words + ["native"])} {key}', '.end method']


def count(c, inherited, what):
    if what == 'virtuals':
        return len([k for k, b in c.methods.items() if virtual(k, b) and k not in inherited])
    return len([k for k, b in c.methods.items() if not virtual(k, b)])


def defaults(out, c):
    """The methods that a class has of its interfaces alone."""
    found = set()
    for line in c.head:
        if line.startswith('.implements '):
            of = read(os.path.join(out, line.split()[1][1:-1] + '.smali'))
            found |= {k for k, b in of.methods.items() if virtual(k, b) and 'abstract' not in flags(b) and k not in c.methods}
    return found


def read(path):
    return Smali(open(path).read())


def main():
    libcore, out, version = sys.argv[1:4]
    boot = out + '.boot'
    sys.argv = ['boot.py', version, boot]
    import boot as maker  # writes its classes
    classes = maker.read_classes(int(version))
    shutil.copytree(libcore, out, dirs_exist_ok=True)
    objects = set(read(os.path.join(out, 'java/lang/Object.smali')).methods) | set(read(os.path.join(boot, 'java/lang/Object.smali')).methods)
    overrides = {}
    for line in open(os.path.join(HERE, 'overrides.smali')):
        line = line.rstrip('\n')
        if line.startswith('.class'):
            at = overrides.setdefault(line.split()[-1][1:-1], {})
        elif line.startswith('.method'):
            text = at[line.split()[-1]] = [line]
        elif line and not line.startswith('#'):
            text.append(line)
    for folder, _, files in os.walk(boot):
        for f in files:
            path = os.path.relpath(os.path.join(folder, f), boot)
            name, to = path[:-len('.smali')], os.path.join(out, path)
            if not os.path.exists(to):
                os.makedirs(os.path.dirname(to), exist_ok=True)
                shutil.copy(os.path.join(folder, f), to)
                continue
            b, own = read(os.path.join(folder, f)), read(to)
            c = classes.get(name)
            exact = bool(c and c.fields) and name != 'java/lang/Thread'
            inherited = set() if name == 'java/lang/Object' else objects
            merge(b, own, exact, inherited)
            for what, n in (('virtuals', c and c.virtuals), ('directs', c and c.directs)):
                if not n:
                    continue
                have = count(own, inherited, what) + (len(defaults(out, own)) if what == 'virtuals' else 0)
                for i in range(have, n):
                    kind = 'public' if what == 'virtuals' else 'private static'
                    own.methods[f'{what}{i}()V'] = [f'.method {kind} {what}{i}()V', '.registers 1', 'return-void', '.end method']
            open(to, 'w').write(own.text())
    for name, methods in overrides.items():
        to = os.path.join(out, name + '.smali')
        own = read(to)
        for key, block in methods.items():
            if key not in own.methods:
                sys.exit(f'{name} has no {key}')
            own.methods[key] = block
        open(to, 'w').write(own.text())
    shutil.rmtree(boot)


main()
