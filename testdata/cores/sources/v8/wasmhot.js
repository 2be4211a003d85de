'use strict';
// wasmhot.js DIR: functions of WebAssembly that are called until they are expanded
// in each other, from JavaScript that is optimised, and the other way round.
const hook = require('./hook.js');

const last = 1000000;
const turn = hook.arm(process.argv[2], 'wasmhot', last);

// wasmModule makes the bytes of a module whose functions call each other in turn,
// the last of them the import m.f, the first exported as run:
//   (module $NAME (import "m" "f" (func (param i32) (result i32)))
//     (func $A (export "run") (param i32) (result i32) local.get 0 call $B) …)
function wasmModule(name, names) {
  const text = (s) => [s.length, ...Buffer.from(s)];
  const section = (id, ...body) => [id, body.length, ...body];
  const each = (make) => [].concat(...names.map((_, i) => make(i)));
  return new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0,
    ...section(1, 1, 96, 1, 127, 1, 127),
    ...section(2, 1, ...text('m'), ...text('f'), 0, 0),
    ...section(3, names.length, ...each(() => [0])),
    ...section(7, 1, ...text('run'), 0, 1),
    ...section(10, names.length, ...each((i) => [6, 0, 32, 0, 16, i + 1 < names.length ? i + 2 : 0, 11])),
    ...section(0, ...text('name'), ...section(0, ...text(name)),
      ...section(1, names.length, ...each((i) => [i + 1, ...text(names[i])]))),
  ]);
}
const link = (bytes, f) => new WebAssembly.Instance(new WebAssembly.Module(bytes), { m: { f } }).exports.run;
const low = link(wasmModule('low', ['first', 'second']), function leaf(n) { return turn() + n; });
const high = link(wasmModule('high', ['outer', 'middle', 'inner']), (n) => low(n + 1));
const hot = (n) => high(n) + 1;
const caller = (n) => [n].map((x) => hot(x))[0];

hook.limit(200);
let sum = 0;
for (let i = 0; i < last; i++) sum += caller(i & 7);
