'use strict';
// shapes.js DIR: die inside shapes of functions and calls that main.js has not:
// each calls the next, and the last writes its own Error.stack and aborts.
const vm = require('vm');
const truth = require('./truth.js');

const dir = process.argv[2] || '.';
Error.stackTraceLimit = Infinity;

function die() {
  truth.write(dir, 'process.abort', { mode: 'shapes' });
  process.abort();
}

// An optional syntax is only there where the engine knows it.
function compiled(source, fallback) {
  try {
    return (0, eval)(source);
  } catch (e) {
    if (e instanceof SyntaxError) return fallback;
    throw e;
  }
}

const symbol = Symbol('described');
const bare = Symbol();

class Base {
  constructor(next) { this.next = next; }
  template() { return tag`a${this.next}b`; }
  get viaReflect() { return this.template(); }
  set assigned(v) { this.value = this[v](); }
  static make(next) { return new this(next); }
}

class Derived extends Base {
  constructor(next) {
    super(next);
    this.arrow = () => this.symbols();
  }
  symbols() { return this[symbol](); }
  [symbol]() { return this[bare](); }
  [bare]() { return super.viaReflect; }
  ['computed' + 'Name']() { return this.arrow(); }
  async *asyncItems() { yield this.computedName(); }
  *items() { try { yield 1; } finally { this.last = this.computedName(); } }
  toString() { return this[symbol](); }
  valueOf() { return 1; }
}
class Anonymous { static held = class { go(f) { return f(); } }; }

function tag(strings, next) { return next(); }

const Private = compiled(`(class Private {
  #next; constructor(n) { this.#next = n; }
  #method() { return this.#next(); }
  get #hidden() { return this.#method(); }
  static #inner(o) { return o.#hidden; }
  run() { return Private.#inner(this); }
})`, class Private { constructor(n) { this.n = n; } run() { return this.n(); } });

const object = {
  plain(f) { return f(); },
  'two words'(f) { return f(); },
  12(f) { return f(); },
  assigned: function (f) { return f(); },
  get getter() { return this.plain(this.f); },
  inner: { deep: { fn(f) { return f(); } } },
};
object.later = function (f) { return f(); };
const alias = { other: object.plain };
const nulled = Object.create(null);
nulled.method = object.later;

// Classes and functions whose names somebody has set, as schema and proxy libraries do.
const Renamed = class { go(f) { return f(); } };
Object.defineProperty(Renamed, 'name', { value: 'Given' });
const Hidden = class { go(f) { return f(); } };
Object.defineProperty(Hidden, 'name', { get() { return 'Computed'; } });
const Emptied = class { go(f) { return f(); } };
Object.defineProperty(Emptied, 'name', { value: '' });
const Called = class { go(f) { return f(); } static name() {} };
const Heir = class extends Renamed {};
Object.defineProperty(Heir, 'name', { value: 'Successor' });
function Maker() {}
Maker.prototype.go = Renamed.prototype.go;
Object.defineProperty(Maker, 'name', { value: 'Object' });

function Old(f) { this.f = f; }
Old.prototype.run = function () { return this.f(); };
Old.prototype[Symbol.iterator] = function* () { yield this.run(); };

function sloppy(f) { return new Function('f', 'return f()')(f); }
function evals(f) { return eval('(function inEval() { return f(); })()'); }
function indirect(f) { globalThis.shape = f; return (0, eval)('globalThis.shape()'); }
function named(f) { return [1].map(function () { return f(); }); }

// Sources that name themselves, as bundlers and test runners make them.
const url = (name) => '\n//# sourceURL=' + name;
function bundled(f) { return eval('(function packed() { return f(); })()' + url('webpack:///./src/app.js?')); }
function madeHere(f) { return new Function('f', 'return f()' + url('made.js'))(f); }
function inVM(f) {
  const given = { filename: 'given.js', lineOffset: 10, columnOffset: 5 };
  return new vm.Script('(function scripted(f) { return f(); })' + url('file:///own/name.js'), given).runInThisContext()(f);
}
function offset(f) { return vm.runInThisContext('(function shifted(f) { return f(); })', { filename: 'moved.js', lineOffset: 10, columnOffset: 5 })(f); }
function nested(f) { return eval(`eval("(function within() { return f(); })()")` + url('outer.js')); }
function deeper(f) { return eval(`eval("eval('f()')")`); }
function fromScript(f) {
  return vm.runInThisContext('(function origin(f) { return eval("f()"); })' + url('https://host/origin.js'), { filename: 'plain.js', lineOffset: 3 })(f);
}
function old(f) { return (0, eval)('(function legacy(f) { return f(); })\n//@ sourceURL=legacy.js')(f); }

const steps = [
  (f) => bundled(f),
  (f) => madeHere(f),
  (f) => inVM(f),
  (f) => offset(f),
  (f) => nested(f),
  (f) => deeper(f),
  (f) => fromScript(f),
  (f) => old(f),
  (f) => named(f),
  (f) => sloppy(f),
  (f) => evals(f),
  (f) => indirect(f),
  (f) => new Private(f).run(),
  (f) => Derived.make(f).template(),
  (f) => Reflect.get(Derived.prototype, 'viaReflect', new Derived(f)),
  (f) => `${new Derived(f)}`,
  (f) => { new Derived(f).assigned = 'computedName'; },
  (f) => { const it = new Derived(f).items(); it.next(); return it.return(7); },
  (f) => { for (const x of new Old(f)) return x; },
  (f) => [...new Old(f)],
  (f) => new Anonymous.held().go(f),
  (f) => new Renamed().go(f),
  (f) => new Hidden().go(f),
  (f) => new Emptied().go(f),
  (f) => new Called().go(f),
  (f) => new Heir().go(f),
  (f) => Object.create(Renamed.prototype).go(f),
  (f) => new Maker().go(f),
  (f) => object.plain(f),
  (f) => object['two words'](f),
  (f) => object[12](f),
  (f) => object.assigned(f),
  (f) => object.later(f),
  (f) => { object.f = f; return object.getter; },
  (f) => object.inner.deep.fn(f),
  (f) => alias.other(f),
  (f) => nulled.method(f),
  (f) => object.plain.call(5, f),
  (f) => object.plain.call('text', f),
  (f) => object.plain.apply(null, [f]),
  (f) => object.plain.bind({})(f),
  (f) => Reflect.construct(Old, [f]).run(),
  (f) => Reflect.apply(object.later, [], [f]),
  (f) => new Proxy(object, {}).plain(f),
  (f) => new (class { constructor(g) { g(); } })(f),
  (f) => new (class extends Base { constructor(g) { super(g); g(); } })(f),
  (f) => Array.from([1], () => f()),
  (f) => [3, 1].reduce(() => f()),
  (f) => new Map([[1, 2]]).forEach(() => f()),
  (f) => new Set([1]).forEach(function () { f(); }),
  (f) => new Uint8Array(1).map(() => f()),
  (f) => Object.defineProperty({}, 'x', { get: f }).x,
  (f) => JSON.parse('[1]', () => f()),
  (f) => 'ab'.replace('a', () => f()),
  (f) => /a/g[Symbol.replace]('aa', () => f()),
  (f) => [2, 1].sort(() => f()),
  (f) => 1 + { [Symbol.toPrimitive]() { return f(); } },
  (f) => ({ ...{ get x() { return f(); } } }),
  (f) => { const [x] = { *[Symbol.iterator]() { yield f(); } }; return x; },
  (f) => Symbol.iterator in new Proxy({}, { has() { return f(); } }),
  (f) => f instanceof { [Symbol.hasInstance]() { return f(); } },
  (f) => { label: try { throw f; } catch (g) { g(); } finally { break label; } },
  (f) => new Promise(() => f()),
  (f) => compiled('(f) => { class Block { static { f(); } } }', (f2) => f2())(f),
  (f) => compiled('(f) => new (class { field = f(); })', (f2) => f2())(f),
  (f) => compiled('(f) => ({ f })?.f?.()', (f2) => f2())(f),
  (f) => compiled('(f) => { let g; g ??= f(); }', (f2) => f2())(f),
];

const chain = steps.reduceRight((next, step) => () => step(next), die);

async function awaited() { await null; return await asyncArrow(); }
const asyncArrow = async () => { await 1; for await (const x of generated()) return x; };
async function* generated() { await 2; yield* new Derived(() => inner()).asyncItems(); }
async function inner() { await 3; return await fromAsync(); }
// Not Array.fromAsync: Error.stack ends there.
async function collect(items, f) { const out = []; for await (const x of items) out.push(await f(x)); return out; }
async function fromAsync() { return await collect([1], async () => { await 4; return await several(); }); }
async function several() { return (await Promise.all([null, thenable()]))[1]; }
async function thenable() { await 5; return chain(); }
class Outer {
  async method() { await 6; return await awaited(); }
  static async of() { return await new Outer().method(); }
}
Outer.of();
