// embedded.mjs: a module for embedders of V8 other than Node. It says what its stack is,
// by V8's call sites, and what it has made, and then runs for ever in its innermost
// function, to be killed there. Deno and Bare run it as a program; workerd calls fetch.
Error.stackTraceLimit = Infinity;

class Widget { constructor(i) { this.id = i; this.name = 'widget' + i; this.next = null; } }
class Gadget extends Widget { constructor(i) { super(i); this.weight = i + 0.5; this.flag = (i & 1) === 0; } }
function OldStyle(a) { this.a = a; this.b = { nested: a }; }

const made = { Widget: 1234, Gadget: 777, OldStyle: 55 };
const keep = { widgets: [], gadgets: [], old: [] };
for (let i = 0; i < made.Widget; i++) keep.widgets.push(new Widget(i));
for (let i = 0; i < made.Gadget; i++) keep.gadgets.push(new Gadget(i));
for (let i = 0; i < made.OldStyle; i++) keep.old.push(new OldStyle(i));
globalThis.keep = keep;

// Of two errors of one place one is asked for its stack, which the other has not as text yet.
function fail(i) { return new TypeError('mine'); }
const twins = [0, 1].map(fail);

const T = globalThis.T = {
  smi: 42, negative: -7, large: 2147483647, double: 3.25, nan: NaN, yes: true, nil: null, none: undefined,
  text: 'hello one byte', wide: 'h\u00e9llo \u4e16\u754c', symbol: Symbol('mine'), big: 123456789012345678901234567890n,
  list: [1, 2, 3], doubles: [1.5, 2.5], holes: [1, , 3],
  map: new Map([['k1', 'v1'], [2, { two: 2 }]]), set: new Set([1, 'two', 3.5]), date: new Date(86400000 * 365), expression: /ab+c/gi,
  bytes: new Uint8Array([1, 2, 3, 250]), floats: new Float64Array([1.25, -2]), buffer: new Uint8Array([1, 0, 254]).buffer,
  plain: OldStyle, arrow: (x) => x, derived: Gadget, bound: OldStyle.bind(null, 1), settled: Promise.resolve(17), pending: new Promise(() => {}),
  widget: new OldStyle(9), args: (function () { return arguments; })(1, 'two', 3), boxed: Object(5), error: twins[1],
};
made.OldStyle++;

// What ::jsprint -x prints of them, in the order above.
const printed = [
  '42', '-7', '2147483647', '3.25', 'NaN', 'true', 'null', 'undefined',
  "'hello one byte'", "'h\u00e9llo \u4e16\u754c'", 'Symbol(mine)', '123456789012345678901234567890n',
  '[ 1, 2, 3 ]', '[ 1.5, 2.5 ]', '[ 1, <1 empty item>, 3 ]',
  "Map(2) { 'k1' => 'v1', 2 => { two: 2 } }", "Set(3) { 1, 'two', 3.5 }", '1971-01-01T00:00:00.000Z', '/ab+c/gi',
  'Uint8Array(4) [ 1, 2, 3, 250 ]', 'Float64Array(2) [ 1.25, -2 ]', 'ArrayBuffer { [Uint8Contents]: <01 00 fe>',
  '[Function: OldStyle]', '[Function: arrow]', '[class Gadget extends Widget]', '[Function: bound OldStyle]', 'Promise { 17 }', 'Promise { <pending> }',
  'OldStyle { a: 9, b: { nested: 9 } }', "[Arguments] { '0': 1, '1': 'two', '2': 3 }", '[Number: 5]', twins[0].stack,
];

function describe(site) {
  const name = site.getFunctionName() || '';
  // Until 2.0 Deno prints "undefined" of functions without a position.
  const printed = String(site) === 'undefined' ? `${site.getTypeName()}.${name} (<anonymous>)` : String(site);
  const f = { name, printed, line: site.getLineNumber() || 0, column: site.getColumnNumber() || 0 };
  const file = site.getScriptNameOrSourceURL();
  if (file) f.file = file;
  const wasm = /wasm-function\[\d+\]:(0x[0-9a-f]+)/.exec(printed);
  if (wasm) Object.assign(f, { wasm: true, line: 1, column: Number(wasm[1]) + 1 });
  if (site.isAsync && site.isAsync()) f.async = true;
  return f;
}

function stack(above) {
  const old = Error.prepareStackTrace;
  Error.prepareStackTrace = (_, sites) => sites.map(describe);
  const holder = {};
  Error.captureStackTrace(holder, above);
  const list = holder.stack;
  Error.prepareStackTrace = old;
  return list;
}

function spin() {
  const frames = stack(spin);
  const text = JSON.stringify({ frames, made, values: Object.keys(T).map((name, i) => ({ name, printed: printed[i] })) });
  if (globalThis.Deno) {
    Deno.writeTextFileSync('said.json', text);
    Deno.writeTextFileSync('ready', '');
  } else {
    console.log('said: ' + text);
  }
  quiet(2, keep, frames);
}

// quiet makes calls of which no stack was captured: builds with lazy positions have none of them.
function quiet(n, to, frames) {
  if (n === 0) for (;;) to.last = frames;
  return [quiet(n - 1, to, frames)].concat(n);
}

// later waits for ever where no stack was captured, and evil is of a script that eval made there.
async function later() { const first = await null; await (keep.never = new Promise(() => {})); return first; }
keep.later = later();
function evaluate() { return String(1) + eval('keep.evil = function evil() { quiet(0); }'); }
try { evaluate(); } catch { } // not allowed everywhere

// A module of WebAssembly, "shop", whose function outer calls inner, which calls what it imports.
const shop = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 109, 1, 102, 0, 0, 3, 3, 2, 0, 0, 7, 7, 1, 3,
  114, 117, 110, 0, 2, 10, 15, 2, 6, 0, 1, 16, 0, 1, 11, 6, 0, 1, 1, 16, 1, 11, 0, 29, 4, 110, 97, 109, 101, 0, 5, 4,
  115, 104, 111, 112, 1, 15, 2, 1, 5, 105, 110, 110, 101, 114, 2, 5, 111, 117, 116, 101, 114,
]);
function through(f) {
  let instance;
  if (globalThis.plain) return f(); // the page says so
  try { instance = new WebAssembly.Instance(new WebAssembly.Module(shop), { m: { f } }); } catch { return f(); } // not allowed everywhere
  return instance.exports.run();
}

function recurse(n, k) { return n === 0 ? k('bottom') : recurse(n - 1, k) + ''; }
class Shape {
  constructor(cb) { this.kind = 'shape'; this.result = cb(1); }
  static create(cb) { return new Shape(cb); }
  method(cb) { return Shape.create(cb); }
  get prop() { return this.method(this.cb); }
}
class Sub extends Shape { constructor(cb) { super((x) => x); this.cb = cb; } }
function* generate(cb) { const v = yield 1; yield cb(v); }
function hot(x, cb) { let a = 0; for (let i = 0; i < 3; i++) a += i; return cb(a + x); }
for (let i = 0; i < 200000; i++) hot(i, (x) => x);

async function inner() {
  await null;
  const s = new Sub(() => [7].map((e) => hot(e, function callback() {
    const g = generate(() => [3, 1].sort(() => 'abc'.replace(/b/, function replacer() {
      return JSON.stringify({ toJSON() { return through(() => recurse(3, spin)); } });
    })));
    g.next();
    return g.next(5);
  })));
  return s.prop;
}
async function outer() { return await inner(); }

// asked holds the request: its object of C++ is alive however often the heap is collected.
let asked;
export default { async fetch(request) { asked = request; await outer(); return new Response(asked.url); } };
if (globalThis.Deno || globalThis.Bare) await outer();
