'use strict';
// collect.js DIR: three threads, each with an isolate of its own, fill rings with
// objects and drop them again, so that their heaps are collected over and over;
// make.d/node.sh stops the process within a collection. Each thread has made 5000
// Keepers before, and holds them.
const { Worker, isMainThread, workerData } = require('worker_threads');
const truth = require('./truth.js');

class Keeper {
  constructor(i) { this.i = i; this.name = 'keeper' + i; this.next = null; }
}
class Passing {
  constructor(i) { this.i = i; this.list = [i, String(i)]; }
}
const kept = globalThis.kept = [];
for (let i = 0; i < 5000; i++) kept.push(new Keeper(i));

function churn() {
  const ring = new Array(20000).fill(null);
  for (let i = 0; ; i++) ring[i % ring.length] = new Passing(i);
}

const READY = 0, GO = 1; // of the shared numbers
if (isMainThread) {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  for (let i = 0; i < 2; i++) new Worker(__filename, { workerData: shared });
  setInterval(function go() {
    if (Atomics.load(shared, READY) < 2) return;
    truth.write(process.argv[2], null, { mode: 'collect', constructors: { Keeper: 15000 }, above: ['String', 'Passing', 'new Passing', 'churn'] });
    Atomics.store(shared, GO, 1);
    Atomics.notify(shared, GO);
    churn();
  }, 20);
} else {
  Atomics.add(workerData, READY, 1);
  Atomics.wait(workerData, GO, 0);
  churn();
}
