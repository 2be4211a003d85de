#!/usr/bin/env python3
"""boot.py VERSION DIR: the boot class path that ART VERSION (10, 11 or 14) starts with, as smali below DIR.

Real Android has thousands of classes there; these are the 160 without which libart does not start, most of them
empty. boot/classes.txt says how they hang together, boot/wanted.txt which members libart looks up, and
boot/methods.smali holds the methods that run.
"""
import os
import re
import sys

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'boot')
OBJECT = 'java/lang/Object'
THROWABLE = 'java/lang/Throwable'


class Class:
    def __init__(self, name):
        self.name, self.super, self.interfaces, self.flags = name, None if name == OBJECT else OBJECT, [], []
        self.fields, self.methods, self.virtuals, self.directs = {}, {}, None, 0

    def is_interface(self):
        return 'interface' in self.flags


def lines(name):
    for line in open(os.path.join(HERE, name)):
        if line.strip() and not line.startswith('#'):
            yield line.rstrip('\n')


def holds(versions, version):
    """holds says whether "*", "14", "11-" or "10-11" means this version."""
    low, dash, high = versions.replace('*', '0-').partition('-')
    return int(low) <= version <= int(high or (99 if dash else low))


def read_classes(version):
    classes = {}
    for line in lines('classes.txt'):
        if line[0] != ' ':
            head, _, flags = line.partition(' [')
            name, _, supers = head.partition(' : ')
            c = classes[name] = Class(name)
            c.flags = flags.rstrip(']').split()
            if supers:
                c.super, *c.interfaces = supers.split(', ')
            continue
        versions, *words = line.split()
        if not holds(versions, version):
            continue
        if words[0] == 'virtuals':
            c.virtuals = int(words[1])
        elif words[0] == 'directs':
            c.directs = int(words[1])
        else:
            c.fields[words[-1].split(':')[0]] = ' '.join(words)
    return classes


def read_methods(classes):
    """Methods by name and signature: (words before it, text)."""
    for line in lines('methods.smali'):
        if line.startswith('.class'):
            c = classes.setdefault(line[8:-1], Class(line[8:-1]))
        elif line.startswith('.method'):
            *flags, key = line.split()[1:]
            text = []
        elif line.startswith('.end method'):
            c.methods[key] = (flags, text)
        else:
            text.append(line)


def read_wanted(classes, version):
    for line in lines('wanted.txt'):
        versions, *words = line.split()
        if not holds(versions, version):
            continue
        if words[0] == 'class':
            c = classes.setdefault(words[1], Class(words[1]))
        elif words[0] == 'field':
            name = words[-1].split(':')[0]
            if not inherits(classes, c, name):
                c.fields.setdefault(name, ' '.join(words[1:]))
        elif not (words[-1] in c.methods):
            c.methods[words[-1]] = (['private' if 'private' in words else 'public'] +
                                    [w for w in words[:-1] if w != 'private'], None)


def inherits(classes, c, field):
    while c.super:
        c = classes[c.super]
        if field in c.fields:
            return True
    return False


def mention(classes):
    """Every type of a signature exists, too."""
    for c in list(classes.values()):
        for text in list(c.methods) + list(c.fields.values()):
            for name in re.findall(r'L([^;]+);', re.split('[:(]', text, maxsplit=1)[1].replace(')', ';')):
                classes.setdefault(name, Class(name))


def constructors(classes):
    """Throwables have the usual three constructors, other classes the empty one."""
    for c in classes.values():
        if c.is_interface() or c.name in (OBJECT, THROWABLE):
            continue
        chain = c
        while chain.super and chain.super != THROWABLE:
            chain = classes[chain.super]
        kinds = {'()V': 'p0'}
        if chain.super == THROWABLE:
            text = 'Ljava/lang/String;'
            kinds = {'()V': 'p0', f'({text})V': 'p0, p1', f'({text}L{THROWABLE};)V': 'p0, p1, p2'}
        for signature, registers in kinds.items():
            call = [' .locals 0', f' invoke-direct {{{registers}}}, L{c.super};-><init>{signature}', ' return-void']
            have = c.methods.get('<init>' + signature)
            if not have or have[1] is None:
                c.methods['<init>' + signature] = (['public', 'constructor'], call)


def pad(c, object_methods):
    """Object, Class, String and others need as many virtual methods as ART expects."""
    if c.name == OBJECT:
        c.methods['internalClone()Ljava/lang/Object;'] = (['private', 'native'], None)
        for m in ('clone()Ljava/lang/Object;', 'getClass()Ljava/lang/Class;', 'hashCode()I', 'wait(J)V'):
            c.methods.setdefault(m, (['public'], None))
    mine = [m for m, (flags, _) in c.methods.items()
            if not {'private', 'static'} & set(flags) and m[0] != '<' and (c.name == OBJECT or m not in object_methods)]
    if len(mine) > c.virtuals:
        sys.exit(f'{c.name} has {len(mine)} virtual methods, more than {c.virtuals}')
    for i in range(len(mine), c.virtuals):
        c.methods[f'pad{i}()V'] = (['public'], None)


def pad_direct(c):
    mine = [m for m, (flags, _) in c.methods.items() if {'private', 'static'} & set(flags) or m[0] == '<']
    for i in range(len(mine), c.directs):
        c.methods[f'pad{i}()V'] = (['private', 'static'], None)


def body(c, name, result):
    """What a method does that nobody calls."""
    if name == '<init>':
        return [' .locals 0', f' invoke-direct {{p0}}, L{c.super};-><init>()V', ' return-void']
    if result == 'V':
        return [' .locals 0', ' return-void']
    if result in 'JD':
        return [' .locals 2', ' const-wide/16 v0, 0x0', ' return-wide v0']
    return [' .locals 1', ' const/4 v0, 0x0', ' return-object v0' if result[0] in 'L[' else ' return v0']


def method(c, key, flags, text):
    name, _, rest = key.partition('(')
    flags = list(flags)
    polymorphic = 'polymorphic' in flags
    if polymorphic:
        flags = [f for f in flags if f != 'polymorphic'] + ['final', 'varargs']
    if name[0] == '<':
        flags = [f for f in flags if f not in ('native', 'constructor')] + ['constructor']
    if c.is_interface():
        flags.append('abstract')
    yield f'.method {" ".join(flags)} {key}'
    if polymorphic:
        yield '.annotation runtime Ljava/lang/invoke/MethodHandle$PolymorphicSignature;\n.end annotation'
    if not {'native', 'abstract'} & set(flags):
        yield from text or body(c, name, rest.split(')')[1])
    yield '.end method'


def smali(c):
    yield ' '.join(['.class'] + ([] if 'hidden' in c.flags else ['public']) +
                   [f for f in c.flags if f != 'hidden'] + [f'L{c.name};'])
    if c.super:
        yield f'.super L{c.super};'
    yield f'.source "{c.name.split("/")[-1].split("$")[0]}.java"'
    for i in c.interfaces:
        yield f'.implements L{i};'
    for f in c.fields.values():
        yield '.field public ' + f
    for key, (flags, text) in sorted(c.methods.items()):
        yield from method(c, key, flags, text)


def main():
    version, out = int(sys.argv[1]), sys.argv[2]
    classes = read_classes(version)
    read_methods(classes)
    read_wanted(classes, version)
    mention(classes)
    constructors(classes)
    object_methods = set(classes[OBJECT].methods) | {'clone()Ljava/lang/Object;', 'getClass()Ljava/lang/Class;', 'hashCode()I', 'wait(J)V'}
    for c in classes.values():
        if c.virtuals is not None:
            pad(c, object_methods)
        pad_direct(c)
        path = os.path.join(out, c.name + '.smali')
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as f:
            f.write('\n'.join(smali(c)) + '\n')


main()
