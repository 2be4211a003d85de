'use strict';
// ends.js DIR MODE: ends as programs of Node end, each in a way of its own. js of its
// truth.json is empty where nothing of the program is on the stack any more.
const path = require('path');
const truth = require('./truth.js');

const [dir, mode] = process.argv.slice(2);
Error.stackTraceLimit = Infinity;

class Refusal extends Error {
  constructor(message, code) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}

// The stack is empty when Node learns that nobody handles a promise.
async function rejects() {
  await null;
  truth.empty(dir, { mode, verdict: 'js-unhandled-rejection', error: { name: 'Refusal', message: 'nobody awaits this' } });
  throw new Refusal('nobody awaits this', 'E_ALONE');
}

function rejectsAtOnce() {
  truth.empty(dir, { mode, verdict: 'js-unhandled-rejection', error: { name: 'TypeError', message: 'not what was asked for' } });
  Promise.reject(new TypeError('not what was asked for'));
}

function rejectsText() {
  truth.empty(dir, { mode, verdict: 'js-unhandled-rejection' });
  Promise.reject('just text');
}

function throwsText() {
  truth.write(dir, 'throw "', { mode, verdict: 'js-uncaught' });
  throw "just text";
}

// A timer's callback that throws, and one of an emitter that nobody listens to.
function throwsLater() {
  setTimeout(function later() {
    truth.write(dir, 'throw new', { mode, verdict: 'js-uncaught', error: { name: 'Refusal', message: 'too late' } });
    throw new Refusal('too late', 'E_LATE');
  }, 5);
}

function emitsError() {
  const emitter = new (require('events'))();
  truth.empty(dir, { mode, verdict: 'js-uncaught', error: { name: 'Refusal', message: 'nobody listens' } });
  emitter.emit('error', new Refusal('nobody listens', 'E_DEAF'));
}

function spin(n) {
  let sum = 0;
  for (;;) sum = (sum + n) | 0;
}

// Waits for a signal, in code that never gives the loop back.
function blocks() {
  truth.empty(dir, { mode, verdict: 'js-blocked-loop' });
  require('fs').writeFileSync(path.join(dir, 'ready'), '');
  spin(process.pid);
}

// Waits for a signal as a server does that has nothing to do.
function idles() {
  truth.empty(dir, { mode, verdict: mode === 'idle-gcore' ? 'snapshot' : 'killed' });
  require('net').createServer().listen(0, '127.0.0.1', function listening() {
    require('fs').writeFileSync(path.join(dir, 'ready'), '');
  });
}

// What a worker throws ends it alone; nobody handles what its owner is told.
function workerDies() {
  const { Worker } = require('worker_threads');
  truth.empty(dir, { mode, verdict: 'js-uncaught', error: { name: 'Refusal', message: 'from a worker' } });
  new Worker(`const e = new Error('from a worker'); e.name = 'Refusal'; throw e;`, { eval: true });
}

// A worker that fills its heap bit by bit is ended by Node, as its owner is told; one that
// asks for too much at once takes the process with it.
function workerFills(code) {
  const { Worker } = require('worker_threads');
  truth.empty(dir, { mode, verdict: 'js-heap-limit' });
  const start = () => new Worker(code, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 20, maxYoungGenerationSizeMb: 4 } });
  // One that fills its heap at once may still be ended in time: then once more, until V8 gives up.
  const worker = start();
  if (code === atOnce) worker.on('error', function again() { start().on('error', again); });
}
const bitByBit = "const kept = []; for (;;) kept.push({ n: kept.length, text: 'x'.repeat(10) + kept.length });";
const atOnce = 'let kept = []; for (;;) kept = [kept, new Array(1e7).fill(kept)];';

// A native addon that misuses what it is given, or follows a null pointer.
function misuses() {
  truth.write(dir, ').give_up(', { mode, verdict: 'js-fatal', above: ['give_up'] });
  require(path.join(dir, 'addon.node')).give_up();
}

function crashesBelow() {
  truth.write(dir, ').follow_none(', { mode, verdict: 'null-dereference', above: ['follow_none'] });
  require(path.join(dir, 'addon.node')).follow_none();
}

const modes = { 'misuse': misuses, 'addon': crashesBelow, 'rejection': rejects, 'rejection-at-once': rejectsAtOnce, 'rejection-text': rejectsText, 'throw-text': throwsText,
  'throw-later': throwsLater, 'emit-error': emitsError, 'blocked': blocks, 'blocked-gcore': blocks, 'idle': idles, 'idle-gcore': idles, 'worker': workerDies,
  'worker-limit': () => workerFills(bitByBit), 'worker-full': () => workerFills(atOnce) };
modes[mode]();
