'use strict';
// Buffers that change under their views, for kinds.js: resizable and growable ones,
// shrunk, grown, detached, transferred, and typed arrays and DataViews over each that
// follow the length, that have one of their own, and that have fallen off the end.
const { MessageChannel } = require('worker_threads');

const RESIZABLE = 'resize' in ArrayBuffer.prototype; // behind --harmony-rab-gsab until Node 20
const SEEN = parseInt(process.versions.v8, 10) >= 10; // before, DataViews know nothing of resizing
// Not their methods: the first releases with resizable buffers abort in those.
const bytes = (buffer) => new Uint8Array(buffer);
const set = (a, from, f) => { for (let i = from; i < a.length; i++) a[i] = f(i); return a; };
const fill = (buffer) => { set(bytes(buffer), 0, (i) => i + 1); return buffer; };

// views makes all kinds of views over a buffer of at least 24 bytes.
function views(name, buffer) {
  const out = { [name]: buffer };
  const add = (kind, ...args) => {
    const size = kind === DataView ? '' : kind.BYTES_PER_ELEMENT * 8;
    if (kind === DataView && !SEEN && (buffer.resizable || buffer.growable)) return;
    out[`${name}_${kind.name}${size}_${args.join('_')}`] = new kind(buffer, ...args);
  };
  add(Uint8Array);
  add(Uint8Array, 3);
  add(Uint8Array, 3, 5);
  add(Uint8Array, 16, 8);
  add(Uint8Array, 24);
  add(Uint8ClampedArray, 2);
  add(Int16Array, 4);
  add(Int16Array, 4, 3);
  add(Int32Array);
  add(Float32Array, 8);
  add(Float64Array);
  add(Float64Array, 8, 1);
  add(BigInt64Array);
  add(DataView);
  add(DataView, 5);
  add(DataView, 5, 3);
  add(DataView, 16, 8);
  out[name + '_Buffer'] = Buffer.from(buffer);
  out[name + '_Buffer_4_6'] = Buffer.from(buffer, 4, 6);
  class Sub extends Uint16Array {}
  out[name + '_Sub'] = new Sub(buffer, 2);
  return out;
}

function changed(name, make, change) {
  const buffer = fill(make());
  const out = views(name, buffer);
  const more = change(buffer);
  if (more) out[name + '_more'] = more;
  return out;
}

function detach(buffer) {
  new MessageChannel().port1.postMessage(buffer, [buffer]);
}

const rab = (n, max) => () => new ArrayBuffer(n, { maxByteLength: max });
const gsab = (n, max) => () => new SharedArrayBuffer(n, { maxByteLength: max });

Object.assign(exports,
  changed('fixed', () => new ArrayBuffer(24), () => {}),
  changed('shared', () => new SharedArrayBuffer(24), () => {}),
  changed('detached', () => new ArrayBuffer(24), detach),
  { onHeap: new Uint8Array([1, 2, 3]), onHeapSeen: new Float64Array([1.5, 2]), empty: new Uint8Array(0), emptyView: new DataView(new ArrayBuffer(0)) });
exports.onHeapSeen.buffer; // moves the elements off the heap
const gone = exports.onHeapGone = new Uint8Array([1, 2, 3]);
detach(gone.buffer);

if (RESIZABLE) {
  Object.assign(exports,
    changed('rab', rab(24, 64), () => {}),
    changed('rabFull', rab(24, 24), () => {}),
    changed('rabGrown', rab(24, 64), (b) => { b.resize(37); set(bytes(b), 30, () => 7); }),
    changed('rabShrunk', rab(24, 64), (b) => b.resize(10)),
    changed('rabTiny', rab(24, 64), (b) => b.resize(3)),
    changed('rabEmpty', rab(24, 64), (b) => b.resize(0)),
    changed('rabBack', rab(24, 64), (b) => { b.resize(2); b.resize(30); }),
    changed('rabPages', rab(24, 1 << 20), (b) => b.resize(70001)),
    changed('rabDetached', rab(24, 64), detach),
    changed('gsab', gsab(24, 64), () => {}),
    changed('gsabGrown', gsab(24, 64), (b) => { b.grow(41); set(bytes(b), 40, () => 9); }),
    changed('gsabFull', gsab(24, 24), () => {}));
  exports.rabLarge = set(bytes(rab(22, 64)()), 0, () => 7); // all of it sevens
  if ('transfer' in ArrayBuffer.prototype) {
    Object.assign(exports,
      changed('moved', () => new ArrayBuffer(24), (b) => bytes(b.transfer())),
      changed('movedLonger', () => new ArrayBuffer(24), (b) => bytes(b.transfer(40))),
      changed('rabMoved', rab(24, 64), (b) => bytes(b.transfer())),
      changed('rabFixed', rab(24, 64), (b) => bytes(b.transferToFixedLength())));
  }
}
if (typeof structuredClone === 'function') {
  Object.assign(exports, changed('cloned', () => new ArrayBuffer(24), (b) => bytes(structuredClone(b, { transfer: [b] }))));
}

// Memory of WebAssembly: a buffer is detached as the memory grows.
const memory = exports.wasmMemory = new WebAssembly.Memory({ initial: 1, maximum: 3 });
const before = fill(memory.buffer);
Object.assign(exports, { wasmBefore: before, wasmBeforeView: bytes(before) });
memory.grow(1);
Object.assign(exports, { wasmAfterView: new Uint8Array(memory.buffer, 65530), wasmDataView: new DataView(memory.buffer, 8, 4) });
if (typeof memory.toResizableBuffer === 'function') {
  const m = new WebAssembly.Memory({ initial: 1, maximum: 3 });
  const view = set(bytes(m.toResizableBuffer()), 0, () => 5);
  m.grow(1);
  exports.wasmResizable = view;
}
