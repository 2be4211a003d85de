'use strict';
// inline.js DIR HOW: no natives syntax. A chain of calls of all the kinds that the
// optimising compilers expand in place, run until they are hot; the last call dies.
// HOW is "none"; "lazy": the code that is on the stack is thrown away just before;
// or the name of a function below that calls twice: it is thrown away in the first
// call of the last round, so that its frames are the interpreter's in the second.
const hook = require('./hook.js');

const how = process.argv[3];
const last = 60000;
const turn = hook.arm(process.argv[2], how, last);
const limit = { rounds: last }; // all loops rely on it being constant
let calls = 0;

const thrown = how === 'none' ? 0 : how === 'lazy' ? last : last - 1;
function leaf(n) {
  if (++calls === thrown) limit.rounds = last + 1;
  return turn() + n;
}
// Who has this in its code relies on limit too.
const list = (name, n) => (how === name ? [n, n, limit.rounds].slice(0, 2) : limit.rounds ? [n] : []);

// Receivers: none, primitives, classes, objects that need not be made.
const strict = (n) => leaf(n + limit.rounds);
Object.defineProperty(Number.prototype, 'step', { value() { return strict(+this); } });
String.prototype.hop = function hop() { return this.length.step(); };
const sloppy = new Function('n', 'f', 'return f(n)');
const plain = (n) => sloppy('x'.repeat(n & 1 ? 3 : 4), (s) => s.hop());
const literal = (n) => ({ v: n, deep: { go(x) { return plain(x); } } }).deep.go(n);
class Point {
  hidden(n) { return literal(n + this.x); }
  constructor(x) { this.x = x; }
  via(n) { return this.hidden(n); }
  static make(n) { return new Point(n).via(n); }
  static get made() { return Point.make(1); }
  get twice() { let r = 0; for (const x of list('twice', 1)) r += Point.made * x; return r; }
  set twice(n) { this.x = this.twice + n; }
  ['com' + 'puted'](n) { this.twice = n; return this.x; }
  [Symbol.toPrimitive]() { return this.computed(2); }
}

// Calls in other words.
const through = (n) => +new Point(n);
function few(a, b, c) { return through(a) + (b === undefined) + (c === undefined); }
function many(a) { return few(a) + arguments.length; }
const rest = (...all) => many(...all, 1, 2);
const defaults = (n, f = rest, { g = f } = {}) => g(n, n, n);
const called = (n) => defaults.call(null, n) + 1;
const applied = (n) => called.apply(undefined, [n]);
const reflected = (n) => Reflect.apply(applied, null, [n]);
const bound = reflected.bind(null);
function passing() { return bound.apply(this, arguments); }

// Constructors.
function Old(n) { this.n = passing(n); }
Old.prototype.get = function () { return this.n; };
class Base { constructor(n) { for (const x of list('Base', n)) this.n = new Old(x).get(); } }
class Derived extends Base { constructor(n) { super(n + 1); this.m = n; } }
class Implied extends Derived {}
class Fields extends Implied { field = this.n; }
const constructed = (n) => new Fields(n).n;
const promised = (n) => { let r; new Promise((resolve) => { for (const x of list('promised', n)) r = constructed(x); resolve(); }); return r; };

// Builtins that call back.
const mapped = (n) => list('mapped', n).map((x) => promised(x))[0];
const each = (n) => { let r = 0; list('each', n).forEach(function add(x) { r += mapped(x); }); return r; };
const reduced = (n) => [0, ...list('reduced', n)].reduce((a, x) => a + each(x));
const right = (n) => [...list('right', n), 0].reduceRight((a, x) => a + reduced(x), 0);
const filtered = (n) => list('filtered', n).filter((x) => right(x) > 0).length;
const found = (n) => list('found', n).find((x) => filtered(x) < 0);
const index = (n) => list('index', n).findIndex((x) => found(x) === n + 99) + 1;
const some = (n) => (list('some', n).some((x) => index(x) < 0) ? n : 0);
const every = (n) => (list('every', n).every((x) => some(x) >= 0) ? n : 1);
const keyed = (n) => { let r = 0; new Map([[n, n]]).forEach((v, k, map) => { r = every(v) + map.size; }); return r; };
const sorted = (n) => [n, 2].sort((a, b) => keyed(a) - b)[0];
const from = (n) => Array.from(list('from', n), (x) => sorted(x))[0];
const replaced = (n) => 'ab'.replace('b', () => from(n)).length;

// Iterators and generators, handlers, conversions.
function* generate(n) { yield replaced(n); }
const iterated = (n) => { let r = 0; for (const x of generate(n)) r += x; return r; };
class Once {
  constructor(n) { this.n = n; }
  [Symbol.iterator]() { return this; }
  next() { const value = this.n; this.n = 0; return { value, done: !value || iterated(value) < 0 }; }
}
const spread = (n) => [...new Once(n)].length;
const text = (n) => `${{ toString() { return spread(n); } }}`.length;
const valued = (n) => 1 + { valueOf: () => text(n) };
const handled = new Proxy({}, { get: (target, key, self) => valued(3) + (self === target) + key.length });
const tagged = (parts, n) => handled[parts[0]] + n;
function guarded(n) {
  try {
    return tagged`a${n}b`;
  } catch (e) {
    throw new Error('caught', { cause: e });
  } finally {
    limit.last = n;
  }
}
async function waiting(n) { limit.sum = guarded(n); await null; return n; }

function main() {
  for (let i = 0; i < limit.rounds; i++) {
    if (i > last - 3) Promise.resolve(waiting(i & 7));
    else waiting(i & 7);
  }
}
hook.limit(200);
main();
