'use strict';
// oom.js DIR: fill the heap until V8 gives up. Run with --max-old-space-size.
const truth = require('./truth.js');

class Leaky {
  constructor(i) {
    this.i = i;
    this.s = 'leak' + i;
    this.arr = [i, i + 1, { x: i }];
  }
}
const all = globalThis.all = [];

function grow() {
  truth.write(process.argv[2], null, { mode: 'oom', above: ['Leaky'] });
  for (let i = 0; i < 1e9; i++) all.push(new Leaky(i));
}
setTimeout(function start() { grow(); }, 1);
