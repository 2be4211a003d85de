'use strict';
// main.js MODE DIR: die under a deep JavaScript stack of many kinds of frames.
//
//   deep      process.abort() under every kind of frame below
//   uncaught  an exception in a timer, with --abort-on-uncaught-exception
//   loop      a hot loop, to be killed from outside once DIR/ready is there
//   wasm      process.abort() in an import that WebAssembly calls
//   heap      process.abort() after a collection, from a timer
const fs = require('fs');
const path = require('path');
const util = require('util');
const tiers = require('./tiers.js');
const truth = require('./truth.js');
const values = require('./values.js');

const mode = process.argv[2] || 'deep';
const dir = process.argv[3] || '.';
Error.stackTraceLimit = Infinity;

const account = (more) => Object.assign({ mode }, more, values.account());

function die(tag) {
  const localInDie = 'local-' + tag;
  truth.write(dir, 'process.abort', account());
  process.abort();
  return localInDie;
}

function recurse(n, k) {
  if (n === 0) return k('bottom');
  return recurse(n - 1, k) + '';
}

// ---- functions that warm() puts into a tier ----

function tinyInlinee(x, cb) {
  const y = x + 1;
  return cb(y);
}
function midInlinee(x, cb) {
  const z = { q: x };
  return tinyInlinee(z.q * 2, cb);
}
function turboHot(x, cb) {
  let acc = 0;
  for (let i = 0; i < 3; i++) acc += i;
  const r = midInlinee(acc + x, cb);
  return r;
}

function maglevInlinee(x, cb) { return cb(x); }
function maglevHot(x, cb) {
  const a = x * 2;
  const r = maglevInlinee(a, cb);
  return r;
}

function baselineFn(x, cb) {
  let s = 0;
  for (let i = 0; i < 2; i++) {
    s += i;
  }
  const r = cb(x + s);
  return r;
}

function interpFn(x, cb) {
  const r = cb(x);
  return r;
}

function warmAll() {
  for (const f of [tinyInlinee, midInlinee, maglevInlinee]) tiers.warm(f, 'none');
  tiers.warm(turboHot, 'turbofan');
  tiers.warm(maglevHot, 'maglev');
  tiers.warm(baselineFn, 'baseline');
  const status = {};
  if (tiers.status) for (const f of [turboHot, maglevHot, baselineFn, interpFn]) status[f.name] = tiers.status(f);
  fs.writeFileSync(path.join(dir, 'optstatus.txt'), JSON.stringify(status) + '\n');
}

// ---- constructors, accessors, generators ----

class Shape {
  constructor(cb) {
    this.kind = 'shape';
    this.result = cb(1);
  }
  static create(cb) { return new Shape(cb); }
  method(cb) { return Shape.create(cb); }
  get prop() { return this.method(this.cb); }
}
class Sub extends Shape {
  constructor(cb) {
    super((x) => x);
    this.cb = cb;
  }
}

function* genDriver(cb) {
  const v = yield 1;
  yield cb(v);
}

// ---- the deep stack, from the outside in ----

const bound = interpFn.bind(null, 10);
const proxied = new Proxy(baselineFn, {
  apply(target, self, args) { return Reflect.apply(target, self, args); },
});

function intoJSON() {
  return JSON.stringify({ toJSON() { return eval('recurse(3, die)'); } });
}
function intoSort() {
  return [3, 1].sort(function compare(p, q) {
    return 'abc'.replace(/b/, function replacer() { return intoJSON(); });
  });
}
function intoGenerator() {
  const g = genDriver((v) => intoSort());
  g.next();
  return g.next(5);
}
const chain = () => {
  const s = new Sub((v) => [7].map((e) =>
    turboHot(e, (y) =>
      maglevHot(y, function namedCb(w) {
        return proxied(w, (u) => bound((t) => intoGenerator()));
      }))));
  return s.prop;
};

// ---- other ends ----

function spinInner(a, i) { return (a * 31 + i) | 0; }
function spin() {
  truth.write(dir, null, account({ above: ['spinInner'] }));
  fs.writeFileSync(path.join(dir, 'ready'), '');
  let a = 0;
  for (let k = 0; ; k++) {
    for (let i = 0; i < 1e6; i++) a = spinInner(a, i);
    values.keep.a = a;
  }
}

function uncaught() {
  const e = new Error('uncaught!');
  truth.write(dir, 'throw', account());
  throw e;
}

// wasmModule makes the bytes of a module whose functions call each other in turn,
// the last of them the import m.f, the first exported as run. Names may be null:
//   (module $NAME (import "m" "f" (func (param i32) (result i32)))
//     (func $A (export "run") (param i32) (result i32) local.get 0 call $B) …)
function wasmModule(name, count, names) {
  const text = (s) => [s.length, ...Buffer.from(s)];
  const section = (id, ...body) => [id, body.length, ...body];
  const each = (make) => [].concat(...Array.from({ length: count }, (_, i) => make(i)));
  const custom = text('name');
  if (name) custom.push(...section(0, ...text(name)));
  if (names) custom.push(...section(1, count, ...each((i) => [i + 1, ...text(names[i])])));
  return new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0,
    ...section(1, 1, 96, 1, 127, 1, 127),
    ...section(2, 1, ...text('m'), ...text('f'), 0, 0),
    ...section(3, count, ...each(() => [0])),
    ...section(7, 1, ...text('run'), 0, 1),
    ...section(10, count, ...each((i) => [6, 0, 32, 0, 16, i + 1 < count ? i + 2 : 0, 11])),
    ...(name || names ? section(0, ...custom) : []),
  ]);
}
async function wasm() {
  const link = async (bytes, f) => (await WebAssembly.instantiate(bytes, { m: { f } })).instance.exports.run;
  const nameless = await link(wasmModule(null, 2, null), function last(x) { return die('wasm'); });
  const named = await link(wasmModule(null, 3, ['outer', 'middle', 'inner']), (x) => nameless(x + 1));
  const all = await link(wasmModule('calc', 1, ['wfunc']), function between(x) { return named(x * 2); });
  return all(5);
}

function heap() {
  if (global.gc) global.gc();
  die('heap');
}

async function main() {
  const esm = await import('./esm.mjs');
  warmAll();
  const shown = util.inspect(values.T, { depth: 1, showHidden: true, maxArrayLength: 12 });
  fs.writeFileSync(path.join(dir, 'inspect.txt'), shown + '\n');
  switch (mode) {
    case 'uncaught': setTimeout(uncaught, 1); return undefined;
    case 'heap': setTimeout(heap, 10); return undefined;
    case 'loop': return spin();
    case 'wasm': return wasm();
    default: return await esm.default.esmStatic(() => chain());
  }
}

main().catch((e) => {
  console.error(e);
  process.exit(3);
});
