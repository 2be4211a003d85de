'use strict';
// One value of each kind that V8 lays out differently, under the global T (its
// marker is V8TESTROOT), and counted instances of classes under the global keep.
// account() is what is true about both, for truth.json.

class Widget {
  constructor(i) {
    this.id = i;
    this.name = 'widget' + i;
    this.next = null;
  }
  get label() { return '#' + this.id; }
}

class Gadget extends Widget {
  constructor(i) {
    super(i);
    this.weight = i + 0.5;
    this.flag = (i & 1) === 0;
  }
}

function OldStyle(a) {
  this.a = a;
  this.b = { nested: a };
}
OldStyle.prototype.hello = function () { return this.a; };

const times = (n, make) => {
  const list = [];
  for (let i = 0; i < n; i++) list.push(make(i));
  return list;
};

const keep = {
  widgets: times(1234, (i) => new Widget(i)),
  gadgets: times(777, (i) => new Gadget(i)),
  old: times(55, (i) => new OldStyle(i)),
  lits: times(321, (i) => ({ litA: i, litB: 'x' + i, litC: [i] })),
};

function makeCounter(start) {
  let count = start;
  const label = 'ctr';
  return function counter() {
    count++;
    return label + count;
  };
}

const symbol = Symbol('mySymbol');
const big = BigInt('123456789012345678901234567890');
const long = 'abcdefghij'.repeat(20);
const buffer = new ArrayBuffer(24);

const numbers = {
  smi: 42, negsmi: -7, smimax: 2147483647,
  dbl: 3.25, bigdbl: 1e300, nan: NaN, negzero: -0, inf: -Infinity,
  big, negbig: -big,
  boxedNum: Object(5), dblField: { d: 1.5, e: 2.5 },
};

const oddballs = { yes: true, no: false, nul: null, und: undefined };

// cons and thin strings need contents that no constant folding can know.
const thinKey = 'thin' + process.pid + 'key';
const thinHolder = {};
thinHolder[thinKey] = 1;
const strings = {
  seq1: 'hello one byte', seq2: 'h\u00e9llo \u4e16\u754c', empty: '',
  cons: long + 'hello one byte' + process.pid,
  cons2: long + process.pid + '\u4e16',
  sliced: long.slice(3, 60),
  thin: thinKey, thinHolder,
  boxedStr: Object('boxed'), sym: symbol,
};

const arrays = {
  arrSmi: [1, 2, 3], arrDbl: [1.5, 2.5, 3.5], arrObj: ['a', { z: 1 }, null],
  arrHoley: [1, , 3], arrHoleyDbl: [1.5, , 2.5], arrDict: [], arrEmpty: [],
  frozenArr: Object.freeze(['f1', 'f2']), sealedArr: Object.seal([9, 8]),
  u8: new Uint8Array([1, 2, 3, 250]), f64: new Float64Array([1.25, -2]), i32: new Int32Array(1000),
  buf: Buffer.from('buffer text'), ab: buffer, dv: new DataView(buffer, 8, 8),
  args: (function () { return arguments; })(1, 'two', 3),
  sargs: (function (a, b) { return arguments; })(4, 5),
};
arrays.arrDict[0] = 'zero';
arrays.arrDict[100000] = 'big';

const objects = {
  dict: {}, smallDict: { a: 1, b: 'bee', c: 2.5 }, outOfObject: { in1: 1, in2: 'two' },
  nullProto: Object.assign(Object.create(null), { np: 'npv' }),
  inext: Object.preventExtensions({ p: 1 }), frozen: Object.freeze({ fz: 1, fy: 'x' }),
  getterObj: {
    get computed() { return 1; }, set computed(v) {},
    plain: 1, ['comp' + 'uted2']: 2, [symbol]: 'symval', 10: 'ten', 5: 'five',
  },
  widget: new Widget(9999), gadget: new Gadget(8888), old: new OldStyle('olda'),
  proxy: new Proxy({ target: 1 }, { get(t, k) { return t[k]; } }),
  // new Function: an old parser must be able to read the rest of this file
  privat: new (new Function('return class Priv { #secret = 13; pub = 2; static sfield = 3; m() { return this.#secret; } }')())(),
  intl: null,
};
for (let i = 0; i < 1200; i++) objects.dict['key' + i] = i;
delete objects.dict.key3;
objects.dict.kobj = { inDict: true };
delete objects.smallDict.a;
objects.smallDict.d = null;
for (let i = 0; i < 30; i++) objects.outOfObject['oo' + i] = i * 1.5;

const builtins = {
  map: new Map([['k1', 'v1'], [2, { two: 2 }]]), set: new Set([1, 'two', 3.5]),
  date: new Date(86400000 * 365), re: /ab+c/gi, err: new TypeError('my error message'),
  wm: new WeakMap(), ws: new WeakSet(),
  wref: typeof WeakRef === 'undefined' ? null : new WeakRef(objects.widget),
  promResolved: Promise.resolve(17), promRejected: Promise.reject(new Error('rejected')),
};
builtins.promRejected.catch(() => {});
builtins.wm.set(objects.widget, 'weak value');

const functions = {
  fn: makeCounter, closure: makeCounter(5), arrow: (x) => x + keep.widgets.length,
  bound: makeCounter.bind({ thisArg: 1 }, 77), klass: Gadget,
  genfn: function* g1(x) {
    const inner = x * 2;
    yield inner;
    yield inner + 1;
  },
  asyncfn: async function af1() { await new Promise(() => {}); },
};
functions.gen = functions.genfn(21);
functions.gen.next();
functions.prom = functions.asyncfn();

const T = Object.assign({ marker: 'V8TESTROOT' },
  numbers, oddballs, strings, arrays, objects, builtins, functions, { glob: 1 });
T.self = T;
globalThis.T = T;
globalThis.keep = keep;
exports.T = T;
exports.keep = keep;

// Paths below the globals whose values JSON can say, with a bigint as its digits
// and an n: account() looks each up by walking the path.
const paths = [
  'T.marker', 'T.smi', 'T.negsmi', 'T.smimax', 'T.dbl', 'T.bigdbl', 'T.big', 'T.negbig', 'T.dblField.d',
  'T.yes', 'T.no', 'T.nul', 'T.seq1', 'T.seq2', 'T.empty', 'T.sliced', 'T.thin',
  'T.arrSmi[2]', 'T.arrDbl[1]', 'T.arrObj[1].z', 'T.arrHoley[2]', 'T.arrHoleyDbl[2]', 'T.arrDict[100000]',
  'T.frozenArr[0]', 'T.u8[3]', 'T.f64[0]', 'T.sargs[1]', 'T.dict.key1199', 'T.dict.kobj.inDict', 'T.smallDict.b',
  'T.outOfObject.in2', 'T.outOfObject.oo29', 'T.nullProto.np', 'T.getterObj[10]', 'T.widget.name', 'T.gadget.weight',
  'T.old.b.nested', 'T.privat.pub', 'T.err.message', 'T.self.self.smi',
  'keep.widgets[1233].name', 'keep.gadgets[776].flag', 'keep.old[54].a', 'keep.lits[320].litC[0]',
];

function valueAt(place) {
  const keys = place.replace(/\[/g, '.').replace(/\]/g, '').split('.');
  let value = globalThis;
  for (const key of keys) value = value[key];
  return typeof value === 'bigint' ? value + 'n' : value;
}

exports.account = function account() {
  const values = {};
  for (const place of paths) values[place] = valueAt(place);
  // Writing a rope down flattens it: what is written is another one.
  keep.rope = long + process.pid + '\u4e16';
  values['keep.rope'] = long + process.pid + '\u4e16';
  return {
    heap: {
      constructors: {
        Widget: keep.widgets.length + 1, Gadget: keep.gadgets.length + 1, OldStyle: keep.old.length + 1, Priv: 1,
      },
      shapes: [{ props: ['litA', 'litB', 'litC'], count: keep.lits.length }],
    },
    values,
  };
};
