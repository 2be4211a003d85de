'use strict';
// workers.js DIR: three worker threads, each an isolate of its own with a stack of
// its own, all blocked in Atomics.wait; the main thread dies on the last message. Two have a
// name, a short and a long one, where Node gives them one (from 18.16 on).
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const truth = require('./truth.js');

const dir = process.argv[2];
Error.stackTraceLimit = Infinity;

function die(workers, workerHeaps) {
  truth.write(dir, 'process.abort', { mode: 'workers', workers, workerHeaps, workerNames: names });
  process.abort();
}

const names = ['first', 'the sécond one, with a long name', ''];

class Cargo {
  constructor(i) { this.weight = i; }
}

const tell = (frames) => parentPort.postMessage(frames);
const shared = new Int32Array(new SharedArrayBuffer(8));
function waitInAlpha() {
  tell(truth.frames(truth.frames, 'Atomics.wait'));
  Atomics.wait(shared, 0, 0);
}
function waitInBeta() {
  tell(truth.frames(truth.frames, 'Atomics.wait'));
  Atomics.wait(shared, 0, 0);
}
function waitInGamma() {
  tell(truth.frames(truth.frames, 'Atomics.wait'));
  Atomics.wait(shared, 0, 0);
}

const errands = {
  alpha() { return waitInAlpha(); },
  beta() { return [1].map(function each() { return waitInBeta(); }); },
  gamma() {
    return new (class Depot {
      constructor() { this.result = Array.from({ length: 1 }, () => this.open); }
      get open() { return waitInGamma(); }
    })();
  },
};

if (isMainThread) {
  const workers = [];
  for (const [i, errand] of Object.keys(errands).entries()) {
    const w = new Worker(__filename, { ...(names[i] && { name: names[i] }), argv: [dir], workerData: { errand, cargo: (i + 1) * 100 } });
    w.on('message', function onMessage(frames) {
      workers[i] = frames;
      if (Object.keys(workers).length < 3) return;
      setTimeout(function go() { die(workers, [100, 200, 300].map((n) => ({ constructors: { Cargo: n } }))); }, 50);
    });
  }
} else {
  globalThis.cargo = Array.from({ length: workerData.cargo }, (_, i) => new Cargo(i));
  errands[workerData.errand]();
}
