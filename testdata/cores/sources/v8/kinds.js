'use strict';
// More values than values.js has, under the global K: subclasses, iterators half
// way, arguments, errors, strings that need quoting, numbers at the edges. Before it
// dies it leaves in kinds.json what util.inspect prints of each, and as "H name"
// with its hidden properties.
const fs = require('fs');
const path = require('path');
const util = require('util');
const truth = require('./truth.js');

// Syntax that an old parser does not know is compiled at run time, or left out.
const make = (source) => {
  try {
    return new Function(source)();
  } catch (e) {
    return null;
  }
};

class Base {
  constructor() { this.b = 1; }
  get pubGet() { return this.b; }
}
Base.s = 5;
class Derived extends Base {
  constructor() {
    super();
    this.d = 1;
  }
}
class MyArr extends Array {}
class MyMap extends Map {}
class MyDate extends Date {}
class U8 extends Uint8Array {}
class MyErr extends Error {
  constructor(message) {
    super(message);
    this.name = 'MyErr';
    this.code = 'E_MY';
  }
}
class Tagged { get [Symbol.toStringTag]() { return 'TT'; } }

const times = (n, f) => Array.from({ length: n }, (_, i) => f(i));
const with_ = (o, ...more) => Object.assign(o, ...more);

const m = new Map([[1, 2], ['x', { y: 1 }], [NaN, -0]]);
const s = new Set([1, 2, 3]);
m.delete(1);
const it4 = s.values();
it4.next();
// An iterator that missed the tables in which its map grew and shrank.
const grown = new Map();
times(100, (i) => grown.set(i, i));
const itOld = grown.keys();
itOld.next();
itOld.next();
times(90, (i) => grown.delete(i));

const circ = { name: 'c' };
circ.self = circ;
circ.arr = [circ, { back: circ }];
const sparse = [1, 2, 3];
sparse[50] = 'x';
sparse.foo = 'bar';
sparse[-1] = 'neg';
const shared = new SharedArrayBuffer(8);
new Uint8Array(shared)[0] = 255;
const fnProps = function named() {};
fnProps.x = 1;
fnProps[Symbol('fs')] = 2;
const genDone = (function* gd() {})();
genDone.next();
const holeyEnd = [1];
holeyEnd.length = 5;

const classes = {
  derived: new Derived(), base: new Base(), myarr: MyArr.from([1, 2]), mymap: new MyMap([[1, 1]]),
  tagged: new Tagged(), u8sub: new U8(3), classExpr: class {}, ext: class E2 extends Base {},
  staticCls: make('return class S { static a = 1; static b() {} }'),
  privates: make('return new (class P { #p = 1; static #sp = 2; #m() {} q = 3; })()'),
  protoObj: Object.create({ inherited: 1 }), nestedProto: Object.create(Object.create(null)),
};

const collections = {
  m, s, it1: m.entries(), it2: m.keys(), it3: m.values(), it4, it5: s.entries(), itOld,
  emptyMap: new Map([[0, 0]]), emptySet: new Set([0]),
  mapNested: new Map([[{ k: 1 }, new Map([[1, new Set([2])]])]]), setObj: new Set([{ a: 1 }, [1]]),
};

const functions = {
  sloppyArgs: make('return (function (a, b) { a = 42; const f = () => a; f(); return arguments; })(1, 2)'),
  sloppyDel: make('return (function (a, b, c) { delete arguments[1]; return arguments; })(1, 2, 3)'),
  fnProps, boundFn: fnProps.bind(null), boundbound: fnProps.bind().bind(),
  anon: (() => function () {})(), dynamic: new Function('a', 'return a'),
  nullFn: Object.setPrototypeOf(function nf() {}, null),
  agfn: async function* ag() { yield 1; }, gen0: (function* g0() { yield 1; })(), genDone,
  fnInObj: { method() {}, async am() {}, *gm() {}, arrow: () => {}, async *agm() {} },
};
functions.agen = functions.agfn();

const errors = {
  err: new Error('plain'), errNoMsg: new Error(), rangeErr: new RangeError('r'), myErr: new MyErr('mine'),
  errProps: with_(new Error('p'), { code: 'X', errno: -2 }), errMultiline: new Error('line1\nline2'),
  errStackless: with_(new Error('nostack'), { stack: undefined }),
  errCause: make('return new Error("outer", { cause: new Error("inner") })'),
  agg: make('return new AggregateError([new Error("e1")], "agg")'),
};

// Errors that V8 does not make: they have Error.prototype among their prototypes, or
// a getter for their name.
const likeError = (proto, own) => with_(Object.create(proto), own);
const lessErrors = {
  errBare: likeError(Error.prototype), errProto: Object.create(Error.prototype, { constructor: { value: function Kin() {} } }),
  errOld: likeError(Object.create(Error.prototype), { message: 'old' }),
  errStack: likeError(Error.prototype, { stack: 'a stack', more: 1 }),
  errCaught: (() => { const e = likeError(Error.prototype, { message: 'caught' }); Error.captureStackTrace(e); return e; })(),
  errGetter: new (class Named extends Error { get name() { return 'GetterError'; } })('by getter'),
  errComputed: new (class Computed extends Error { get name() { return this.constructor.name; } })('computed'),
};
if (typeof DOMException === 'function') {
  with_(lessErrors, {
    dom: new DOMException('gone', 'AbortError'), domBare: new DOMException('m'),
    domOther: new DOMException('m', { name: 'Other', cause: { a: 1 } }),
  });
}

// What is longer than util.inspect shows unless told; "A name" has both ends of it.
const many = {
  manyNumbers: times(250000, (i) => i), manyEntries: new Map(times(120000, (i) => [i, -i])),
  manyKeys: with_({}, ...times(12000, (i) => ({ ['k' + i]: i }))), manyIndices: with_({}, times(12000, (i) => i)),
  manyBits: -(BigInt(7) << BigInt(300000)),
};

const primitives = {
  boolBox: Object(true), symBox: Object(Symbol('bs')), bigBox: Object(BigInt(5)),
  strBoxProps: with_(Object('ab'), { x: 1 }),
  strControls: "a\x07b\x1f\t\b's", strQuotes: "it's", strBoth: `it's "x"`, strAll: '\'"`', strEmoji: '\u{1f600}\u00e9', strLong: 'z'.repeat(200),
  strMulti: 'line one of the text\nline two of the text\nline three of the text which is long',
  sym: Symbol('s'), symNo: Symbol(), symFor: Symbol.for('reg'), symIt: Symbol.iterator,
  numbers: [0, -0, 1e21, 1e-7, 123456789012345680000, 0.1, 5e-324, Number.MAX_VALUE, NaN, -Infinity, 4294967295, -2147483648],
};

const dates = {
  dateInvalid: new Date(NaN), dateFar: new Date(8.64e15), dateNeg: new Date(-62198755200000),
  dateSub: new MyDate(0), dateProps: with_(new Date(1234567890123), { k: 1 }),
  reFlags: /a\/b[\n]/gimsuy, reEmpty: new RegExp(''), reProps: with_(/x/, { p: 1 }),
};

const objects = {
  circ, deep: { l1: { l2: { l3: { l4: 1 } } } }, emptyObj: {}, mathObj: Math, jsonObj: JSON,
  o37: with_({}, ...times(40, (i) => ({ ['p' + i]: i % 3 ? 'v' + i : i * 0.5 }))),
  big: with_({}, ...times(7, (i) => ({ ['key' + i]: { a: i, b: [i] } }))),
  objQuotedKeys: { 'a-b': 1, 'c d': 2, 1e3: 3, "q'": 4, [Symbol()]: 5, [Symbol('x y')]: 6 },
  numObjKeys: { 3: 'c', 1: 'a', 2: 'b', x: 1, 4294967295: 'big' },
  setter: { set x(v) {} }, getonly: { get x() { return 1; } },
  nonEnum: Object.defineProperty({ a: 1 }, 'hid', { value: 2 }), sealedObj: Object.seal({ a: 1 }),
};

const arrays = {
  sparse, holeyEnd, arr100: times(120, (i) => i), arrStr: times(30, (i) => 'str' + i), arrBig: times(10, (i) => BigInt(i * i)),
  arrObj: times(7, (i) => ({ a: i })), arrNested: [[[[1]]]], arrHoles: [, , 1, , ], arrUndef: [undefined, null],
  dblHole: [1.5, , 3], arrOfArr: [[1, 2], [3, 4]], arrNeg: [-1.5, 22.25, 3],
  i8: new Int8Array([-1, 2]), u8c: new Uint8ClampedArray([300, 5]), i16: new Int16Array([-300]), u16: new Uint16Array([65535]),
  u32: new Uint32Array([4294967295]), f32: new Float32Array([0.1, 1.5]), bi64: new BigInt64Array([BigInt(-5)]),
  bu64: new BigUint64Array([BigInt('18446744073709551615')]), u8empty: new Uint8Array(0),
  u8off: new Uint8Array(new ArrayBuffer(16), 4, 4), sab: shared, ab0: new ArrayBuffer(0),
  bufLong: Buffer.alloc(60, 1), bufSlice: Buffer.from('hello world').subarray(2, 5),
};

const promises = {
  pNested: Promise.resolve({ a: { b: { c: {} } } }), pRej: Promise.reject(5), pProm: with_(Promise.resolve(1), { extra: 1 }),
};
promises.pRej.catch(() => {});

const K = with_({}, classes, collections, functions, errors, lessErrors, primitives, dates, objects, arrays, promises,
  require('./buffers.js'), require('./corners.js'));

// What util.inspect says, but where it trips: over DataViews without bytes it throws,
// or prints what is not so; until Node 15 it throws for a revoked proxy in an array;
// until Node 18 it takes typed arrays over resizable buffers for plain objects.
function inspect(x, options) {
  try {
    if (util.types.isDataView(x)) new Uint8Array(x.buffer, 0, x.byteLength);
  } catch (e) {
    return 'out of bounds';
  }
  try {
    if (ArrayBuffer.isView(x) && !util.types.isDataView(x) && !util.types.isTypedArray(x)) {
      const same = new x.constructor(x.length);
      for (let i = 0; i < x.length; i++) same[i] = x[i];
      return options ? undefined : util.inspect(same);
    }
    return util.inspect(x, options);
  } catch (e) {
    return undefined;
  }
}

// Of two errors of one place the first is shown, and so asked for its stack; the second is not.
class Twin { make() { return new TypeError('twin'); } constructor(f) { if (f) this.error = f(); } }
const twins = {
  errUnasked: [0, 1].map(function cb() { return new Twin().make(); }),
  errConstructed: [0, 1].map(() => new Twin(() => new RangeError('built')).error),
};
async function late() { await null; return new Error('late'); }
async function later() { return await late(); }

module.exports = async function (out) {
  K.ns = await import('./kinds.mjs');
  twins.errLate = [];
  for (let i = 0; i < 2; i++) twins.errLate.push(await later());
  globalThis.K = K;
  const shown = {};
  for (const name of Object.keys(K)) {
    shown[name] = inspect(K[name]);
    shown['H ' + name] = inspect(K[name], { showHidden: true });
  }
  for (const name of Object.keys(many)) {
    const s = util.inspect(many[name], { maxArrayLength: Infinity });
    shown['A ' + name] = `${s.length}: ${s.slice(0, 200)}...${s.slice(-200)}`;
  }
  for (const name of Object.keys(twins)) {
    shown[name] = inspect(twins[name][0]);
    K[name] = twins[name][1];
  }
  with_(K, many);
  fs.writeFileSync(path.join(out, 'kinds.json'), JSON.stringify(shown));
  (await require('./platform.js')(out))();
};

function die(out) {
  truth.write(out, 'process.abort', { mode: 'kinds' });
  process.abort();
}

if (require.main === module) module.exports(process.argv[2]).then(() => die(process.argv[2]));
