'use strict';
// constructs.js DIR: a hot loop over constructors, methods and functions that
// optimised code expands in each other and that allocate, to be killed from outside
// at any moment, once DIR/ready is there. Which of its calls are with new is told by
// the text at each caller's position.
const fs = require('fs');
const path = require('path');
const truth = require('./truth.js');

const dir = process.argv[2];
Error.stackTraceLimit = Infinity;
const keep = globalThis.keep = { sum: 0 };

class Box {
  constructor(v) {
    this.v = v;
    this.inner = { a: v, list: [v, v + 1, v + 2] };
  }
  get() { return this.inner.list.length + this.v; }
  static of(v) { return new Box(v); }
}
class Crate extends Box {
  constructor(v) {
    super(v + 1);
    this.more = { v, w: { v } };
  }
}
class Lid extends Crate {}
function Old(v) {
  this.v = { v };
  this.list = [v, { v }];
}
function plain(v) { return { v, w: [v, v + 0.5] }; }
function either(v) { return new.target ? undefined : [plain(v), plain(v + 1)]; }
const make = (C, v) => new C(v);

function round(i) {
  const a = new Box(i);
  const b = Box.of(i + 1);
  const c = new Crate(i);
  const d = new Old(i);
  const e = plain(i), f = either(i);
  const g = make(Box, i);
  new Promise(function executor(resolve) { keep.box = plain(i); });
  return a.get() + b.get() + c.get() + d.list.length + e.w.length + f.length + g.v + new Lid(i).get();
}

function spin() {
  const called = ['Box', 'Crate', 'Lid', 'Old', 'Promise'];
  const above = called.concat(called.map((name) => name + '.get'),
    ['round', 'plain', 'either', 'make', 'executor', 'get', 'of', 'Box.of', 'Function.of']);
  truth.write(dir, null, { mode: 'constructs', above });
  fs.writeFileSync(path.join(dir, 'ready'), '');
  for (;;) {
    let sum = 0;
    for (let i = 0; i < 1e4; i++) sum += round(i);
    keep.sum = sum;
  }
}
spin();
