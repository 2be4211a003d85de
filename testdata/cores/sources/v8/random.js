'use strict';
// random.js DIR SEED [quiet]: writes DIR/program.js (or .mjs), a chain of ten to forty calls, each of a
// kind that SEED chooses, and runs it; the innermost call dies. Parts of the chain are hot before,
// so that optimised code has them. A seed gives the same program in each release, but for what a
// release does not know. With quiet no stack is captured: the truth is that of another run.
const fs = require('fs');
const path = require('path');
const truth = require('./truth.js');

const [, , dir, seed, quiet] = process.argv;
let state = (Number(seed) * 2654435761) >>> 0;
function random(n) { // mulberry32
  let t = (state = (state + 0x6d2b79f5) >>> 0);
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) % n;
}
const pick = (list) => list[random(list.length)];
const coin = (n = 2) => random(n) === 0;

// What the innermost call runs.
const G = globalThis.G = { constant: 1, spoil: false };
G.leaf = function leaf(x) {
  if (G.spoil) G.constant++; // code that relies on it is thrown away
  if (!quiet) truth.write(dir, 'process.abort()', { mode: 'random', seed: Number(seed) });
  process.abort();
};
// A module of WebAssembly whose function run calls outer, that inner, that what it imports.
G.wasm = (f) => new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 109, 1, 102, 0, 0, 3, 3, 2, 0, 0, 7, 7, 1, 3,
  114, 117, 110, 0, 2, 10, 15, 2, 6, 0, 1, 16, 0, 1, 11, 6, 0, 1, 1, 16, 1, 11, 0, 29, 4, 110, 97, 109, 101, 0, 5, 4,
  115, 104, 111, 112, 1, 15, 2, 1, 5, 105, 110, 110, 101, 114, 2, 5, 111, 117, 116, 101, 114,
])), { m: { f } }).exports;

// Names.
const words = 'alpha beta gamma delta kappa lambda omega sigma über 名 $ _x get set of then call next value constructor toString name async'.split(' ');
let ids = 0;
const id = (start = '') => start + pick(['f', 'go', 'run', 'É', 'Make', '$', '_']) + ids++;
const key = () => pick(words);
const prop = () => pick([key(), `'${key()} ${key()}'`, `['${key()}']`, '[Symbol("s")]', '[Symbol()]', '7', '1.5', '[Symbol.for("reg")]', `get${ids++}`]);
const at = (k) => (/^\[/.test(k) ? k : /^['\d]/.test(k) ? `[${k}]` : `.${k}`);
const args = () => pick(['', '1', '1, "two"', '1, 2.5, {}', 'undefined', '...[1, 2]', '"a", ...[1], undefined']);
const params = () => pick(['', 'a', 'a, b', 'a, b = a, c', '...all', 'a, b, { c = 2 } = {}, [d] = [1]', 'a, b, c, d, e, f, g, h']);
const simple = () => pick(['', 'a', 'a, b', 'a, b, c']); // allowed beside 'use strict'
const receiver = () => pick(['null', 'undefined', '5', '"s"', 'true', 'Symbol.iterator', '{}', '[]', 'Object.create(null)', 'new Date(0)', 'new Map()',
  '() => 1', 'class Q {}', 'globalThis', '/x/', 'new (class Named {})()', 'new (class extends Array {})()', '{ constructor: 5 }', '{ constructor: { name: "Fake" } }',
  '{ [Symbol.toStringTag]: "Tagged" }', 'Object.create({ [Symbol.toStringTag]: "Above" })', '{ get [Symbol.toStringTag]() { return 1; } }', 'Object.create({ constructor: Map })', 'new Proxy({}, {})', 'new Proxy(class P {}, {})',
  'Math', 'JSON', 'Reflect', 'new Error("e")', 'Promise.resolve(1)', 'new Uint8Array(2)', '(function () { return arguments; })()', 'new Proxy([], {})', '10n', 'process', 'console', 'new (function () {})()', 'new (class {})()',
  'Object.create(new (class Inner {})())', 'Object.assign(() => 1, { a: 1 })', 'require("vm").runInNewContext("({})")', 'require("vm").runInNewContext("new (class Far {})()")',
  ...['{}', '[]', '() => 1', '(() => 1).bind()', 'new Map().keys()', '(function* () {})()', 'Object(1n)', 'Object("s")', 'new (class D {})()'].map((o) => `Object.setPrototypeOf(${o}, null)`),
  ...['Map', 'Date', 'Set', 'RegExp', 'Uint8Array', 'Array', 'ArrayBuffer', 'Error', 'WeakMap', 'Number'].map((C) => `${coin() ? 'Object.setPrototypeOf' : '((o) => o)'}(new (class Sub extends ${C} {})(), null)`),
  ...['Map', 'Function', 'Object', 'Promise', 'Array'].map((C) => `${C}.prototype`), 'Object.create(function F() {})', 'Object.create(Object.create(new Date(0), { constructor: { value: 5 } }))', '(() => { function A() {} A.prototype = { x: 1 }; return new A(); })()',
  '(() => { function A() {} A.prototype = new Date(); return new A(); })()', 'Object.assign(new (class IT extends Map {})(), { [Symbol.toStringTag]: "Own" })', 'Reflect.construct(Date, [], Map)', 'Reflect.construct(function A() {}, [], Array)', 'Object.create(new Proxy(new (class PX {})(), {}))',
  'function* gf() {}', 'async () => 1', 'async function af() {}', '(async function* ag() {})()', '[].values()', 'new Map().entries()', 'new Set().values()', '{ [Symbol.toStringTag]: "" }', 'Object.defineProperty(class CN {}, "name", { value: "Other" })', 'new (Object.defineProperty(class CN {}, "name", { value: "Other" }))()',
  'class { static name() {} }', 'new (class { static name() {} })()', 'require', 'require("module")', 'Buffer.alloc(1)', 'new URL("http://h/")', 'new (require("events"))()', 'new (require("stream").Readable)()']);
const paren = (e) => (/^\{|=>|^class|^\d/.test(e) ? `(${e})` : e);

// Around a call: nothing, or what else may be there.
const noise = () => pick(['', '', '', ' ', '\n', '\n    ', '/* é */', '\t', ' // 世界\n', '\n\n']);
function around(n) {
  n = noise() + n + noise();
  return pick([n, n, n, n, `(0, ${n})`, `[${n}][0]`, `(G.constant ? ${n} : 0)`, `(G.constant && ${n})`, `(G.none || ${n})`, `(() => ${n})()`, `({ v: ${n} }).v`, `(void 0, ${n})`]);
}
function body(n) {
  const e = around(n);
  return pick([
    () => `return (${e});`, () => `return (${e});`, () => `const r = (${e}); return r;`, () => `let r; try { r = (${e}); } finally { G.last = r; } return r;`,
    () => `try { return (${e}); } catch (e) { throw e; }`, () => `try { null.x; } catch (e) { return (${e}); }`, () => `try { throw 1; } catch { return (${e}); } finally { G.last = 1; }`,
    () => `try { G.last = 2; } finally { return (${e}); }`, () => `for (const x of [1]) return (${e});`, () => `for (let i = 0; i < 1; i++) { const f = () => i; return (${e}); }`,
    () => `switch (G.constant) { case 0: break; default: return (${e}); }`, () => `label: { if (!G.constant) break label; return (${e}); }`, () => `do { return (${e}); } while (G.constant);`,
    () => `if (G.constant) { const z = [1]; return (${e}, z[0], r()); } function r() { return ${n}; }`.replace('(' + e + ', z[0], r())', 'r()'),
    () => `for (const k in { one: 1 }) { return (${e}); }`, () => `{ let a1 = 1; { const a2 = () => a1; return (${e}); } }`, () => `return ((${e}));`, () => `const { v = (${e}) } = {}; return v;`,
    () => `const [v = (${e})] = []; return v;`, () => `return \`\${(${e}) ? 1 : 0}\`.length;`,
  ])();
}
const prim = (n) => `(${around(n)} ? 1 : 0)`;
const fn = (n, p = params()) => pick([() => `(${p}) => { ${body(n)} }`, () => `(${p}) => (${around(n)})`, () => `function (${p}) { ${body(n)} }`, () => `function ${id()}(${p}) { ${body(n)} }`])();

const twice = (n) => `if (this.i++) return { done: true }; return { done: false, value: (${around(n)}) };`;

// The kinds of calls: each gives what it defines, and the expression that calls it.
const kinds = {
  decl: (n) => { const f = id(); return [`function ${f}(${params()}) { ${body(n)} }`, `${f}(${args()})`]; },
  arrow: (n) => { const f = id(); return [`const ${f} = (${params()}) => { ${body(n)} };`, `${f}(${args()})`]; },
  short: (n) => { const f = id(); return [`const ${f} = (${params()}) => (${around(n)});`, `${f}(${args()})`]; },
  strictFunction: (n) => { const f = id(); return [`function ${f}(${simple()}) { 'use strict'; ${body(n)} }`, `${f}.call(${paren(receiver())})`]; },
  anonymous: (n) => ['', `(function (${params()}) { ${body(n)} })(${args()})`],
  property: (n) => { const o = id(), p = prop().replace(/^\[Symbol\("s"\)\]|^\[Symbol\(\)\]/, '[Symbol.search]'); return [`const ${o} = {}; ${o}${at(p)} = ${fn(n)};`, `${o}${at(p)}(${args()})`]; },
  deepProperty: (n) => { const o = id(); return [`const ${o} = { a: { b: {} } }; ${o}.a.b.${key()}_ = 1; ${o}.a.b.c = ${fn(n)};`, `${o}.a.b.c(${args()})`]; },
  method: (n) => { const o = id(), p = prop(), s = id(); return [`const ${s} = ${/Symbol\(/.test(p) ? p.slice(1, -1) : 1}; const ${o} = { ${/Symbol\(/.test(p) ? `[${s}]` : p}(${params()}) { ${body(n)} } };`, `${o}${/Symbol\(/.test(p) ? `[${s}]` : at(p)}(${args()})`]; },
  renamed: (n) => { const o = id(); return [`const ${o} = { was() { ${body(n)} } }; ${o}.is = ${o}.was; delete ${o}.was;`, `${o}.is(${args()})`]; },
  alias: (n) => { const o = id(); return [`function ${o}_() { ${body(n)} } const ${o} = { one: ${o}_, two: ${o}_ };`, `${o}.two(${args()})`]; },
  named: (n) => { const f = id(); return [`const ${f} = ${fn(n)}; Object.defineProperty(${f}, 'name', { value: ${pick(["'other name'", "''", '5', "'a.b'", 'undefined'])} });`, `${f}(${args()})`]; },
  display: (n) => { const f = id(); return [`const ${f} = ${fn(n)}; ${pick([`${f}.displayName = 'shown';`, `Object.setPrototypeOf(${f}, Object.assign(() => 1, { displayName: 'above' }));`, `delete ${f}.name;`, `delete ${f}.name; Object.setPrototypeOf(${f}, Object.defineProperty(() => 1, 'name', { value: 'inherited' }));`, `Object.defineProperty(${f}, 'name', { get: () => 'got' });`])}`, `${f}(${args()})`]; },
  recursive: (n) => { const f = id(); return [`function ${f}(i, b) { if (i > 0) return ${f}(i - 1, b); ${body(n)} }`, `${f}(${random(5) + 1})`]; },
  mutual: (n) => { const f = id(); return [`function ${f}a(i) { return ${f}b(i); } const ${f}b = (i) => { if (i-- > 0) { return ${f}a(i); } ${body(n)} };`, `${f}a(${random(3) + 1})`]; },
  many: (n) => { const f = id(); return [`function ${f}(${Array.from({ length: 40 }, (_, i) => 'p' + i)}) { ${body(n)} }`, `${f}(${Array.from({ length: pick([0, 3, 40, 70]) }, (_, i) => i)})`]; },
  usesArguments: (n) => { const f = id(); return [`function ${f}(a, b) { ${pick(['arguments[0];', 'G.last = arguments;', 'G.last = arguments.length;'])} ${body(n)} }`, `${f}(${args()})`]; },
  defaults: (n) => { const f = id(); return [`function ${f}(a, b = ${around(n)}) { return b; }`, `${f}(${pick(['', '1', '1, undefined'])})`]; },
  pattern: (n) => { const f = id(); return [`const ${f} = ({ a = ${around(n)}, ...more } = {}, ...rest) => a;`, `${f}({ c: 1 }, 2)`]; },
  closure: (n) => { const f = id(); return [`const ${f} = []; for (let i = 0; i < 3; i++) ${f}.push(${fn(n)});`, `${f}[2](${args()})`]; },
  currying: (n) => { const f = id(); return [`const ${f} = (a) => (b) => (c) => { ${body(n)} };`, `${f}(1)(2)(3)`]; },
  receiver: (n) => { const f = id(); return [`const ${f} = ${fn(n)}, ${f}r = ${receiver()};`, `${f}.call(${f}r, ${args()})`]; },
  apply: (n) => { const f = id(); return [`const ${f} = ${fn(n)}, ${f}r = ${receiver()};`, `${f}.apply(${f}r, ${pick(['[1, 2]', 'null', '{ length: 2 }', 'new Uint8Array(3)'])})`]; },
  reflectApply: (n) => { const f = id(); return [`const ${f} = ${fn(n)}, ${f}r = ${receiver()};`, `Reflect.apply(${f}, ${f}r, [1])`]; },
  callCall: (n) => { const f = id(); return [`const ${f} = ${fn(n)};`, `Function.prototype.call.call(${f}, ${receiver()}, 1)`]; },
  bound: (n) => { const f = id(); return [`const ${f} = (${fn(n)}).bind(${receiver()}, 1);`, `${f}(${args()})`]; },
  twiceBound: (n) => { const f = id(); return [`const ${f} = (${fn(n)}).bind(null).bind({}, 1, 2);`, pick([`${f}(${args()})`, `${f}.apply(1, [1])`, `[1].map(${f})[0]`])]; },
  onReceiver: (n) => { const o = id(); return [`const ${o} = ${receiver().replace(/^(null|undefined)$/, '{}')}; if (Object(${o}) === ${o}) ${o}.${o}m = ${fn(n)}; else Object.getPrototypeOf(${o}).${o}m = ${fn(n)};`, `${o}.${o}m(${args()})`]; },
  onPrototype: (n) => { const o = id(); return [`Object.defineProperty(${pick(['Object', 'Array', 'Number', 'String', 'Function'])}.prototype, '${o}m', { value: ${fn(n)}, configurable: true });`, `(${pick(['[1]', '(() => 1)', '"s"', '5', '{}', 'class Z {}'])}).${o}m && ${pick(['5', '"s"', '[1]', '(() => 1)', '({})'].map((x) => `(${x})`))}?.${o}m?.(1)`.replace(/\?\./g, '.')]; },
  getter: (n) => { const o = id(), p = prop(), s = id(); return [`const ${s} = ${/^\[/.test(p) ? p.slice(1, -1) : JSON.stringify(p.replace(/'/g, ''))}; const ${o} = { get [${s}]() { ${body(n)} } };`, `${o}[${s}]`]; },
  plainGetter: (n) => { const o = id(), p = key(); return [`const ${o} = { get ${p}() { ${body(n)} } };`, pick([`${o}.${p}`, `Reflect.get(${o}, '${p}')`, `Object.create(${o}).${p}`, `({ ...${o} }).${p}`, `Object.assign({}, ${o}).${p}`, `Object.values(${o})[0]`, `Object.entries(${o})[0][1]`, `(({ ${p}: v }) => v)(${o})`, `Reflect.get(${o}, '${p}', [])`])]; },
  setter: (n) => { const o = id(), p = key(); return [`const ${o} = { set ${p}(v) { G.last = (${around(n)}); } };`, pick([`(${o}.${p} = 1, G.last)`, `(Reflect.set(${o}, '${p}', 1), G.last)`, `(Object.assign(${o}, { ${p}: 1 }), G.last)`, `([${o}.${p}] = [1], G.last)`, `(Object.create(${o}).${p} = 2, G.last)`])]; },
  defined: (n) => { const o = id(); return [`const ${o} = Object.defineProperty(${paren(receiver().replace(/^(null|undefined|5|"s"|true|10n|Symbol.iterator)$/, '{}'))}, '${o}p', { get: ${fn(n, '')} });`, `${o}.${o}p`]; },
  __proto__get: (n) => { const o = id(); return [`const ${o} = {}; ${o}.__defineGetter__('late', ${fn(n, '')});`, `${o}.late`]; },
  klass: (n) => { const C = id('C'), p = key(); return [`class ${C} { ${p === 'constructor' ? 'other' : p}(${params()}) { ${body(n)} } }`, `new ${C}().${p === 'constructor' ? 'other' : p}(${args()})`]; },
  klassGet: (n) => { const C = id('C'); return [`class ${C} { get p() { ${body(n)} } set p(v) { } }`, `new ${C}().p`]; },
  statics: (n) => { const C = id('C'); const p = pick(['s', 'name', 'of', '["a b"]']); return [`class ${C} { static ${p}(${params()}) { ${body(n)} } }`, `${C}${at(p)}(${args()})`]; },
  staticGet: (n) => { const C = id('C'); return [`class ${C} { static get g() { ${body(n)} } }`, `${C}.g`]; },
  inherited: (n) => { const C = id('C'); return [`class ${C} { m() { ${body(n)} } } class ${C}D extends ${C} { m(${params()}) { return super.m(1); } } class ${C}E extends ${C}D {}`, `new ${C}E().m(${args()})`]; },
  superGet: (n) => { const C = id('C'); return [`class ${C} { get g() { ${body(n)} } static s() { return this.t(); } static t() { return new this().g; } } class ${C}D extends ${C} { get g() { return super.g; } static s() { return super.s(); } }`, `${C}D.s()`]; },
  anonymousClass: (n) => { const C = id('C'); return [`const ${C} = ${pick(['class { m() { BODY } }', '(() => class { m() { BODY } })()', '[class { m() { BODY } }][0]', 'class Inside { m() { BODY } }']).replace('BODY', () => body(n))};`, `new ${C}().m(${args()})`]; },
  construct: (n) => { const C = id('C'); return [`class ${C} { constructor(${params()}) { this.v = (${around(n)}); } }`, `new ${C}(${args()}).v`]; },
  oldConstruct: (n) => { const C = id('C'); return [`function ${C}(${params()}) { this.v = (${around(n)}); ${pick(['', 'if (new.target) this.w = 1;', 'return this;'])} }`, pick([`new ${C}(${args()}).v`, `Reflect.construct(${C}, [1]).v`, `Reflect.construct(${C}, [], Array).v`, `new (${C}.bind(null, 1))(2).v`, `new ${C}().v`, `${C}.call({}, 1)`])]; },
  propertyConstruct: (n) => { const o = id(); return [`const ${o} = { N: ${pick(['class', 'function'])} }; ${o}.N = function (${params()}) { this.v = (${around(n)}); };`.replace(/\{ N: .*? \}/, '{}'), `new ${o}.N(${args()}).v`]; },
  derived: (n) => { const C = id('C'); return [`class ${C} { constructor(a) { this.v = (${around(n)}); } } class ${C}D extends ${C} { ${pick(['', 'constructor(...a) { super(...a); this.d = 1; }', 'constructor(a) { super(a); }', 'constructor() { const f = () => super(1); f(); }', 'constructor() { try { super(2); } finally { G.last = 3; } }'])} } class ${C}E extends ${C}D {}`, pick([`new ${C}E(${args()}).v`, `Reflect.construct(${C}E, [1, 2], ${C}).v`, `Reflect.construct(${C}D, [], class extends ${C}E {}).v`])]; },
  derivedBuiltin: (n) => { const C = id('C'), B = pick(['Array', 'Map', 'Promise', 'Error', 'Object', 'Function', 'Uint8Array', 'Date', 'RegExp', 'String']); return [`class ${C} extends ${B} { constructor() { super(${B === 'Promise' ? '() => {}' : ''}); Object.defineProperty(this, 'z', { value: (${around(n)}) }); } }`, `new ${C}().z`]; },
  newTargetGetter: (n) => { const C = id('C'); return [`class ${C} { constructor() { this.v = 1; } } function ${C}T() {} const ${C}B = ${C}T.bind(); Object.defineProperty(${C}B, 'prototype', { get: ${fn(n.includes('await') ? '1' : n, '')} });`, `Reflect.construct(${C}, [], ${C}B)`]; },
  heritage: (n) => { const f = id(); return [`const ${f} = () => { class H extends (${around(n)}, Object) {} return H ? 1 : 0; };`, `${f}()`]; },
  computedKeys: (n) => { const f = id(); return [`const ${f} = () => { const o = { [${prim(n)}]: 1, b: 2 }; return o.b; };`, `${f}()`]; },
  computedClass: (n) => { const f = id(); return [`const ${f} = () => { class H { [${prim(n)}]() {} static [G.constant]() {} } return H ? 1 : 0; };`, `${f}()`]; },
  fields: (n) => { const C = id('C'); return [`class ${C} { a = 1; b = (${around(n)}); ['c'] = 2; }`, `new ${C}().b`]; },
  fieldsDerived: (n) => { const C = id('C'); return [`class ${C} { constructor() { this.z = 1; } } class ${C}D extends ${C} { b = (${around(n)}); }`, `new ${C}D().b`]; },
  fieldArrow: (n) => { const C = id('C'); return [`class ${C} { go = ${fn(n)}; }`, `new ${C}().go(${args()})`]; },
  staticField: (n) => { const f = id(); return [`const ${f} = () => { class S { static v = (${around(n)}); } return S.v; };`, `${f}()`]; },
  staticBlock: (n) => { const f = id(); return [`const ${f} = () => { let v; class S { static { v = (${around(n)}); } } return v; };`, `${f}()`]; },
  privateField: (n) => { const C = id('C'); return [`class ${C} { #p = ${fn(n)}; go() { return this.#p(${args()}); } }`, `new ${C}().go()`]; },
  privateMethod: (n) => { const C = id('C'); return [`class ${C} { #p(${params()}) { ${body(n)} } get #q() { return this.#p(1); } static #s(o) { return o.#q; } static go() { return ${C}.#s(new ${C}()); } }`, `${C}.go()`]; },
  optional: (n) => { const o = id(); return [`const ${o} = { m() { ${body(n)} } };`, pick([`${o}?.m?.(${args()})`, `${o}.m?.(1)`, `(${o}.n ?? ${o}.m)(2)`])]; },
  proxyGet: (n) => { const o = id(); return [`const ${o} = new Proxy(${pick(['{}', '[]', 'class P {}', '() => 1'])}, { get(t, k, r) { ${body(n)} } });`, pick([`${o}.any`, `${o}[Symbol.iterator]`, `Reflect.get(${o}, 5)`, `Object.create(${o}).some`, `(({ q }) => q)(${o})`])]; },
  proxySet: (n) => { const o = id(); return [`const ${o} = new Proxy({}, { set(t, k, v) { G.last = (${around(n)}); return true; } });`, pick([`(${o}.any = 1, G.last)`, `(Reflect.set(${o}, 5, 1), G.last)`, `(${o}[0] = 1, G.last)`, `(Object.create(${o}).q = 1, G.last)`])]; },
  proxyApply: (n) => { const o = id(); return [`const ${o} = new Proxy(function target() {}, { apply(t, self, list) { ${body(n)} } });`, pick([`${o}(${args()})`, `${o}.call({}, 1)`, `[1].map(${o})[0]`, `Reflect.apply(${o}, null, [1])`, `({ ${o} }).${o}(1)`, `${o}.bind(1)(2)`])]; },
  proxyNoApply: (n) => { const o = id(); return [`const ${o} = new Proxy(${fn(n)}, ${pick(['{}', '{ get: Reflect.get }'])});`, pick([`${o}(${args()})`, `[1].forEach(${o})`, `Reflect.apply(${o}, {}, [1])`])]; },
  proxyConstruct: (n) => { const o = id(); return [`const ${o} = new Proxy(class Target {}, { construct(t, list, nt) { return { v: (${around(n)}) }; } });`, pick([`new ${o}(${args()}).v`, `Reflect.construct(${o}, [1]).v`, `new (class extends ${o} {})().v`])]; },
  proxyNoConstruct: (n) => { const o = id(); return [`const ${o} = new Proxy(class Target { constructor() { this.v = (${around(n)}); } }, {});`, pick([`new ${o}(${args()}).v`, `Reflect.construct(${o}, [1]).v`, `new (class Sub extends ${o} {})().v`])]; },
  proxyOther: (n) => { const o = id(); const [trap, use] = pick([['has(t, k)', `'x' in OO`], ['deleteProperty(t, k)', `delete OO.x`], ['ownKeys(t)', 'Object.keys(OO)'], ['getPrototypeOf(t)', 'Object.getPrototypeOf(OO)'], ['getPrototypeOf(t)', 'OO instanceof Object'],
    ['isExtensible(t)', 'Object.isExtensible(OO)'], ['getOwnPropertyDescriptor(t, k)', 'Object.getOwnPropertyDescriptor(OO, "x")'], ['defineProperty(t, k, d)', 'Reflect.defineProperty(OO, "x", { value: 1 })'], ['ownKeys(t)', '({ ...OO })'], ['ownKeys(t)', '(() => { for (const k in OO) return k; })()'],
    ['has(t, k)', 'Reflect.has(OO, "y")'], ['setPrototypeOf(t, p)', 'Reflect.setPrototypeOf(OO, null)'], ['preventExtensions(t)', 'Reflect.preventExtensions(OO)'], ['has(t, k)', '("z" in Object.create(OO))'], ['getOwnPropertyDescriptor(t, k)', 'OO.hasOwnProperty("z")']]);
    const of = trap.split('(')[0], r = { ownKeys: '[]', getPrototypeOf: 'null', getOwnPropertyDescriptor: 'undefined', isExtensible: 'true', preventExtensions: 'false' }[of] || 'true';
    return [`const ${o} = new Proxy({}, { ${trap} { G.last = (${around(n)}); return ${r}; } });`, `(${use.replace(/OO/g, o)}, G.last)`]; },
  revoked: (n) => { const o = id(); return [`const ${o} = Proxy.revocable({}, new Proxy({}, { get(t, k) { return k === 'get' ? ${fn(n)} : undefined; } })).proxy;`, `${o}.x`]; },
  arrays: (n) => { const f = id(); const m = pick(['map', 'forEach', 'filter', 'find', 'findIndex', 'some', 'every', 'flatMap', 'reduce', 'reduceRight']); return [`const ${f} = () => { let r; ${pick(['[1, 2]', '[1.5, 2]', '["a", {}]', '[, 1, 2]', 'new Uint8Array(2)', 'new Float64Array(3)', '[[1], [2]]', 'Object.freeze([1, 2])'].map((a) => (m === 'flatMap' && a.startsWith('new') ? '[1, 2]' : a)))}.${m}(${pick([`function (a, b) { r = (${around(n)}); return r; }`, `(a) => (r = (${around(n)}))`, `function cb(${simple()}) { r = (${around(n)}); }`])}${m.startsWith('reduce') ? ', 0' : ''}); return r; };`, `${f}()`]; },
  arrayDirect: (n) => ['', `[1, 2].${pick(['map', 'flatMap', 'filter'])}(${fn(n)})[0]`],
  arrayGeneric: (n) => ['', `Array.prototype.${pick(['map', 'forEach', 'some', 'find', 'filter'])}.call(${pick(['"ab"', '{ length: 2, 0: 1, 1: 2 }', 'new Proxy([1, 2], {})'])}, ${fn(n)}${pick(['', ', 5', ', {}'])})`],
  newerArrays: (n) => ['', `[1, 2].${pick(['findLast', 'findLastIndex', 'toSorted'])}(${fn(n)})`],
  sort: (n) => ['', `${pick(['[3, 1, 2]', '["b", "a"]', 'new Uint8Array([3, 1])', 'new Float64Array([2, 1])', '[{}, {}, {}]'])}.sort(function ${pick(['', 'compare'])}(a, b) { return ${prim(n)}; })[0]`],
  arrayFrom: (n) => ['', `${pick(['Array', 'Uint8Array', 'Array'])}.from(${pick(['[1, 2]', '{ length: 2 }', 'new Set([1])', '"ab"'])}, (v, i) => ${prim(n)})[0]`],
  arrayFromClass: (n) => { const C = id('C'); return [`class ${C} { constructor() { this.v = (${around(n)}); } }`, `Array.${pick(['from', 'of'])}.call(${C}, [1]).v`]; },
  species: (n) => { const C = id('C'); return [`class ${C} extends Array { static get [Symbol.species]() { return function Spec() { G.last = (${around(n)}); return []; }; } }`, `(new ${C}(1, 2, 3).${pick(['map((x) => x)', 'slice(1)', 'filter(() => true)', 'concat([1])', 'splice(0, 1)'])}, G.last)`]; },
  lengthOf: (n) => ['', `Array.prototype.${pick(['map.call(OO, () => 1)', 'join.call(OO)', 'slice.call(OO)', 'push.call(OO)', 'indexOf.call(OO, 1)', 'fill.call(OO)'])}[0]`.replace('OO', () => `{ get length() { G.last = (${around(n)}); return 0; } }`)],
  mapForEach: (n) => ['', `new ${pick(['Map([[1, 2]])', 'Set([1])'])}.forEach(${fn(n)}${pick(['', ', [1]'])})`],
  collect: (n) => { const o = id(); return [`const ${o} = { [Symbol.iterator]() { return { next: () => ({ done: true, value: (${around(n)}) }) }; } };`, pick([`new Map(${o})`, `new Set(${o}).size`, `Array.from(${o})`, `[...${o}]`, `Math.max(...${o})`, `Object.fromEntries(${o})`, `((a, ...b) => 1)(...${o})`, `(([a]) => a)(${o})`, `new Uint8Array(${o})[0]`, `new WeakSet(${o})`, `Promise.all(${o})`, `(() => { for (const x of ${o}) return x; })()`])]; },
  adder: (n) => { const C = id('C'); return [`class ${C} extends Map { set(k, v) { G.last = (${around(n)}); return this; } }`, `(new ${C}([[1, 2]]), G.last)`]; },
  iterator: (n) => { const C = id('C'); return [`class ${C} { constructor() { this.i = 0; } [Symbol.iterator]() { ${pick(['return this;', 'return this;', `G.last = (${around(n)}); return this;`])} } next() { ${twice(n)} } return() { return {}; } }`, pick([`[...new ${C}()][0]`, `Array.from(new ${C}())[0]`, `(([a, b]) => a)(new ${C}())`, `(() => { let r; for (r of new ${C}()) ; return r; })()`, `Math.max(...new ${C}())`])]; },
  iteratorReturn: (n) => { const f = id(); return [`const ${f} = () => { const it = { [Symbol.iterator]() { return this; }, next() { return { done: false }; }, return() { G.last = (${around(n)}); return {}; } }; ${pick(['for (const x of it) break;', 'const [a] = it;', 'for (const x of it) { try { return 1; } finally { G.last = 1; } }'])} return G.last; };`, `${f}()`]; },
  generator: (n) => { const f = id(); return [`function* ${f}(${params()}) { ${pick(['', 'yield 1;', 'const z = yield 1;', 'try { yield 1; } finally { G.last = 1; }'])} yield (${around(n)}); }`, pick([`[...${f}(${args()})].pop()`, `(() => { const g = ${f}(); g.next(); return g.next().value; })()`, `(() => { let r; for (r of ${f}(1)) ; return r; })()`, `Array.from(${f}())[0]`])]; },
  generatorDelegate: (n) => { const f = id(); return [`const ${f} = { *in() { yield (${around(n)}); }, *out() { ${pick(['yield* this.in();', 'yield* [1]; yield* this.in();', 'yield* { [Symbol.iterator]: () => this.in() };'])} } };`, `[...${f}.out()].pop()`]; },
  generatorReturn: (n) => { const f = id(); return [`function* ${f}() { try { yield 1; } finally { G.last = (${around(n)}); } } `, pick([`(() => { for (const x of ${f}()) break; return G.last; })()`, `(() => { const g = ${f}(); g.next(); g.return(5); return G.last; })()`, `(() => { const g = ${f}(); g.next(); try { g.throw(5); } catch (e) {} return G.last; })()`])]; },
  iteratorHelper: (n) => ['', `[1, 2].values().${pick(['map', 'filter', 'flatMap'])}(${fn(n).replace(/^function (\w*)/, 'function $1')}).next().value`.replace('flatMap', 'map')],
  groupBy: (n) => ['', `${pick(['Object', 'Map'])}.groupBy([1, 2], ${fn(n).replace(/xx/, '')})`],
  setMethods: (n) => ['', `new Set([1, 2, 3]).${pick(['intersection', 'isSubsetOf', 'isDisjointFrom', 'difference'])}({ size: 9, has: (x) => (${around(n)}), keys() { return [].values(); } })`],
  reviver: (n) => ['', `JSON.parse('{"a": [1, {"b": 2}]}', ${fn(n)})`],
  toJSON: (n) => { const o = id(); return [`const ${o} = ${pick(['{ toJSON() { BODY } }', '{ a: { toJSON(k) { BODY } } }', '[{ toJSON: (k) => { BODY } }]', 'new (class J { toJSON() { BODY } })()', 'Object.assign(new Date(0), { toISOString() { BODY } })', '{ get a() { BODY } }']).replace('BODY', () => body(n))};`, `JSON.stringify(${o})`]; },
  replacer: (n) => ['', `JSON.stringify({ a: 1 }, ${fn(n)})`],
  stringReplace: (n) => ['', `${pick(['"abc".replace("b", CB)', '"abc".replace(/b/, CB)', '"abab".replace(/b/g, CB)', '"abc".replace(/(?<q>b)/u, CB)', '"abc".replace(/b/y, CB) + "abc".replace(/(a)(b)/g, CB)', '/b/[Symbol.replace]("abc", CB)']).replace(/CB/g, () => `(${simple()}) => ${prim(n)}`)}.length`],
  regexpExec: (n) => { const o = id(); return [`const ${o} = /b/; ${o}.exec = function (s) { G.last = (${around(n)}); return null; };`, pick([`(${o}.test("abc"), G.last)`, `("abc".match(${o}), G.last)`, `("abc".replace(${o}, ""), G.last)`, `("abc".search(${o}), G.last)`])]; },
  wellKnown: (n) => ['', pick(['"a".replace({ [Symbol.replace]() { BODY } }, "")', '"a".split({ [Symbol.split]() { BODY } })', '"a".match({ [Symbol.match](s) { BODY } })', '"a".search({ [Symbol.search](s) { BODY } })', '({}) instanceof { [Symbol.hasInstance](v) { BODY } }', '[].concat({ get [Symbol.isConcatSpreadable]() { BODY } })', '`${{ get [Symbol.toPrimitive]() { G.last = (NEXT); return () => 1; } }}`', 'Object.prototype.toString.call({ get [Symbol.toStringTag]() { BODY } })']).replace('BODY', () => body(n)).replace('NEXT', () => around(n))],
  conversion: (n) => { const o = id(); return [`const ${o} = ${pick([`{ valueOf() { return ${prim(n)}; } }`, `{ toString() { return ${prim(n)}; } }`, `{ [Symbol.toPrimitive](hint) { return ${prim(n)}; } }`, `new (class V { valueOf() { return ${prim(n)}; } })()`, `{ toString: () => ${prim(n)}, valueOf: undefined }`, `Object.assign(() => 1, { valueOf: () => ${prim(n)}, toString: () => ${prim(n)} })`, `Object.assign(Object.create(null), { valueOf: () => ${prim(n)}, toString: null })`, `Object.assign([1], { toString() { return ${prim(n)}; }, valueOf: 1 })`])};`,
    pick(['1 + OO', 'OO * 2', '-OO', '+OO', 'OO < 5', 'OO == 1', 'OO | 1', 'OO >>> 0', '2 ** OO', '`a${OO}`.length', '"s".concat(OO).length', 'String(OO).length', 'Number(OO)', 'Math.max(OO, 1)', '[1, 2][OO]', '({ 1: 2 })[OO]', 'parseInt(OO)', '"abc".charCodeAt(OO)', 'isNaN(OO)', 'new Date(OO).getTime()', '[OO] + ""', '[OO, 1].join().length', 'Symbol(OO) ? 1 : 0', 'new Array(3).fill(0, OO).length', '"a".repeat(OO).length', 'OO % 3', 'OO - 1', 'OO >= 1', '~OO', '(OO in {})', 'Math.pow(OO, 2)', 'new Uint8Array([OO])[0]', '[3].indexOf(3, OO)', 'BigInt.asUintN(OO, 5n)', 'Number.prototype.toFixed.call(5, OO)', 'Object.is(+OO, 1)', 'encodeURIComponent(OO)', '(G.last = OO, G.last++)', 'parseFloat(OO)', 'String.fromCharCode(OO).length', '"x".padEnd(OO).length', 'Array(OO + 1).length', '[1].includes(1, OO)', 'new RegExp(OO).source', '[[1]].flat(OO)', 'Math.hypot(OO)', 'Math.imul(OO, 3)', 'Math.floor(OO)', 'Math.abs(OO)']).replace(/OO/g, o)]; },
  dateToJSON: (n) => ['', `Date.prototype.toJSON.call({ toISOString() { ${body(n)} } })`],
  tagged: (n) => { const f = id(); return [`function ${f}(parts, ...values) { ${body(n)} } const ${f}o = { tag: ${f} };`, `${pick([f, f + 'o.tag'])}\`a\${1}b\${2}\``]; },
  template: (n) => { const f = id(); return [`const ${f} = (a) => \`x\${${around(n)} ? 1 : 2}y\`.length;`, `${f}(1)`]; },
  directEval: (n) => { const f = id(), t = `${around(n)}`; return [`function ${f}(a) { ${pick(['', 'var q = 1; '])}return eval(${JSON.stringify(pick([t, `(() => (${t}))()`, `(function inEval(b) { return (${t}); })(1)`, `\n\n(${t})`]))}); }`, `${f}(1)`]; },
  sourceURL: (n) => { const f = id(); return [`function ${f}(a) { return eval(${JSON.stringify(`(function named() { return (${around(n)}\n); })() //# sourceURL=named${ids}.js`)}); }`, `${f}(1)`]; },
  nestedEval: (n) => { const f = id(); return [`function ${f}(a) { return eval('eval(' + ${JSON.stringify(JSON.stringify(around(n)))} + ')'); }`, `${f}(1)`]; },
  indirectEval: (n) => { const f = id(); return [`const ${f} = (0, eval)(${JSON.stringify(pick(['(function (f) { return f(1); })', '(f) => f(1)', '({ m(f) { return f(); } }).m', 'class K { static s(f) { return f(); } } K.s']))});`, `${f}(${fn(n)})`]; },
  newFunction: (n) => { const f = id(); return [`const ${f} = ${pick(['new Function', 'Function'])}('f', 'a', ${JSON.stringify(pick(['return f(a)', 'return (() => f(a))()', '\n\n  return f.call(a)', '"use strict"; return f(1)//', 'return [f].map((g) => g(1))[0]']))});`, `${f}(${fn(n)}, 1)`]; },
  generatorFunction: (n) => { const f = id(); return [`const ${f} = Object.getPrototypeOf(function* () {}).constructor('f', 'yield f(1)');`, `[...${f}(${fn(n)})][0]`]; },
  runInThis: (n) => { const f = id(); return [`const ${f} = require('vm').runInThisContext(${JSON.stringify(pick(['(function (f) { return f(1); })', '\n(f) => {\n return f(1) }', 'G.nothing = 1; ({ go: (f) => f() }).go']))}${pick(['', ', "inthis.js"', ', { filename: "in this.js", lineOffset: 10, columnOffset: 5 }', ', { lineOffset: -1 }', ', { filename: "" }'])});`, `${f}(${fn(n)})`]; },
  runInNew: (n) => { const f = id(); return [`const ${f} = require('vm').runInNewContext(${JSON.stringify(pick(['(f) => f(1)', '(function far(f) { return f.call(this) })', 'new (class Far { go(f) { return [1].map(() => f(1))[0]; } })().go.bind(5)', '(f) => Array.from([1], f)[0]', '(f) => { class L { constructor() { this.v = f(1); } } return new L().v }']))}, ${pick(['{}', '{ console }', 'Object.create(null)'])});`, `${f}(${fn(n)})`]; },
  runScript: (n) => { const f = id(); return [`globalThis.${f} = ${fn(n)}; const ${f}s = new (require('vm').Script)('G.before = 1;\\n globalThis.${f}(1)', { filename: '${f}.vm' });`, `${f}s.runInThisContext()`]; },
  compileFunction: (n) => { const f = id(); return [`const ${f} = require('vm').compileFunction('return f(a)', ['f', 'a']${pick(['', ', { filename: "compiled.js", lineOffset: 3 }'])});`, `${f}(${fn(n)}, 1)`]; },
  with: (n) => { const f = id(); return [`function ${f}(o) { with (o) { ${pick([`return (${around(n)});`, 'return m(1);'])} } }`, `${f}({ m() { ${body(n)} } })`]; },
  withPropertyCall: (n) => { const f = id(); return [`const ${f} = { deep: { m: ${fn(n)} } }; function ${f}w() { with (${f}.deep) return m(1, 2); }`, `${f}w()`]; },
  emitter: (n) => { const e = id(); return [`const ${e} = new (require('events'))(); ${e}.${pick(['on', 'once', 'prependListener'])}('tick', ${fn(n)});`, `${e}.emit('tick', ${args() || 1})`]; },
  emitterClass: (n) => { const e = id('C'); return [`class ${e} extends require('events') { constructor() { super(); this.on('x', this.onX); this.on('x', () => {}); } onX() { ${body(n)} } }`, `new ${e}().emit('x')`]; },
  eventTarget: (n) => { const e = id(); return [`const ${e} = new EventTarget(); ${e}.addEventListener('tick', ${pick([fn(n), `{ handleEvent() { ${body(n)} } }`])});`, `${e}.dispatchEvent(new Event('tick'))`]; },
  inspectCustom: (n) => { const o = id(); return [`const ${o} = { [require('util').inspect.custom](d, o) { return 'x' + ${prim(n)}; } };`, `require('util').${pick(['inspect', 'format'])}(${o}).length`]; },
  promiseExecutor: (n) => { const f = id(); return [`const ${f} = () => { let r; new Promise(${pick(['(resolve) =>', 'function executor(a, b)'])} { r = (${around(n)}); }); return r; };`, `${f}()`]; },
  wasm: (n) => { const f = id(); return [`let ${f}v; const ${f} = G.wasm(() => { ${f}v = (${around(n)}); });`, `(${f}.run(), ${f}v)`]; },
  sortedBy: (n) => ['', `[[2], [1]].map(([k]) => ({ k })).sort(({ k: a }, { k: b }) => a - b + ${prim(n)} * 0)[0]`],
  reflectGet: (n) => ['', `Reflect.get({ get v() { ${body(n)} } }, 'v', ${pick(['5', 'null', '[]', 'class R {}'])})`],
  chained: (n) => { const o = id(); return [`const ${o} = { a() { return this; }, b(f) { return f(this); } };`, `${o}\n    .a()\n  .a(1)${noise()}.b(${fn(n)})`]; },
  comma: (n) => { const f = id(); return [`const ${f} = { m() { ${body(n)} } };`, pick([`(0, ${f}.m)(1)`, `(1, 2, ${f}).m(1)`, `${f}['m'](2)`, `${f}['' + 'm'](2)`, `(${f}.m || 0)(3)`, `(${f}.m)(4)`])]; },
  osr: (n) => { const f = id(); return [`let ${f}c = 0; const ${f}n = (i) => (++${f}c < 30000 ? i : ${around(n)}); function ${f}() { let r = 0; for (let i = 0; i < 30000; i++) { r = ${f}n(i); } return r; }`, `${f}()`]; },
  errorPrepare: (n) => ['', pick([`Object.prototype.toString.call({ get [Symbol.toStringTag]() { ${body(n)} } })`, `Object.defineProperties({}, { get x() { G.last = (${around(n)}); return {}; } })`, `Object.create({}, { a: { get value() { ${body(n)} } } }).a`, `Object.defineProperty({}, { toString() { return 'k' + ${prim(n)}; } }, {})`, `new Date({ valueOf: () => ${prim(n)} }).getTime()`, `new Error({ toString: () => 'e' + ${prim(n)} }).message`, `Object.groupBy ? 1 : 0, ${around(n)}`])],
  toLocale: (n) => ['', `[{ toLocaleString() { return 'a' + ${prim(n)}; } }].toLocaleString().length`],
  structured: (n) => ['', `structuredClone({ get a() { ${body(prim(n))} } }).a`],
  using: (n) => { const f = id(); return [`function ${f}() { { using u = { [Symbol.dispose]() { G.last = (${around(n)}); } }; } return G.last; }`, `${f}()`]; },
  tryPromise: (n) => ['', `Promise.try(${fn(n)}, 1)`],
  getOrInsert: (n) => ['', `new Map().getOrInsertComputed(1, ${fn(n)})`],
};

// Those that are left before the chain goes on.
const wait = () => pick(['await null;', 'await 1;', 'await new Promise((r) => setTimeout(r, 1));', 'await Promise.resolve();', 'for await (const x of [1, 2]) G.last = x;', 'await { then(r) { r(1); } };', 'await new Promise(setImmediate);', 'await Promise.all([1, null]);', 'await (async () => { await 1; })();']);
const inAsync = (n) => pick([() => `return await (${around(n)});`, () => `const v = await (${around(n)}); return v;`, () => `return (${around(n)});`, () => `try { return await (${around(n)}); } finally { G.last = 1; }`, () => `const [v] = await Promise.${pick(['all', 'allSettled'])}([(${around(n)})]); return v;`, () => `return await Promise.${pick(['any', 'race'])}([(${around(n)})]);`,
  () => `for await (const v of [(${around(n)})]) return v;`, () => `for await (const v of (async function* () { yield await (${around(n)}); })()) return v;`, () => `return Promise.all([1, (${around(n)})]);`, () => `const r = (${around(n)}); await r; return 5;`, () => `try { await Promise.reject(1); } catch (e) { return await (${around(n)}); }`,
  () => `await Promise.all([(async () => { await 1; return await (${around(n)}); })(), 2]);`, () => `return await (async () => (${around(n)}))();`, () => `return await (${around(n)}).then((x) => x);`.replace('(', '(async () => (').replace(').then', '))().then')])();
const asyncs = {
  async: (n) => { const f = id(); return [`async function ${f}(${params()}) { ${wait()} ${inAsync(n)} }`, `${f}(${args()})`]; },
  asyncNoWait: (n) => { const f = id(); return [`async function ${f}(${params()}) { ${inAsync(n)} }`, `${f}(${args()})`]; },
  asyncArrow: (n) => { const f = id(); return [`const ${f} = async (${params()}) => { ${coin() ? wait() : ''} ${inAsync(n)} };`, `${f}(${args()})`]; },
  asyncMethod: (n) => { const C = id('C'); return [`class ${C} { ${pick(['', 'static '])}async m() { ${wait()} ${inAsync(n)} } }`, `(${C}.m ? ${C} : new ${C}()).m(1)`]; },
  asyncObject: (n) => { const o = id(); return [`const ${o} = { async ${key()}1() { ${wait()} ${inAsync(n)} } };`, `Object.values(${o})[0].call(${pick([o, paren(receiver())])})`]; },
  asyncDefaults: (n) => { const f = id(); return [`const ${f} = async (a, b = ${around(n)}) => { return await b; };`, `${f}(1)`]; },
  asyncGenerator: (n) => { const f = id(); return [`async function* ${f}() { ${coin() ? wait() : ''} ${pick(['', 'yield 1;'])} yield (${around(n)}); }`, pick([`(async () => { let r; for await (r of ${f}()) ; return r; })()`, `${f}().next()`, `(async () => { for await (const r of ${f}(2)) { G.last = r; } })()`, `(async () => { const g = ${f}(); await g.next(); return await g.next(); })()`])]; },
  asyncGeneratorDelegate: (n) => { const f = id(); return [`async function* ${f}in() { yield 1; ${wait()} yield (${around(n)}); } async function* ${f}() { yield* ${f}in(); }`, `(async () => { for await (const r of ${f}()) G.last = r; })()`]; },
  asyncIterator: (n) => { const o = id(); return [`const ${o} = { [Symbol.asyncIterator]() { return this; }, i: 0, async next() { ${coin() ? wait() : ''} ${twice(n)} } };`, `(async () => { for await (const v of ${o}) return v; })()`]; },
  thenable: (n) => { const o = id(); return [`const ${o} = { then(resolve) { resolve((${around(n)}) ? 1 : 0); } };`, pick([`(async () => await ${o})()`, `Promise.resolve(${o})`, `Promise.all([${o}])`, `(async () => ${o})()`, `Promise.resolve().then(() => ${o})`])]; },
  then: (n) => ['', pick([`Promise.resolve(1).then(${fn(n)})`, `Promise.reject(1).catch(${fn(n)})`, `Promise.resolve(1).finally(${fn(n)})`, `Promise.all([1, 2]).then(${fn(n)})`, `Promise.resolve().then(() => 1).then(${fn(n)})`, `Promise.reject(1).then(null, ${fn(n)})`, `Promise.race([1]).then(${fn(n)}).then((x) => x)`, `Promise.allSettled([1]).then(${fn(n)}).finally(() => {})`, `new (class Mine extends Promise {})((r) => r(1)).then(${fn(n)})`])],
  thenAwaited: (n) => { const f = id(); return [`async function ${f}() { return await Promise.resolve(1).then(${fn(n)})${pick(['', '.then((x) => x)', '.finally(() => {})', '.catch(() => {})'])}; }`, `${f}()`]; },
  allThen: (n) => { const f = id(); return [`async function ${f}() { ${wait()} return await Promise.all([Promise.resolve().then(${fn(n)}), (async () => 1)()]); }`, `${f}()`]; },
  microtask: (n) => ['', `new Promise((resolve) => queueMicrotask(() => resolve(${around(n)})))`],
  nextTick: (n) => ['', `new Promise((resolve) => process.nextTick(${pick(['() => resolve(NEXT)', 'function tick(a) { resolve(NEXT); }, 1']).replace('NEXT', () => around(n))}))`],
  timeout: (n) => ['', `new Promise((resolve) => ${pick(['setTimeout(CB, 1)', 'setTimeout(CB, 0, 1, 2)', 'setImmediate(CB)', 'setImmediate(CB, 5)']).replace('CB', () => pick([`() => resolve(${around(n)})`, `function later() { resolve(${around(n)}); }`]))})`],
  interval: (n) => ['', `new Promise((resolve) => { const t = setInterval(function () { clearInterval(t); resolve(${around(n)}); }, 1); })`],
  readFile: (n) => ['', `new Promise((resolve) => require('fs').${pick(['stat', 'readFile', 'readdir'])}('/', ${pick(['(e, s) =>', 'function done()'])} { resolve(${around(n)}); }))`],
  promisify: (n) => { const f = id(); return [`const ${f} = require('util').promisify((cb) => ${pick(['cb(null, 1)', 'setImmediate(cb)'])});`, `${f}().then(${fn(n)})`]; },
  forAwait: (n) => { const f = id(); return [`async function ${f}() { for await (const x of ${pick(['[1, 2]', '[Promise.resolve(1)]', '(function* () { yield 1; })()', 'new Set([1])'])}) { ${inAsync(n)} } }`, `${f}()`]; },
  fromAsync: (n) => { const f = id(); return [`async function ${f}() { return await Array.fromAsync([1, 2], ${pick(['async ', ''])}(x) => (${around(n)})); }`, `${f}()`]; },
  once: (n) => { const e = id(); return [`async function ${e}() { const e = new (require('events'))(); setImmediate(() => e.emit('x')); await require('events').once(e, 'x'); ${inAsync(n)} }`, `${e}()`]; },
  awaitUsing: (n) => { const f = id(); return [`async function ${f}() { { await using u = { async [Symbol.asyncDispose]() { ${wait()} G.last = (${around(n)}); return await G.last; } }; } return G.last; }`, `${f}()`]; },
};

// What a release must know for a kind.
const needs = {
  staticField: 'class A { static a = 1 }', staticBlock: 'class A { static { } }', fields: 'class A { a = 1 }', fieldsDerived: 'class A { a = 1 }', fieldArrow: 'class A { a = 1 }', privateField: 'class A { #a = 1 }', privateMethod: 'class A { #a() {} static #b() {} get #c() { return 1; } }', optional: 'a?.b; a ?? b',
  groupBy: 'if (!Object.groupBy || !Map.groupBy) throw 1', newerArrays: 'if (![].toSorted) throw 1', iteratorHelper: '[].values().map((x) => x)', setMethods: 'new Set().union(new Set())', structured: 'structuredClone(1)', eventTarget: 'new EventTarget(); new Event("x")', fromAsync: 'if (!Array.fromAsync) throw 1',
  using: '{ using a = null; }', awaitUsing: '(async () => { await using a = null; })', tryPromise: 'Promise.try(() => 1)', getOrInsert: 'new Map().getOrInsertComputed(1, (x) => x)', asyncs: 'Promise.any([1])',
};
function knows(kind) {
  if (!needs[kind]) return true;
  try {
    new Function(needs[kind])();
    return true;
  } catch (e) {
    return false;
  }
}

// build(): the text of a program. Parts of its chain are joined by the table T, in which there are
// other functions while a part is made hot: no code expands what is called through it.
function build(strict) {
  const levels = 10 + random(31), asynchronous = coin() ? random(levels - 3) : 0;
  const heat = pick(['some', 'most', 'all', 'all']), joints = pick([2, 4, 6, 12]);
  const defs = [], real = ['{ rounds: 0, run: G.leaf }'];
  let call = `T[0](${args()})`, used = [];
  for (let level = levels; level > 0; level--) {
    const kind = level <= asynchronous && !coin(3) ? pick(Object.keys(asyncs)) : pick(Object.keys(kinds));
    if (!knows(kind)) continue;
    const [def, next] = (kinds[kind] || asyncs[kind])(call);
    try {
      new Function(`${strict ? "'use strict';" : ''} ${def}\n return () => (${next});`);
    } catch (e) {
      continue; // not in this release, or not with what else is there
    }
    used.push(kind);
    defs.push(`${level === levels ? '' : noise()}// ${kind}\n${def}`);
    call = next;
    if (level === 1 || coin(joints)) {
      const rounds = used.some((k) => asyncs[k]) ? pick([0, 10, 300]) : { some: pick([0, 100, 3000]), most: pick([0, 3000, 60000, 60000]), all: 60000 }[heat];
      real.push(`{ rounds: ${rounds}, run: ${pick(['(a) =>', 'function part(a, b)', 'function (a)'])} { return (${call}); } }`);
      call = `T[${real.length - 1}](${args()})`;
      used = [];
    }
  }
  return `const T = [], stubs = [() => 1, (a) => 2, function () { return 3; }, (...a) => 4, (a, b) => 5, function six() { return 6; }];
${defs.join('\n')}
const parts = [
  ${real.join(',\n  ')},
];
function warm(part) {
  const until = Date.now() + 600;
  for (let i = 0; i < part.rounds && (i % 16 || Date.now() < until); i++) {
    for (let k = 0; k < parts.length; k++) T[k] = stubs[(i + k) % 6];
    try { part.run(i); } catch (e) { G.last = e; }
  }
}
parts.forEach(warm);
function main() {
  parts.forEach((part, k) => { T[k] = part.run; });
  G.spoil = ${coin(3)};
  return ${call};
}
`;
}

const early = ['--interrupt-budget=4000', '--invocation-count-for-turbofan=200', '--invocation-count-for-maglev=20'];
const large = ['--max-inlined-bytecode-size=2000', '--max-inlined-bytecode-size-cumulative=9000', '--min-inlining-frequency=0'];
const flags = [...pick([[], early, early, large, [...early, ...large]]), ...pick([[], [], [], [], ['--always-sparkplug'], ['--no-lazy-feedback-allocation'], ['--no-opt'], ['--always-opt', '--always-turbofan'], ['--maglev'], ['--no-maglev'], ['--stress-inline'],
  ['--stress-lazy-source-positions'], ['--jitless'], ['--stress-maglev'], ['--stress-concurrent-inlining'], ['--always-osr'], ['--deopt-every-n-times=100'], ['--stress-flush-code'], ['--turbolev'], ['--maglev-future'], ['--stress-compaction'], ['--gc-interval=2000'], ['--stress-scavenge=80'], ['--stress-ic'], ['--stress-lazy'], ['--no-use-ic'], ['--no-inline-new'], ['--turbo-stress-instruction-scheduling'], ['--stress-turbo-late-spilling']])];
process.on('unhandledRejection', () => {}); // calls that warm up
process.on('uncaughtException', (e) => { G.last = e; });
const how = pick(['require', 'require', 'script', 'module']);
const strict = how === 'module' || coin(3);
const start = pick(['main();', 'main();', 'setImmediate(main);', 'setTimeout(main, 5);', 'Promise.resolve().then(main);', 'process.nextTick(main);', how === 'module' ? 'await main();' : '(async () => await main())();']);
const text = `${strict && how !== 'module' ? "'use strict';\n" : ''}${how === 'module' ? "import { createRequire } from 'module';\nconst require = createRequire(import.meta.url);\n" : ''}${coin(4) ? '// 世界\n' : ''}${build(strict)}${start}\n`;
const file = path.join(dir, how === 'module' ? 'program.mjs' : 'program.js');
fs.writeFileSync(file, coin(6) ? text.replace(/\n/g, '\r\n') : text);
require('v8').setFlagsFromString('--stack-trace-limit=' + pick([10, 100]));
for (const flag of flags) require('v8').setFlagsFromString(flag);
if (how === 'module') import('file://' + file);
else if (how === 'require') require(file);
else {
  globalThis.require = require;
  require('vm').runInThisContext(fs.readFileSync(file, 'utf8'), { filename: file });
}
