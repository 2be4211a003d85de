#!/usr/bin/env python3
"""truth.py LOG TRUTH.json

Writes the truth with "thrown" in its member "art": the exception that lib/Tell.java described by its own getters, if it did.
"""
import json
import re
import sys


def thrown(log):
    """An exception with its causes and suppressed ones. One that was described before is circular."""
    top, at = None, {}
    for line in open(log, errors='replace'):
        if m := re.match(r'([XC]) (\d+) (top|cause|suppressed) (\S+?)(?:: (.*))?$', line):
            depth, x = int(m[2]), {'class': m[4]}
            if m[1] == 'C':
                x['circular'] = True
            elif m[5] is not None:
                x['message'] = m[5]
            if m[3] == 'top':
                top = x
            elif m[3] == 'cause':
                at[depth]['cause'] = x
            else:
                at[depth - 1].setdefault('suppressed', []).append(x)
            if m[1] == 'X':
                at[depth] = x
        elif m := re.match(r'F (\d+) (.+)\|(.*)\|(-?\d+)$', line):
            at[int(m[1])].setdefault('frames', []).append({'name': m[2], 'file': '' if m[3] == 'null' else m[3], 'line': int(m[4])})
    return top


def main():
    truth = json.load(open(sys.argv[2]))
    if found := thrown(sys.argv[1]):
        truth['art']['thrown'] = found
    print(json.dumps(truth, indent=1, ensure_ascii=False))


main()
