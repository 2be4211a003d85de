'use strict';
// fatal.js DIR: an exception that nobody catches, in a process with timers, a server,
// and a worker that is blocked. Run with --abort-on-uncaught-exception.
const { Worker, isMainThread, parentPort } = require('worker_threads');
const net = require('net');
const truth = require('./truth.js');

const dir = process.argv[2];
Error.stackTraceLimit = Infinity;

class Refusal extends Error {
  constructor(message, code) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}

function refuse(worker) {
  truth.write(dir, 'throw new', { mode: 'fatal', workers: [worker],
    error: { name: 'Refusal', message: 'nobody catches this', code: 'E_REFUSED' },
    timers: { timeouts: [600000, 900000], intervals: [700000] }, listening: ['TCPSERVERWRAP'] });
  throw new Refusal('nobody catches this', 'E_REFUSED');
}

function waitForNothing() {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  parentPort.postMessage(truth.frames(truth.frames, 'Atomics.wait'));
  Atomics.wait(shared, 0, 0);
}

if (isMainThread) {
  setTimeout(function later() {}, 600000);
  setTimeout(function muchLater() {}, 900000);
  setInterval(function often() {}, 700000);
  net.createServer().listen(0, '127.0.0.1', function listening() {
    const w = new Worker(__filename, { argv: [dir] });
    w.on('message', function onMessage(frames) {
      setTimeout(function go() { refuse(frames); }, 20);
    });
  });
} else {
  waitForNothing();
}
