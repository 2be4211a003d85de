'use strict';
// Values whose class has variants that a flag or a type of its own tells, for
// kinds.js: each under a name of its own, those that an engine does not know left out.
const net = require('net');
const vm = require('vm');

const attempt = (name, f) => {
  try {
    const x = typeof f === 'function' ? f() : new Function(/^const /.test(f) ? f : 'return ' + f)();
    if (x !== undefined) exports[name] = x;
  } catch (e) {
    // Not known here.
  }
};
const all = (list) => { for (const name of Object.keys(list)) attempt(name, list[name]); };

// Strings: ropes, slices, thin ones, those whose characters lie outside the heap.
const long = 'the quick brown fox jumps over the lazy dog';
const rope = (a, b) => { let s = a; for (let i = 0; i < 20; i++) s += b + i; return s; };
all({
  ropeNarrow: () => rope('narrow ', 'x'), ropeWide: () => rope('wide ', '\u4e16'), ropeMixed: () => rope('m\u00e9', '\u{1f600}'),
  slice: () => long.slice(4, 39), sliceOfRope: () => { const s = rope('slices ', 'y'); s.charCodeAt(0); return s.slice(3, 40); },
  sliceWide: () => ('\u4e16' + long).slice(1, 30),
  thin: () => { const s = ['thin', long].join('-'); ({})[s]; return s; },
  thinWide: () => { const s = ['th\u4e16n', long].join('-'); ({})[s]; return s; },
  sliceOfThin: () => { const s = ['parent', long].join('+'); const t = s.slice(3, 30); ({})[s]; return t; },
  nul: () => parseInt(process.version.slice(1), 10) < 14 ? undefined : 'a\0b\x7f\x80\u2028c', latin1: () => 'caf\u00e9\u00ff', empty: () => '', single: () => ['q'][0],
  external: () => ({ s: Buffer.alloc(1100000, 'e').toString('latin1').slice(1099980) }),
  externalWide: () => ({ s: Buffer.alloc(2200000, '\u4e16', 'utf16le').toString('utf16le').slice(1099990) }),
  externalized: `const short = ['ab', 'cdefghijklmno'].join(''), wide = ['\u4e16', 'bc'].join('\u754c').repeat(3), big = 'z'.repeat(100) + 'q';
    const list = [short, wide, big];
    for (const s of list) try { s.charCodeAt(0); externalizeString(s); } catch (e) { if (e.name === 'ReferenceError') throw e; }
    return list.concat(short.slice(1), wide.slice(2), big.slice(70))`,
});

// Numbers and what counts as one.
all({
  big0: 'BigInt(0)', bigNeg: '-(BigInt(2) ** BigInt(64))', bigMax: 'BigInt.asIntN(64, BigInt("0x7fffffffffffffff"))', bigMin: 'BigInt.asIntN(64, BigInt(1) << BigInt(63))',
  bigLong: '-(BigInt(10) ** BigInt(300))', undefDoubles: '[1.5, undefined, 2.5, NaN]', undefHoles: '(() => { const a = [1.5, 2.5]; a[4] = 3.5; a[1] = undefined; return a; })()',
  nanHoles: '[NaN, , 1.5, -0]', smiEdge: '[1073741823, -1073741824, 2147483647, 2147483648, -2147483649]',
  mutableDouble: '(() => { const o = { d: 1.5, s: 1 }; o.d = 2.75; o.d += 1; o.s = 1.25; return o; })()',
  doubleNaN: '({ n: NaN, z: -0, i: Infinity })', constDouble: 'Object.freeze({ pi: 3.14159, e: 2.71828 })',
});

// Maps: deprecated, dictionaries, many fields, integrity, prototypes.
all({
  deprecated: () => { function P(x) { this.x = x; } const a = new P(1), b = new P(1.5); return [a, b, new P('s')]; },
  dictionary: () => { const o = {}; for (let i = 0; i < 40; i++) o['k' + i] = i; delete o.k3; o.again = 1; return o; },
  dictionaryAttributes: () => { const o = { a: 1, b: 2 }; delete o.a; Object.defineProperty(o, 'hidden', { value: 3 });
    Object.defineProperty(o, 'acc', { get() { return 4; }, enumerable: true }); o.a = 5; return o; },
  outOfObject: () => { const o = { a: 1 }; for (let i = 0; i < 20; i++) o['f' + i] = i % 2 ? i + 0.5 : 's' + i; return o; },
  manyFields: () => { const o = {}; for (let i = 0; i < 1020; i++) o['m' + i] = i; return [o.m1019, o]; },
  preventExt: () => Object.preventExtensions({ a: 1, b: [2] }), frozenObj: () => Object.freeze({ a: 1.5, b: 'x' }),
  frozenArr: () => Object.freeze([1, 2.5, 'x']), sealedArr: () => Object.seal([1, , 3]), nonExtArr: () => Object.preventExtensions([1, 'b']),
  frozenDoubles: () => Object.freeze([1.5, 2.5]), frozenHoley: () => Object.freeze([1.5, , 2.5]), frozenDict: () => { const o = { 9: 1 }; delete o.x; return Object.freeze(o); },
  nullProtoDict: () => Object.assign(Object.create(null), { a: 1, [Symbol('s')]: 2 }),
  ctorValue: () => ({ constructor: 5 }), ctorArrow: () => ({ constructor: () => {} }), ctorMethod: () => ({ constructor: { m() {} }.m, x: 1 }),
  ctorAsync: () => ({ constructor: async function as() {}, x: 1 }),
  primitivePrototype: () => { function F() { this.x = 1; } F.prototype = 5; return [new F(), F]; },
  swappedPrototype: () => { function F() { this.x = 1; } const a = new F(); F.prototype = { y: 2 }; return [a, new F()]; },
  protoOfClass: () => (class C { m() {} }).prototype, protoOfFn: () => (function F() {}).prototype, setProto: () => Object.setPrototypeOf({ a: 1 }, { b: 2 }),
  deepProto: () => Object.create(Object.create({ constructor: function Far() {} })), inObjectGone: () => { const o = { a: 1, b: 2, c: 3 }; delete o.c; return o; },
  elementsKinds: () => [[1, 2], [1, , 2], [1.5], [1.5, ,], ['a'], ['a', , {}], Object.assign([], { 100000: 1 })],
  accessorElements: () => { const a = [1, 2, 3]; Object.defineProperty(a, 1, { get() { return 9; }, enumerable: true }); return a; },
  hiddenElements: () => { const o = { 0: 'a', 2: 'c' }; Object.defineProperty(o, 1, { value: 'b' }); return o; },
  privateBrand: 'new (class B { #m() {} static #s() {} get #g() { return 1; } x = 1; })()', staticBlock: '(class S { static { this.x = 1; } static y = 2; })',
  accessorPairs: () => ({ get a() { return 1; }, set b(v) {}, get c() { return 1; }, set c(v) {} }),
});

// Functions.
all({
  fnKinds: () => [function () {}, () => {}, async () => {}, function* () {}, async function* () {}, class {}, Math.max],
  fnBoundArgs: () => function three(a, b, c) {}.bind(null, 1), fnNamed: () => Object.defineProperty(function was() {}, 'name', { value: 'is' }),
  fnNoName: () => { const f = function gone() {}; delete f.name; return f; }, fnLength: () => Object.defineProperty((a, b) => {}, 'length', { value: 7 }),
  fnSymbol: () => ({ [Symbol('desc')]() {}, get [Symbol('acc')]() { return 1; } }), fnComputed: () => ({ ['com' + 'puted']: () => {}, 12: function () {} }),
  fnClassStatics: '(class N { static name = "own"; static length = 4 })', fnBoundClass: () => (class Q {}).bind(null),
  fnGenProto: () => (function* gp() {}).prototype, fnStrict: () => { 'use strict'; return function st(a) {}; }, fnProxyCall: () => new Proxy(function target() {}, {}),
  wrapped: 'new ShadowRealm().evaluate("(function inner(a, b) { return a; })")',
  shadowRealm: 'new ShadowRealm()', fnVm: () => vm.runInNewContext('(function far() {})'), objVm: () => vm.runInNewContext('({ far: [1] })'),
});

// Arguments in all their forms.
all({
  argsStrict: () => (function (a) { 'use strict'; a = 9; return arguments; })(1, 2), 
  argsMapped: '(function (a, b) { a = 7; (() => b++)(); return arguments; })(1, 2, 3)', argsFew: '(function (a, b, c) { b = 5; return arguments; })(1)',
  argsDoubles: '(function (a, b) { a = 1.5; (() => a)(); return arguments; })(0.5, 2)',
  argsRedefined: '(function (a, b) { Object.defineProperty(arguments, 0, { writable: false }); a = 8; return arguments; })(1, 2)',
  argsAccessor: '(function (a, b) { Object.defineProperty(arguments, 1, { get() { return 1; }, enumerable: true }); return arguments; })(1, 2)',
  argsFrozen: '(function (a, b) { a = 3; return Object.freeze(arguments); })(1, 2)', argsSparse: '(function (a, b) { arguments[2000] = 1; a = 4; return arguments; })(1, 2)',
  argsLength: '(function (a, b) { arguments.length = 1; return arguments; })(1, 2)', argsExtra: '(function (a) { arguments.x = 1; arguments[3] = "d"; return arguments; })(1)',
  argsRest: () => ((...r) => r)(1, 'b'),
});

// Collections that changed, and iterators over them.
all({
  mapCleared: () => { const m = new Map([[1, 2]]); m.clear(); return m; }, mapClearedIterator: () => { const m = new Map([[1, 2]]); const i = m.entries(); m.clear(); m.set('new', 1); return i; },
  setDeleted: () => { const s = new Set([1, 2, 3, 4]); s.delete(2); s.delete(4); return s; }, setGrownIterator: () => { const s = new Set([1, 2, 3]); const i = s.values(); i.next(); s.delete(1); for (let k = 10; k < 90; k++) s.add(k); return i; },
  mapDone: () => { const i = new Map([[1, 2]]).keys(); i.next(); i.next(); return i; }, mapHoles: () => new Map([[undefined, null], [NaN, undefined], [-0, 'zero']]),
  mapLarge: () => { const m = new Map(); for (let i = 0; i < 70000; i++) m.set(i, i); for (let i = 0; i < 69950; i++) m.delete(i); return m; },
  arrayIterators: () => [[1, 2][Symbol.iterator](), 'ab'[Symbol.iterator](), new Uint8Array(2).entries(), 'a1'.matchAll && 'a1'.matchAll(/\d/g)],
  weakRef: 'new WeakRef({ held: 1 })', finalization: 'new FinalizationRegistry(() => {})',
  iteratorHelper: '[1, 2].values().map((x) => x)', iteratorFrom: 'Iterator.from({ next() { return { done: true }; } })', iteratorConcat: 'Iterator.concat([1], [2])',
  iteratorObject: 'new (class It extends Iterator {})()', arrayFromAsync: 'Array.fromAsync([1])',
});

// Promises, generators.
all({
  promiseHandled: () => { const p = Promise.reject(new RangeError('no')); p.catch(() => {}); return p; }, promiseChained: () => Promise.resolve(1).then((x) => x),
  promiseLocked: () => { let r; const p = new Promise((f) => { r = f; }); r(new Promise(() => {})); return p; }, promiseSub: () => (class P2 extends Promise {}).resolve(3),
  promiseResolvers: 'Promise.withResolvers()', thenable: () => ({ then() {} }), asyncGenStarted: () => { const g = (async function* ag2() { yield 1; })(); g.next(); return g; },
  genStarted: () => { const g = (function* gs(a) { const x = yield a; return x; })(4); g.next(); return g; },
});

// Dates, expressions, errors, symbols, proxies.
all({
  dateEdge: () => [new Date(-1), new Date(0), new Date(-8.64e15), new Date(8.64e15 + 1), new Date(2020, 5)], dateSet: () => { const d = new Date(5); d.setTime(NaN); d.setTime(86400000); return d; },
  reIndices: 'new RegExp("a", "dg")', reSets: 'new RegExp("[a--b]", "v")', reAll: 'new RegExp("x", "dgimsuy")', reLast: () => { const r = /a/g; r.exec('aa'); return r; },
  reResult: () => /(?<y>b)(c)?/.exec('abc'), reIndicesResult: 'new RegExp("(?<n>b)", "d").exec("ab")', reLinear: 'new RegExp("ab", "l")',
  errCaptured: () => { const o = { a: 1 }; Error.captureStackTrace(o); return Object.keys(o); }, errNoStack: () => { const l = Error.stackTraceLimit; Error.stackTraceLimit = 0; const e = new TypeError('bare'); Error.stackTraceLimit = l; return e; },
  errUndefinedLimit: () => { const l = Error.stackTraceLimit; delete Error.stackTraceLimit; const e = new TypeError('none'); Error.stackTraceLimit = l; return e; },
  errMessageChanged: () => { const e = new Error('old'); e.message = 'new'; return e; }, errNameChanged: () => { const e = new Error('msg'); e.name = 'Other'; return e; },
  errStackString: () => Object.assign(new Error('s'), { stack: 'custom\n    at nowhere' }),
  errPrepared: () => { const p = Error.prepareStackTrace; Error.prepareStackTrace = () => ['frames']; const e = new Error('prep'); e.stack; Error.prepareStackTrace = p; return [e.message, e.stack]; },
  errSuppressed: 'new SuppressedError(new Error("a"), new Error("b"), "both")', errSyntax: () => { try { new Function('}'); } catch (e) { return [e.name, e.message]; } },
  errNullProto: () => Object.setPrototypeOf(new Error('np'), null), errCauseValue: 'new Error("c", { cause: 5 })', errCauseUndefined: 'new Error("c", { cause: undefined })',
  symbols: () => [Symbol(''), Symbol('x y'), Symbol.for('shared'), Symbol.asyncIterator], symbolKeys: () => ({ [Symbol()]: 1, [Symbol('')]: 2, [Symbol.for('f')]: 3 }),
  proxies: () => { const r = Proxy.revocable({ a: 1 }, {}); r.revoke(); return [new Proxy({ b: 1 }, {}), new Proxy([1], {}), new Proxy(new Proxy({ c: 1 }, {}), {}), r.proxy]; },
  proxyFn: () => { const r = Proxy.revocable(function () {}, {}); r.revoke(); return [r.proxy]; },
});

// Boxes, and what newer engines have.
all({
  boxes: () => [Object(-0), Object(1.5), Object(''), Object('str'), Object(false), Object(Symbol.iterator)], boxedIndex: () => Object.assign(Object('abc'), { 7: 'x', y: 1 }), boxSub: () => new (class N extends Number {})(4),
  float16: 'new Float16Array([1.5, -2, 65504, 6e-8, NaN, Infinity])', rawJSON: 'JSON.rawJSON("1e3")',
  disposable: 'new DisposableStack()', asyncDisposable: 'new AsyncDisposableStack()',
  temporal: `['Duration.from("P1DT2H")', 'Instant.fromEpochMilliseconds(1e12)', 'PlainDate.from("2024-02-29")', 'PlainTime.from("12:34:56.789")', 'PlainDateTime.from("2024-02-29T12:00")',
    'PlainYearMonth.from("2024-02")', 'PlainMonthDay.from("02-29")', 'ZonedDateTime.from("2024-02-29T12:00[UTC]")'].map((s) => (0, eval)('Temporal.' + s))`,
  intl: () => [new Intl.NumberFormat('en'), new Intl.DateTimeFormat('en', { timeZone: 'UTC' }), new Intl.Collator('en'), new Intl.PluralRules('en')],
  intlMore: '[new Intl.Segmenter("en").segment("a b"), new Intl.Locale("de"), new Intl.ListFormat("en"), new Intl.DurationFormat("en")]',
  groups: 'Object.groupBy([1, 2, 3], (x) => (x % 2 ? "odd" : "even"))', sharedStruct: '(() => { const S = new SharedStructType(["a", "b"]); const s = new S(); s.a = 1; s.b = "t"; return s; })()',
  sharedArray: '(() => { const a = new SharedArray(3); a[0] = 1; a[1] = "x"; return a; })()', mutex: 'new Atomics.Mutex()',
  wasmThings: () => [new WebAssembly.Memory({ initial: 1 }), new WebAssembly.Table({ initial: 1, element: 'anyfunc' }), new WebAssembly.Global({ value: 'i32', mutable: true }, 42)],
  wasmModule: () => { const m = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)); return [m, new WebAssembly.Instance(m)]; },
  embedder: () => [new net.Server().constructor.name, new (require('string_decoder').StringDecoder)('utf8')], atomics: () => [Atomics, Reflect, globalThis.Intl, WebAssembly],
  url: () => ({ u: new URL('http://h/p?q=1').href }), textEncoder: () => new Uint8Array(new (require('util').TextEncoder)().encode('\u4e16')), microseconds: () => new Set([process.hrtime.bigint && 1]),
  sandbox: () => { const s = { seen: 1 }; vm.runInContext('later = 2', vm.createContext(s)); return s; },
  processLike: () => ({ title: process.title, versions: process.versions, release: process.release.name }),
});
