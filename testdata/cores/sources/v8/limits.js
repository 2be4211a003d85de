'use strict';
// limits.js DIR: what V8 says of its heaps, written into statistics.json right
// before the death: those of the main thread, and of a worker with limits of its
// own that is blocked in Atomics.wait. Run with --max-old-space-size and
// --max-semi-space-size, and with --single-threaded: a thread that sweeps or
// compiles in the background would change the numbers behind the account. Each
// thread writes an account again until what V8 says behind the writing agrees.
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const fs = require('fs');
const path = require('path');
const v8 = require('v8');
const vm = require('vm');
const truth = require('./truth.js');

const dir = process.argv[2];
Error.stackTraceLimit = Infinity;

const say = () => ({ heap: v8.getHeapStatistics(), spaces: v8.getHeapSpaceStatistics() });

// What an account takes itself, in bytes: it is on the heap, as its text is.
const own = 16 << 10;

// agree: whether V8's numbers are those of before, but for what an account takes.
function agree(before, after) {
  for (const k of Object.keys(before)) {
    const was = before[k], is = after[k];
    if (typeof was === 'object') {
      if (!agree(was, is)) return false;
    } else if (/available|used_heap|space_used|physical/.test(k)) {
      const more = k.includes('available') ? was - is : is - was;
      if (more < 0 || more > own) return false;
    } else if (k !== 'total_allocated_bytes' && was !== is) {
      return false;
    }
  }
  return true;
}

// account writes what V8 says into a file, and behind that the text more, once it
// stays as it is.
function account(file, more) {
  for (let i = 0; i < 1000; i++) {
    const said = say();
    fs.writeFileSync(path.join(dir, file), `[${JSON.stringify(said)}${more}]`);
    if (agree(said, say())) return;
  }
  throw new Error(file + ': the numbers do not settle');
}

// Bytes outside the heap, two contexts beside the main one.
globalThis.held = {
  buffers: [Buffer.alloc(3000000), new ArrayBuffer(5000000)],
  contexts: [vm.createContext({ a: 1 }), vm.createContext({ b: 2 })],
};

const ACCOUNT = 1; // of the shared numbers

function die(worker) {
  truth.write(dir, 'process.abort', { mode: 'limits', workers: [worker] });
  const its = fs.readFileSync(path.join(dir, 'worker.json'), 'utf8');
  account('statistics.json', ',' + its.slice(1, -1));
  process.abort();
}

function workerBlocks(shared) {
  parentPort.postMessage(truth.frames(truth.frames, 'Atomics.wait'));
  account('worker.json', '');
  Atomics.store(shared, ACCOUNT, 1);
  Atomics.wait(shared, 0, 0);
}

if (isMainThread) {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const w = new Worker(__filename, {
    argv: [dir], workerData: shared, resourceLimits: { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 6 },
  });
  w.on('message', function onMessage(worker) {
    setTimeout(function go() {
      if (Atomics.load(shared, ACCOUNT) === 0) setTimeout(go, 50);
      else die(worker);
    }, 50);
  });
} else {
  workerBlocks(workerData);
}
