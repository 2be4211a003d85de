'use strict';
// medley.js DIR SEED: random values under the global R, the same of each seed. A value is made
// by one of the makers below, holds other such values, and is then changed in ways that objects
// can be: properties of all kinds, deleted ones, other prototypes, tags, integrity. Before it dies
// it leaves in medley.json what util.inspect prints of each, as "H name" with its hidden
// properties, and as "D name" deeper; and in truth.json how many instances of its classes it holds.
const fs = require('fs');
const path = require('path');
const util = require('util');
const v8 = require('v8');
const vm = require('vm');
const truth = require('./truth.js');

let state = 0;
function random() { // mulberry32
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const int = (n) => Math.floor(random() * n);
const chance = (p) => random() < p;
const pick = (list) => list[int(list.length)];
const times = (n, f) => Array.from({ length: n }, (_, i) => f(i));
const define = (o, key, what) => Object.defineProperty(o, key, Object.assign({ configurable: chance(0.8), enumerable: chance(0.6) }, what));

// Syntax that an old parser does not know is compiled at run time.
const script = (source, ...names) => new Function(...names, source);

const pool = []; // of objects made before, for references and circles
let size = 0; // of the value that is being made

// Texts.
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$ -';
const odd = ['\'', '"', '`', '\\', '\n', '\r', '\t', '\b', '\x07', '\x1b', '\x7f', '\x80', '\x9f', '\xa0', '\xe9', '\xff', '\u0100', '\u2028', '\u4e16', '\ud83d', '\ude00',
  '\u{1f600}', '${x}', '\\u', '\ufeff', '\uffff', '\u0301', '\u200b', '\v', '\f', '\x01', '%s'];
const word = (n) => times(n, () => letters[int(52)]).join('');
const plainText = (n) => times(n, () => pick(letters)).join('');
const old = parseInt(process.versions.v8, 10) < 9; // it writes some characters as they are
const tame = (s) => (old ? s.replace(/[\x7f-\x9f\ud800-\udfff]/g, '') : s);
const oddText = (n) => tame(times(n, () => (chance(0.3) ? pick(odd) : pick(letters))).join(''));
const long = 'the quick brown fox jumps over the lazy dog; ';
const wide = '\u4e16\u754c \u00e9 na\u00efve \u{1f600} ';
const cut = (s) => { const a = int(s.length); return s.slice(a, a + 1 + int(s.length - a)); };
const outside = Buffer.alloc(1100000, 'out').toString('latin1'); // of the heap
const texts = [
  () => '', () => pick(odd), () => word(1 + int(8)), () => plainText(int(40)), () => oddText(int(30)), () => oddText(60 + int(60)),
  () => times(2 + int(4), () => plainText(int(30))).join('\n'),
  () => { let s = word(5); for (let i = 0; i < 1 + int(30); i++) s = chance(0.5) ? s + word(7) : word(6) + s; return s; },
  () => { let s = pick([long, wide]); for (let i = 0; i < int(12); i++) s += pick([long, wide, oddText(9), i]); return s; },
  () => cut(long + long), () => cut(wide.repeat(3)), () => { const s = long + oddText(20); s.charCodeAt(0); return cut(s); },
  () => { const s = [word(4), pick([long, wide])].join('-'); ({})[s]; return s; },
  () => { const s = [word(4), pick([long, wide])].join('+'); const t = s.slice(2, 30); ({})[s]; return t; },
  () => Buffer.from(oddText(50)).toString(pick(['utf8', 'latin1', 'hex', 'base64', 'utf16le', 'ascii'])),
  () => JSON.parse(JSON.stringify(oddText(20))), () => oddText(8).repeat(int(12)), () => pick([long, wide]).toUpperCase(),
  () => String(num()), () => pick(['constructor', '__proto__', 'length', 'name', 'stack', 'message', 'toString', '-1', '4294967295', '01', '1.5', '-0', 'NaN']),
  () => { const s = oddText(30); return s.replace(/[a-m]/g, '\u4e16').replace(/\u4e16/g, ''); }, () => outside.slice(1099970) + word(3),
  () => 'q'.repeat(9990 + int(10)),
];
const text = () => { const s = pick(texts)(); return old && tame(s) !== s ? tame(s) : s; };
// Of names, messages and tags util.inspect writes control characters as they are, which is no model.
const shy = () => text().replace(/[^\n -~\xa1-\ud7ff\ue000-\ufffd]/g, '~');

// Numbers.
const edges = [0, -0, 1, -1, NaN, Infinity, -Infinity, 2 ** 30, 2 ** 30 - 1, -(2 ** 30), -(2 ** 30) - 1, 2 ** 31, 2 ** 31 - 1, -(2 ** 31), -(2 ** 31) - 1, 2 ** 32, 2 ** 32 - 1,
  2 ** 53, -(2 ** 53), 2 ** 53 - 1, 5e-324, 2.2250738585072014e-308, Number.MAX_VALUE, -Number.MAX_VALUE, 0.1, 1e21, 1e-7, 123456789012345680000, 1e-6, 999999999999999900000];
const smi = () => pick([int(10), -int(10), int(2 ** 30), -int(2 ** 30), int(1000)]);
const double = () => pick([random(), -random() * 1e6, int(1000) + 0.5, random() * 10 ** (int(600) - 300), Math.round(random() * 1e6) / 1e3]);
const num = () => pick([() => pick(edges), smi, double])();
const big = () => {
  let n = BigInt(int(2 ** 32));
  for (let i = pick([0, 0, 1, 2, 3, 6, 40]); i > 0; i--) n = (n << BigInt(pick([32, 31, 1, 64]))) + BigInt(int(3) ? int(2 ** 32) : 0);
  return pick([n, -n, BigInt.asIntN(64, n), BigInt.asUintN(64, n), n - n, BigInt(1) << BigInt(int(300)), (BigInt(1) << BigInt(64)) - BigInt(1)]);
};
const symbol = () => pick([() => Symbol(), () => Symbol(''), () => Symbol(shy().replace(/\n/g, ' ')), () => Symbol.for(word(4)), () => pick([Symbol.asyncIterator,
  Symbol.match, Symbol.species, Symbol.unscopables]), () => Symbol(word(3))])();
const primitive = () => pick([num, num, num, text, text, big, symbol, () => true, () => false, () => null, () => undefined])();
const index = () => pick([int(5), int(20), int(200), int(100000), 4294967294]);
const key = () => pick([() => word(1 + int(6)), () => word(1 + int(6)), () => word(3), text, symbol, () => 'a' + int(9), index])();

// any makes a value that holds others down to a depth.
function any(depth) {
  if (++size > 120 || depth <= 0 || chance(0.3)) return chance(0.15) && pool.length ? pick(pool) : primitive();
  for (;;) {
    try {
      const x = made(depth);
      if (x === undefined) continue;
      if (typeof x === 'object' || typeof x === 'function') {
        if (pool.length < 4000) pool.push(x);
        if (chance(0.35)) change(x, depth);
      }
      return x;
    } catch (e) {
      // Not in this release.
    }
  }
}
const some = (n, depth) => times(int(n + 1), () => any(depth - 1));
const made = (depth) => pick(pick(kinds))(depth);

// What can be done to an object.
const accessor = (depth) => pick([() => ({ get() { return 1; } }), () => ({ set(v) {} }), () => ({ get() { return 1; }, set(v) {} }), () => { const x = any(depth - 2); return { get: () => x }; }])();
const tag = (depth) => pick([() => ({ value: word(5) }), () => ({ value: plainText(4) }), () => ({ value: '' }), () => ({ value: 5 }), () => ({ get: function () { return 'Got'; } })])();
const adopt = (o, proto) => { // util.inspect asks it for the entries of a Map, the flags of a RegExp, the size of a view
  if (!util.types.isMap(o) && !util.types.isSet(o) && !util.types.isRegExp(o) && !(Array.isArray(o) && proto instanceof Error) && !ArrayBuffer.isView(o) && !ArrayBuffer.isView(proto)) Object.setPrototypeOf(o, proto);
};
const changes = [
  (o, d) => { for (let i = 1 + int(4); i > 0; i--) o[key()] = any(d - 1); },
  (o, d) => { for (let i = 1 + int(4); i > 0; i--) o[key()] = any(d - 1); },
  (o) => { for (let i = 1 + int(30); i > 0; i--) o[word(2)] = pick([smi, double])(); },
  (o) => { for (let i = pick([20, 130, 600, 1200]); i > 0; i--) o['p' + int(5000)] = i; },
  (o, d) => define(o, key(), { value: any(d - 1), writable: chance(0.5) }),
  (o, d) => define(o, key(), accessor(d)), (o, d) => define(o, key(), accessor(d)),
  (o) => { const keys = Reflect.ownKeys(o); for (let i = 1 + int(3); i > 0; i--) delete o[pick(keys)]; },
  (o) => { const keys = Object.keys(o); delete o[keys[0]]; }, (o) => { const keys = Object.keys(o); delete o[keys[keys.length - 1]]; },
  (o) => { for (const k of Object.keys(o).slice(0, 5)) if (typeof o[k] === 'number') o[k] = pick([o[k] + 1, double(), word(2), o[k] - 0.5]); },
  (o) => { o.self = o; }, (o) => { o[word(2)] = pick(pool); }, (o) => { for (let i = int(50); i > 0; i--) o[int(60)] = i; },
  (o) => Object.freeze(o), (o) => Object.seal(o), (o) => Object.preventExtensions(o),
  (o) => ArrayBuffer.isView(o) || Object.setPrototypeOf(o, null), (o) => adopt(o, pick(pool)), (o) => adopt(o, pick(classes).prototype),
  (o) => Object.setPrototypeOf(o, Object.create(Object.getPrototypeOf(o))), (o) => adopt(o, pick([Object, Array, Map, Error, Function, Promise, Uint8Array, RegExp]).prototype),
  (o, d) => define(o, Symbol.toStringTag, tag(d)), (o, d) => define(o, 'constructor', { value: pick([any(d - 1), pick(classes), Map, null, { name: word(3) }]) }),
  (o) => { o[util.inspect.custom] = pick([5, () => 'shown', function () { return { shown: Object.keys(this).length }; }]); },
];
function change(o, depth) {
  if (Buffer.isBuffer(o)) return void (o[word(2)] = num());
  do {
    try {
      pick(changes)(o, depth);
    } catch (e) {
      // It is not to be changed like that.
    }
  } while (chance(0.45));
}

// Classes, with members of all kinds.
const classes = [];
const counts = {};
const kept = {};
const bases = ['', '', '', '', 'Base', 'Map', 'Set', 'Array', 'Error', 'TypeError', 'Promise', 'Date', 'RegExp', 'Uint8Array', 'Float64Array', 'Function', 'null', 'Object', 'String', 'Number',
  'WeakMap', 'ArrayBuffer', 'EventEmitter', 'EventTarget', 'URL', 'Boolean', 'DataView', 'Readable', 'Event', 'URLSearchParams'];
const ofClass = {
  DataView: () => [new ArrayBuffer(9), int(4)], URL: () => ['http://h/' + word(3)], Event: () => [word(4)], Promise: () => [(f) => chance(0.5) && f(smi())], Function: () => [], RegExp: () => [word(3), 'g'],
  ArrayBuffer: () => [int(20)], Uint8Array: () => [int(5)], Float64Array: () => [int(5)], Date: () => [smi()], Number: () => [num()], String: () => [text()], Array: () => [int(6)],
  Map: () => [[[word(1), smi()]]], Set: () => [[smi()]], Error: () => [shy()], TypeError: () => [word(5)],
};
function makeClass(i) {
  const base = pick(bases);
  const up = base === 'Base' ? (classes.length ? pick(classes).name : '') : base;
  const members = times(int(8), () => pick([
    () => `${word(2)} = ${pick(['1', '1.5', '"s"', '[]', '{}', 'null', 'any(1)', 'num()'])}`, () => `#${word(3)} = ${pick(['1', '2.5', '"p"', 'any(1)', '[1, [2]]'])}`,
    () => `static ${word(3)} = ${pick(['1', '1.5', '{}', 'any(1)'])}`, () => `static #${word(3)} = 5`, () => `${word(3)}() {}`, () => `#${word(4)}() {}`, () => `static ${word(3)}() {}`,
    () => `get ${word(3)}() { return 1; }`, () => `set ${word(3)}(v) {}`, () => `get #${word(4)}() { return 1; }`, () => `[${JSON.stringify(plainText(5))}] = 3`, () => `[Symbol(${JSON.stringify(word(2))})] = 4`,
    () => `static { this.${word(4)} = 1; }`, () => `${int(20)} = "i"`, () => `get [Symbol.toStringTag]() { return "Tag${i}"; }`, () => `async *${word(3)}() {}`, () => `"${word(2)} ${word(1)}" = 7`,
  ])());
  const assigned = times(int(6), () => `this.${word(2)} = ${pick(['smi()', 'double()', 'num()', 'text()', 'any(1)', '1', 'null'])};`).join(' ');
  const source = (list) => `return class Class${i}${up ? ' extends ' + up : ''} { ${list.map((m) => (/[)}]$/.test(m) && !/ = /.test(m) || /^static \{/.test(m) ? m : m + ';')).join(' ')} constructor(...a) { ` +
    `${up && up !== 'null' ? 'super(...a);' : ''} ${up === 'null' ? 'return Object.create(new.target.prototype);' : assigned} } }`;
  const names = classes.map((c) => c.name);
  let C;
  for (const list of [members, []]) {
    try {
      C = script(source(list), 'any', 'num', 'smi', 'double', 'text', 'EventEmitter', 'Readable', ...names)(any, num, smi, double, text, require('events'), require('stream').Readable, ...classes);
      break;
    } catch (e) {
      // Not in this release.
    }
  }
  if (!C) return [];
  C.from_ = ofClass[base] || (base === 'Base' ? pick(classes.filter((c) => c.name === up)).from_ : () => []);
  Object.defineProperty(C, 'from_', { enumerable: false });
  return [C];
}
const instance = (C) => new C(...C.from_());

// Functions of an older kind, whose instances share maps that change.
const olders = [];
function makeOlder(i, counted) {
  const names = times(1 + int(6), () => word(2));
  const F = script(`return function Older${i}(${names.map((_, k) => 'a' + k).join(', ')}) { ${names.map((n, k) => `this.${n} = a${k};`).join(' ')} }`)();
  if (!counted && chance(0.2)) F.prototype = pick([{}, { [word(2)]: 1 }, Object.create(null), 5, { constructor: F }]);
  else if (chance(0.3)) F.prototype[word(3)] = pick([1, function () {}, 'x']);
  return F;
}

const literal = (n) => script('return {' + times(n, (i) => `${chance(0.8) ? word(3) + int(99) : JSON.stringify(plainText(4))}: ${pick([`a[${i}]`, smi(), double(), '"c"', 'null', '{}', '[1, 2]'])}`).join(', ') + '}', 'a');
const literals = [];

const objects = [
  (d) => pick(literals)(times(12, () => any(d - 1))), (d) => pick(literals)(times(12, () => num())), (d) => new (pick(olders))(...times(6, () => any(d - 1))), () => new (pick(olders))(...times(6, num)),
  () => instance(pick(classes)), () => instance(pick(classes)), () => pick(classes), () => pick(classes).prototype,
  (d) => { const o = {}; for (let i = 0; i < 1 + int(6); i++) o[key()] = any(d - 1); return o; },
  () => { const o = {}; for (let i = 0; i < pick([10, 100, 1000, 3000]); i++) o['k' + int(4000)] = num(); for (let i = 0; i < int(500); i++) delete o['k' + int(4000)]; return o; },
  (d) => Object.create(pick([null, {}, pick(pool), pick(classes).prototype]), { [word(2)]: { value: any(d - 1), enumerable: chance(0.7) } }),
  () => { const o = {}; for (let i = 0; i < int(60); i++) o[index()] = i; return o; }, () => Object.assign(Object.create(null), { [word(2)]: 1, [word(1)]: double() }),
  (d) => ({ get a() { return 1; }, set b(v) {}, ['c' + int(5)]: any(d - 1), m() {}, async n() {}, *g() {}, [pick([word(2), Symbol(word(2))])]: () => {} }),
  (d) => ({ __proto__: any(d - 1), x: num() }), (d) => Object.fromEntries(times(int(9), () => [key(), any(d - 1)])), (d) => JSON.parse(JSON.stringify(times(int(4), () => ({ [word(2)]: num(), [int(9)]: text(), [oddText(3)]: [smi()] })))),
  (d) => Object.assign({}, any(d - 1), any(d - 1)), (d) => script('return {...a, ...b}', 'a', 'b')(any(d - 1), any(d - 1)),
];

const arrays = [
  () => times(int(8), smi), () => times(int(8), double), () => times(int(8), num), (d) => some(5, d), (d) => some(5, d), () => times(int(30), text), () => times(pick([7, 27, 101, 200]), pick([smi, double, () => word(int(12))])),
  () => { const a = times(3 + int(9), pick([smi, double, num, text])); for (let i = int(4); i > 0; i--) delete a[int(a.length)]; return a; },
  () => { const a = times(int(4), smi); a.length = pick([5, 100, 9000, 2 ** 32 - 1]); if (chance(0.5)) a[index()] = 'far'; return a; },
  (d) => { const a = []; for (let i = int(9); i > 0; i--) a[index()] = any(d - 2); return a; }, () => { const a = times(int(4), double); a.push(undefined, null); return a; },
  (d) => Object.assign(some(4, d), { [word(2)]: num(), [-1]: 'n', [symbol()]: 1 }), (d) => { const a = some(4, d); define(a, int(5), accessor(d)); return a; },
  () => pick([Object.freeze, Object.seal, Object.preventExtensions])(times(int(5), pick([smi, double, num, text]))), () => new Array(int(9)), () => new Array(pick([100, 5000, 9000])),
  () => { const a = times(4 + int(20), pick([smi, double, text])); for (let i = int(9); i > 0; i--) pick([() => a.shift(), () => a.pop(), () => a.splice(int(4), 1, num()), () => a.unshift(num()), () => a.reverse(), () => a.push(smi())])(); return a; },
  () => Array.from('ab' + text().slice(0, 9)), () => 'a-b-c'.split('-'), () => /(?<y>\w)(\d)?/.exec('abc'), () => script('return ((s) => s)`x${1}\\u0041`')(), (d) => Object.entries({ a: any(d - 1), [word(2)]: 1 }),
  () => new (script('return class Stack extends Array { }')())(pick([0, 3, 6])), (d) => script('return class Stack extends Array { extra = 1 }')().from(some(3, d)), (d) => [[[[some(3, d)]]]],
  () => [1.5, , NaN, , -0], () => [, 'a', , undefined], () => { const a = [1, 2, 3]; Object.defineProperty(a, 'length', { writable: false }); return a; }, () => times(int(200), () => ({ a: smi() })), () => times(6 + int(60), (i) => pick([i, -i, i * 1.25, 'w' + i])),
];

const typed = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array].concat(typeof Float16Array === 'undefined' ? [] : [Float16Array]);
const buffer = () => {
  const n = 8 * int(9);
  const b = pick([() => new ArrayBuffer(n), () => new SharedArrayBuffer(n), () => script('return new ArrayBuffer(n, { maxByteLength: n + 64 })', 'n')(n), () => script('return new SharedArrayBuffer(n, { maxByteLength: n + 64 })', 'n')(n)])();
  new Uint8Array(b).forEach((_, i, a) => { a[i] = int(256); });
  return b;
};
const buffers = [
  buffer, () => { const T = pick(typed); const a = new T(int(12)); for (let i = 0; i < a.length; i++) a[i] = typeof a[i] === 'bigint' ? big() : num(); return a; }, () => new (pick(typed))(buffer()), () => { const T = pick(typed); return new T(buffer(), T.BYTES_PER_ELEMENT * int(2)); },
  () => new DataView(buffer()), () => { const b = buffer(); return new DataView(b, b.byteLength && int(8)); }, () => Buffer.from(text()), () => Buffer.alloc(int(70), word(3)), () => Buffer.from(oddText(9)).slice(int(4)), () => new (pick(typed))(pick([101, 130])), () => new Uint8Array(pick([70, 5000])).fill(7).subarray(int(9)),
  () => { const b = script('return new ArrayBuffer(n, { maxByteLength: n + 64 })', 'n')(24); if (!b.resize) return b; const a = [b, new (pick(typed))(b), new Uint8Array(b, 4, 8)]; b.resize(pick([0, 3, 24, 40, 88])); return a; },
  () => { const b = new ArrayBuffer(16); const a = [b, new (pick(typed))(b), new Uint8Array(b, 4, 8)]; structuredClone(b, { transfer: [b] }); return a; }, () => Object.assign(new (pick(typed))(3), { [word(2)]: num(), [symbol()]: 2 }), () => Object.freeze(new (pick(typed))(0)),
];

const collections = [
  (d) => new Map(times(int(5), () => [any(d - 1), any(d - 1)])), (d) => new Set(some(5, d)), (d) => new Map(times(int(40), () => [primitive(), num()])),
  () => { const m = new Map(times(int(60), (i) => [i, -i])); for (let i = int(60); i > 0; i--) m.delete(int(60)); for (let i = int(9); i > 0; i--) m.set(word(2), i); return m; },
  () => { const s = new Set(times(int(100), (i) => 'v' + i)); for (let i = int(100); i > 0; i--) s.delete('v' + int(100)); return s; }, () => { const m = new Map([[1, 2]]); const i = pick([() => m.keys(), () => m.values(), () => m.entries()])(); if (chance(0.5)) m.clear(); m.set(word(1), 3); return [m, i]; },
  (d) => { const m = new Map(times(2 + int(9), (i) => [i, any(d - 2)])); const its = [m.keys(), m.values(), m.entries(), m[Symbol.iterator]()]; for (let i = int(9); i > 0; i--) pick([() => pick(its).next(), () => m.delete(int(9)), () => m.set(int(99), 1)])(); return pick([its, pick(its)]); },
  (d) => { const s = new Set(times(2 + int(9), (i) => i)); const its = [s.keys(), s.values(), s.entries()]; for (let i = int(30); i > 0; i--) pick([() => pick(its).next(), () => s.delete(int(9)), () => s.add(int(99))])(); return pick([its, pick(its)]); },
  () => new WeakMap([[pick(pool), num()]]), () => new WeakSet([pick(pool)]), () => script('return new WeakRef(o)', 'o')(pick(pool)), () => script('return new FinalizationRegistry(() => {})')(), () => new Map([[NaN, -0], [undefined, null], [0, 1]]),
  (d) => { const m = new Map(); m.set(m, m); m.set(any(d - 1), [m]); return m; }, () => Object.groupBy(times(9, smi), (x) => (x % 2 ? 'odd' : 'even')), () => Map.groupBy(times(9, num), (x) => x > 0),
  () => [1, 2][Symbol.iterator](), () => new Map(times(130, (i) => [i, i])).entries(), () => 'text'[Symbol.iterator](), () => 'a1b2'.matchAll(/\d/g), () => [1, 2].values().map((x) => x).filter((x) => x), () => new Set([1]).values().take(1), () => Iterator.from({ next() { return { done: true }; } }),
];

const own = (e, d) => {
  for (let i = int(3); i > 0; i--) e[pick(['name', 'message', 'stack'])] = pick([shy(), shy(), word(4), undefined, null, '', 5]);
  for (let i = int(3); i > 0; i--) e[pick(['code', 'errno', word(2), 'cause'])] = any(d - 1);
  return e;
};
const E = () => pick([Error, TypeError, RangeError, SyntaxError, EvalError, URIError, ReferenceError]);
const errors = [
  () => new (E())(shy()), () => new (E())(), () => E()(shy()), (d) => own(new (E())(shy()), d), (d) => own(new (E())(word(5)), d), (d) => new Error(word(4), { cause: any(d - 1) }), (d) => own(new Error(word(4), { cause: new (E())(shy()) }), d),
  (d) => new AggregateError(times(int(4), () => (chance(0.5) ? any(d - 1) : new (E())(word(3)))), shy()), (d) => script('return new SuppressedError(a, b, c)', 'a', 'b', 'c')(any(d - 1), any(d - 1), shy()), () => { try { null.x; } catch (e) { return e; } return undefined; }, () => { try { script(pick(['}', 'let let', '#', 'return `']))(); } catch (e) { return e; } return undefined; },
  () => { try { JSON.parse(word(5)); } catch (e) { return e; } return undefined; }, () => { try { require('./absent' + word(2)); } catch (e) { return e; } return undefined; }, () => { try { (() => { (function () { throw new (E())(word(5)); })(); })(); } catch (e) { return e; } return undefined; },
  () => [1].map(() => new (E())('in map'))[0], () => vm.runInNewContext('new TypeError("far")'), () => { const l = Error.stackTraceLimit; Error.stackTraceLimit = int(4); const e = new (E())(shy()); Error.stackTraceLimit = l; return e; }, (d) => own(Object.create(Error.prototype), d),
  (d) => { const o = { a: any(d - 1) }; Error.captureStackTrace(o); return o; }, () => { class Named extends Error { get name() { return 'Named2'; } } return new Named(word(3)); }, () => { const n = word(5); const C = script(`return class ${n}Error extends ${pick(['Error', 'TypeError'])} { constructor(m) { super(m); ${pick(['', 'this.name = "' + word(4) + '";', 'this.name = this.constructor.name;', 'delete this.stack;', 'this.message = "other";'])} } }`)(); return new C(shy()); },
  () => { const e = new (E())(word(4)); e.stack; e.message = shy(); return e; }, () => { const e = new (E())(word(4)); define(e, 'name', { value: pick([word(4), 5, null, '']) }); return e; }, () => { const e = new (E())(word(4)); e.stack = pick([shy(), word(9) + '\n    at x (y.js:1:2)', 'Error: other\n    at z', undefined, 5]); return e; }, () => new DOMException(shy(), pick(['AbortError', word(4)])),
  () => { const e = new (E())(shy() + '\n' + word(4)); return pick([e, { e }, [e, e], { a: { b: { c: e } } }]); }, () => new Map([[new (E())(word(3)), new (E())(shy())]]), () => Object.assign(new Error(word(3)), { toString: null }), () => { try { require('assert').deepStrictEqual({ a: int(5) }, { a: 9 }); } catch (e) { return e; } return undefined; },
];

const others = [
  () => new Date(pick([num(), int(2 ** 31) * 1000, -int(2 ** 40), 8.64e15, NaN, -62198755200000, 253402300800000])), () => { const d = new Date(5); d.setTime(num()); return d; }, () => new RegExp(pick(['a', '', 'a/b', '\\d+', '[\\n/]', '(?<n>x)', '\n', oddText(3).replace(/[^a-zA-Z0-9/]/g, '.')]), pick(['', 'g', 'i', 'gimsuy', 'd', 'v', 'y', 'gd'])),
  () => { const r = /a/g; r.lastIndex = pick([0, 3, -1, 1.5, 'x']); return r; }, () => Object(primitive()), () => Object.assign(Object(pick([text(), num(), true])), { [word(2)]: 1, [index()]: 2 }), (d) => Promise.resolve(any(d - 1)), () => Promise.reject(num()), () => new Promise(() => {}), (d) => Object.assign(Promise.resolve(num()), { [word(2)]: any(d - 1) }),
  (d) => (async () => { await null; return any(d - 1); })(), () => Promise.all([Promise.resolve(1)]).then((x) => x), (d) => new Proxy(any(d - 1), {}), () => new Proxy(pick(pool), { get() { return 5; } }), () => new Proxy(new Proxy(pick(pool), {}), { ownKeys() { return []; } }), () => { const r = Proxy.revocable(pick([{}, [1], function () {}]), {}); r.revoke(); return { r: r.proxy }; },
  (d) => (function () { return arguments; })(...some(4, d)), () => script('a = 7; const f = () => a; return [arguments, f][0]', 'a', 'b')(1, 2, 3), () => script('"use strict"; return arguments', 'a')(1, 'b'), () => script('delete arguments[0]; b = 9; return arguments', 'a', 'b')(1, 2), () => script('arguments[500] = 1; b = 9; (() => b)(); return arguments', 'a', 'b')(1, 2),
  () => { const g = (function* gen(a) { const x = yield a; yield* [x, 2]; return 3; })(1); for (let i = int(6); i > 0; i--) g.next(i); return g; }, () => { const g = (async function* agen() { yield 1; await new Promise(() => {}); })(); for (let i = int(3); i > 0; i--) g.next(); return g; }, () => script('return (function* () { try { yield 1 } finally { yield 2 } })()')(),
  () => globalThis.Math, () => pick([JSON, Reflect, Atomics, Intl, WebAssembly]), () => new Intl.NumberFormat('en'), () => vm.runInNewContext(pick(['({ far: [1] })', '[1, , 2]', '(function far() {})', 'new Map([[1, 2]])', 'new (class Far { x = 1 })', 'Object.create(null)', 'new Date(5)', 'Promise.resolve(4)'])), () => namespace, () => 'x'.matchAll(/x/g),
  () => Temporal.PlainDate.from('2024-02-29'), () => new WebAssembly.Global({ value: 'i32', mutable: true }, int(99)), () => new WebAssembly.Memory({ initial: 1 }), () => new DisposableStack(), () => JSON.rawJSON('1e3'), () => Promise.withResolvers(), () => process.versions, () => new vm.Script('1'), () => vm.createContext({ a: int(9) }),
];

const N = () => pick([word(4), 'f', 'odd name']);
const functions = [
  () => script(pick(['return function () {}', 'return function named(a, b) {}', 'return () => {}', 'return async () => {}', 'return function* g() {}', 'return async function* ag() {}', 'return async function af() {}', 'return class {}', 'return class Quiet { static x = 1 }', 'return ({ m() {} }).m', 'return ({ get q() { return 1 } })', 'return class extends Array {}', 'return ({ async *[Symbol("s")]() {} })']))(),
  () => function () {}.bind(null, 1), () => Math.max.bind(), () => pick(classes).bind(), () => Object.defineProperty(function was() {}, 'name', { value: pick([N(), plainText(4), 5, '', Symbol('n')]) }), () => { const f = function gone() {}; delete f.name; return f; }, (d) => Object.assign(function holds() {}, { [word(2)]: any(d - 1), [symbol()]: 2 }), () => Object.setPrototypeOf(function nf() {}, pick([null, {}, Array.prototype, pick(pool)])),
  () => pick([Math.sin, Array.prototype.map, Map, Promise, Symbol, Object.prototype.toString, Function.prototype, parseInt, setTimeout, require, Buffer, Proxy]), () => { const o = { [word(3)]: () => {}, [int(9)]: function () {}, async [Symbol(word(2))]() {} }; return o; }, () => (function* gp() {}).prototype, () => new Function('a', 'b', 'return a + b'), () => { function F() {} F.prototype = pick([5, null, {}, pick(pool)]); return pick([F, new F()]); },
  () => { const f = () => {}; const name = N(); const o = { [name]: f, get [name + '2']() { return f; } }; return o; }, () => [function () {}, () => {}].map((f) => Object.freeze(f)), () => { const x = num(); return { closure: () => x, n: x }; }, () => eval('(function ev() {})'), () => Object.getOwnPropertyDescriptor({ get acc() { return 1; } }, 'acc'),
];

const web = (name) => globalThis[name] || require('buffer')[name] || require('util')[name] || require('url')[name] || require('worker_threads')[name];
const make = (name, ...args) => new (web(name))(...args);
const platform = [
  () => make('URL', 'http://' + word(3) + '.org/' + word(2) + '?' + word(1) + '=1#x'), () => make('URLSearchParams', { [word(2)]: text(), b: '2' }), () => make('Headers', { [word(3)]: word(4) }), () => make('Blob', [word(9)]), () => make('AbortController').signal, () => { const c = make('AbortController'); c.abort(); return c; }, () => make('Event', word(4)), () => make('EventTarget'), () => make('TextEncoder'), () => make('TextDecoder'),
  () => new (require('events'))().on(word(3), () => {}), () => make('MessageChannel'), () => make('FormData'), () => new (require('stream').Readable)({ read() {} }), () => new (require('stream').PassThrough)(), () => make('ReadableStream'), () => make('TransformStream'), () => fs.statSync('/'), () => new (require('string_decoder').StringDecoder)(), () => new (require('async_hooks').AsyncLocalStorage)(),
  () => require('querystring').parse('a=1&b=2&a=3'), () => require('path').parse('/a/b.c'), () => make('CustomEvent', 'c', { detail: num() }), () => new util.TextDecoder('utf-16le'), () => require('http').createServer(), () => new (require('net').Socket)(), () => Object.assign(make('URL', 'http://a/'), { [word(2)]: num() }),
];

const kinds = [objects, objects, objects, arrays, arrays, buffers, collections, collections, errors, errors, others, others, functions, platform];

function setUp(seed) {
  state = seed * 7919 + 17;
  for (let i = 0; i < 30; i++) literals.push(literal(int(14)));
  for (let i = 0; i < 12; i++) olders.push(makeOlder(i));
  pool.push({ first: 1 }, [1], new Map());
  for (let i = 0; i < 14; i++) classes.push(...makeClass(i));
  if (!classes.length) classes.push(class Class99 {});
}

// count makes plain instances of more classes, which ::findjsobjects is to find.
function count() {
  for (const C of [].concat(...times(12, (i) => makeClass(50 + i)), times(6, (i) => makeOlder(50 + i, true)))) {
    const list = [];
    for (let i = int(300); i > 0; i--) {
      try {
        list.push(C.from_ ? instance(C) : new C(...times(6, num)));
      } catch (e) {
        break;
      }
    }
    kept[C.name] = list;
    counts[C.name] = list.length;
  }
}

// shown is what util.inspect prints; undefined where it trips.
function shown(x, options) {
  try {
    const s = util.inspect(x, options);
    return s.length < 400000 ? s : undefined;
  } catch (e) {
    return undefined;
  }
}

let namespace;
async function main(out, seed) {
  Error.prepareStackTrace = undefined; // as truth.write leaves it
  process.on('unhandledRejection', () => {});
  process.on('warning', () => {});
  process.removeAllListeners('warning');
  namespace = await import('./kinds.mjs');
  setUp(seed);
  const R = {};
  globalThis.R = R;
  for (let i = 0; i < 150; i++) {
    size = 0;
    R['v' + i] = any(1 + int(4));
    if (i % 50 === 49 && seed % 2) {
      v8.setFlagsFromString('--expose-gc');
      vm.runInNewContext('gc')();
    }
    if (i % 10 === 9) await null;
  }
  await new Promise((done) => setTimeout(done, 20));
  globalThis.kept = kept;
  count();
  const list = {};
  for (let turn = 0; turn < 2; turn++) { // the second time nothing is made any more that is made when it is first asked for
    for (const name of Object.keys(R)) {
      list[name] = shown(R[name]);
      list['H ' + name] = shown(R[name], { showHidden: true });
      list['D ' + name] = shown(R[name], { depth: 5, maxArrayLength: 300 });
    }
  }
  fs.writeFileSync(path.join(out, 'medley.json'), JSON.stringify(list));
}

function die(out) {
  truth.write(out, 'process.abort', { mode: 'medley', counts });
  process.abort();
}

main(process.argv[2], Number(process.argv[3])).then(() => die(process.argv[2]), (e) => { console.log(e); process.exit(3); });
