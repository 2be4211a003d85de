'use strict';
// plain.js DIR: no natives syntax. Functions that became hot on their own, and a
// worker thread with its own isolate, blocked in Atomics.wait.
const { Worker, isMainThread, parentPort } = require('worker_threads');
const truth = require('./truth.js');

const dir = process.argv[2];
let worker = [];
Error.stackTraceLimit = Infinity;

function die(x) {
  truth.write(dir, 'process.abort', { mode: 'plain', workers: [worker] });
  process.abort();
  return x;
}
function leaf(n, cb) { return cb(n + 1); }
function middle(n, cb) {
  let t = 0;
  for (let i = 0; i < 10; i++) t += i;
  return leaf(n + t, cb);
}
function hot(n, cb) { return middle(n, cb) | 0; }

const callbacks = [(x) => x, (x) => x * 2, function negate(x) { return -x; }, (x) => x ^ 1, (x) => x + 3];
let sum = 0;
for (let i = 0; i < 300000; i++) sum += hot(i & 1023, callbacks[i % 5]);

class WorkerItem {
  constructor(i) { this.wi = i; }
}

function workerBlocks() {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  parentPort.postMessage(truth.frames(truth.frames, 'Atomics.wait'));
  Atomics.wait(shared, 0, 0);
}

if (isMainThread) {
  const w = new Worker(__filename, { argv: [dir] });
  w.on('message', function onMessage(frames) {
    worker = frames;
    setTimeout(function go() { hot(5, die); }, 50);
  });
} else {
  globalThis.workerKeep = [];
  for (let i = 0; i < 99; i++) globalThis.workerKeep.push(new WorkerItem(i));
  workerBlocks();
}
