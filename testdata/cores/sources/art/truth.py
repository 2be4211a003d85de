#!/usr/bin/env python3
"""truth.py NAME EXE LOG [KEY=VALUE…] [EXPECT.json…]

The stacks of an ART core, from the dump that ART itself wrote to LOG in the same process just before it died, as
../README.md says. KEY=VALUE go into the member "art", the members of the EXPECT files beside it. "-args JSON" gives
flags for the debugger; "-twin" says that LOG is of another run, so that addresses and ids are not this core's.
"""
import json
import re
import sys

HEAD = re.compile(r'"(.*)" (daemon )?prio=(\d+) tid=(\d+) (\w+)( \(still starting up\))?$')
GROUP = re.compile(r'  \| group="(.*?)" .*obj=(\S+) self=(\S+)$')
IDS = re.compile(r'  \| sysTid=(\d+) ')
FRAME = re.compile(r'  at (.+)\((.*?)(?::(-?\d+))?\)$')
LOCK = re.compile(r'  - (locked|waiting to lock|waiting for lock inflation of|waiting on|sleeping on) (?:<(0x[0-9a-f]+)> \(a (.+?)\)|an unknown object)(?: held by thread (\d+))?$')
AGAIN = re.compile(r'  \.\.\. repeated (\d+) times$')
PREFIX = re.compile(r'^.*? palette_fake\.cc:\d+\]? ?(.*)$')


def dump_lines(log):
    """What ART wrote between "DALVIK THREADS" and "----- end"."""
    inside = False
    for line in open(log, errors='replace'):
        m = PREFIX.match(line.rstrip('\n'))
        if not m:
            continue
        text = m.group(1)
        if text.startswith('DALVIK THREADS'):
            inside = True
        elif text.startswith('----- end'):
            return
        elif inside:
            yield text


# Which ART has in two processes of a hundred, as a random number falls (libartbase/base/flags.h, metrics.reporting-mods).
SAMPLED = 'Metrics Background Reporting Thread'


def threads(log, twin):
    out = []
    for text in dump_lines(log):
        if twin and (m := HEAD.match(text)) and m[1] == SAMPLED:
            t = {'frames': []}
        elif m := HEAD.match(text):
            t = {'name': m[1], 'tid': int(m[4]), 'state': m[5], 'prio': int(m[3]), 'daemon': bool(m[2]), 'frames': []}
            if t['name'] == 'Signal Catcher':  # it was writing this
                t['state'] = 'WaitingInMainSignalCatcherLoop'
            if t['state'] == 'Suspended':  # for the dump
                t['state'] = 'Runnable'
            out.append(t)
        elif text.endswith('(not attached)'):
            t = {'frames': []}  # qemu's own
        elif m := GROUP.match(text):
            t['group'] = m[1]
            if not twin:
                t['peer'], t['self'] = '0x' + m[2].removeprefix('0x'), m[3]
        elif m := IDS.match(text):
            if not twin:
                t['sysTid'] = int(m[1])
        elif m := FRAME.match(text):
            f = {'name': m[1]}
            if m[2] == 'Native method':
                f['native'] = True
            else:
                f['file'], f['line'] = m[2], int(m[3] or 0)
            t['frames'].append(f)
        elif m := LOCK.match(text):
            lock = {'how': m[1], 'class': m[3] or ''}
            if m[2] and not twin:
                lock['hash'] = m[2]
            if m[4]:
                lock['owner'] = int(m[4])
            t['frames'][-1].setdefault('locks', []).append(lock)
        elif m := AGAIN.match(text):
            # runtime/thread.cc, StackDumpVisitor: it printed three, and counts one too few
            t['frames'] += [t['frames'][-1]] * (int(m[1]) + 1)
        elif text.startswith(('  at', '  -', '  .')) or text.startswith('"'):
            sys.exit(f'{log}: what is this: {text!r}')
    for t in out:
        t['frames'] = t.pop('frames')  # last, where it reads best
    return sorted(out, key=lambda t: t['tid'])


def exceptions(log):
    """What artrun's native describe() printed."""
    out = []
    for line in open(log, errors='replace'):
        if m := re.match(r'exception:   at (.+)\((.*):(-?\d+)\)$', line):
            out[-1]['frames'].append({'name': m[1], 'file': m[2], 'line': int(m[3])})
        elif m := re.match(r'exception: (\S+): (.*)$', line):
            out.append({'class': m[1], 'message': m[2], 'frames': []})
    return out


def show(value, depth=1):
    """JSON with a line for each thing that is more than a word."""
    pad = ',\n' + '  ' * depth
    if isinstance(value, dict) and any(isinstance(v, (dict, list)) and v for v in value.values()):
        text = '{'
        for i, (k, v) in enumerate(value.items()):
            text += ('' if not i else ', ' if depth > 1 and not isinstance(v, (dict, list)) else pad) + f'{json.dumps(k)}: {show(v, depth + 1)}'
        return text + '}'
    if isinstance(value, list) and any(isinstance(v, dict) for v in value) and not (len(value) == 1 and depth > 4):
        return '[' + pad[1:] + pad.join(show(v, depth + 1) for v in value) + ']'
    return json.dumps(value, ensure_ascii=False)


def main():
    name, exe, log, *rest = sys.argv[1:]
    art, extra, twin = {}, {}, False
    truth = {'name': name, 'core': 'core', 'exe': exe}
    while rest:
        arg = rest.pop(0)
        if arg == '-args':
            truth['args'] = json.loads(rest.pop(0))
        elif arg == '-twin':
            twin = True
        elif arg.endswith('.json'):
            extra.update(json.load(open(arg)))
        else:
            key, _, value = arg.partition('=')
            art[key] = int(value) if value.isdigit() else value
    art['threads'] = threads(log, twin)
    if not any(t['frames'] for t in art['threads']):
        sys.exit(f'{log}: no stacks in the dump')
    if found := exceptions(log):
        art['exceptions'] = found
    art.update(extra)
    truth['art'] = art
    print(show(truth))


main()
