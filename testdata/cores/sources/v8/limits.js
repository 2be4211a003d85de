'use strict';
// limits.js DIR: what V8 says of its heaps, written into statistics.json right
// before the death: those of the main thread, and of a worker with limits of its
// own that is blocked in Atomics.wait. Run with --max-old-space-size and
// --max-semi-space-size.
const { Worker, isMainThread, parentPort } = require('worker_threads');
const fs = require('fs');
const path = require('path');
const v8 = require('v8');
const vm = require('vm');
const truth = require('./truth.js');

const dir = process.argv[2];
Error.stackTraceLimit = Infinity;

const say = () => ({ heap: v8.getHeapStatistics(), spaces: v8.getHeapSpaceStatistics() });

// Bytes outside the heap, two contexts beside the main one.
globalThis.held = {
  buffers: [Buffer.alloc(3000000), new ArrayBuffer(5000000)],
  contexts: [vm.createContext({ a: 1 }), vm.createContext({ b: 2 })],
};

function die(worker) {
  truth.write(dir, 'process.abort', { mode: 'limits', workers: [worker.frames] });
  for (let i = 0; i < 3; i++) {
    fs.writeFileSync(path.join(dir, 'statistics.json'), JSON.stringify([say(), worker.statistics]));
  }
  process.abort();
}

function workerBlocks() {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const frames = truth.frames(truth.frames, 'Atomics.wait');
  say();
  parentPort.postMessage({ frames, statistics: say() });
  Atomics.wait(shared, 0, 0);
}

if (isMainThread) {
  const w = new Worker(__filename, { argv: [dir], resourceLimits: { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 6 } });
  w.on('message', function onMessage(worker) {
    setTimeout(function go() { die(worker); }, 50);
  });
} else {
  workerBlocks();
}
