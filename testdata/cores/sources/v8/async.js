'use strict';
// async.js DIR: a process in the middle of many things: async functions that wait
// at known places, timers, a server and its connections, a file that is watched, a
// read that does not end. It dies under async callers of many kinds.
const fs = require('fs');
const net = require('net');
const path = require('path');
const { execFileSync } = require('child_process');
const truth = require('./truth.js');

const dir = process.argv[2];
Error.stackTraceLimit = Infinity;
const source = fs.readFileSync(__filename, 'utf8').split('\n');
const keep = globalThis.keep = { orphans: [], nevers: [] };
const never = () => { const p = new Promise(() => {}); keep.nevers.push(p); return p; }; // or it were garbage

// ---- promises that nobody will settle, by the place that awaits them ----

async function one() { await never(); } // awaits one
async function two() {
  const x = 1;
  await never(); // awaits two
  return x;
}
async function callsTwo() { return await two(); } // awaits callsTwo
async function* generates() {
  yield 1;
  yield await never(); // awaits generates
}
async function consumes() {
  for await (const x of generates()) keep.last = x; // awaits consumes
}
async function combines() {
  await Promise.all([never(), Promise.resolve(1), never()]); // awaits combines
}
async function shares(gate) { await gate; } // awaits shares

// How many promises wait in each function; those of "for await" are the engine's.
const waiting = { one: 5, two: 3 + 4, callsTwo: 4, generates: 2, consumes: 2, combines: 1, shares: 1 };

function startWaiting() {
  const times = (n, f) => { for (let i = 0; i < n; i++) keep.orphans.push(f()); };
  const gate = never();
  times(5, one);
  times(3, two);
  times(4, callsTwo);
  times(2, consumes);
  times(1, combines);
  times(6, () => shares(gate)); // six wait for one promise
  keep.then = never().then(function onValue() {}, function onError() {}).finally(function atLast() {});
}

function pending() {
  return Object.keys(waiting).map((name) => {
    const line = source.findIndex((text) => text.includes('// awaits ' + name)) + 1;
    return { name, file: __filename, line, count: waiting[name] };
  });
}

// ---- what the loop waits for ----

const timers = [];
function startTimers() {
  const add = (kind, delay, f) => {
    (kind === 'Interval' ? setInterval : setTimeout)(f, delay);
    timers.push({ kind, delay, function: f.name });
  };
  add('Timeout', 3600000, function firstTimer() {});
  add('Timeout', 3600000, function secondTimer() {});
  add('Timeout', 7200000, function thirdTimer() {});
  add('Interval', 5400000, function everyNowAndThen() {});
}

function startHandles(done) {
  const fifo = path.join(dir, 'fifo');
  execFileSync('/usr/bin/mkfifo', [fifo]);
  fs.watch(dir, function onChange() {});
  const server = net.createServer(function onConnection(socket) {
    keep.accepted = socket;
    fs.open(fifo, 'r+', (err, fd) => {
      if (err) throw err;
      fs.read(fd, Buffer.alloc(16), 0, 16, null, function onRead() {});
      setImmediate(done);
    });
  });
  server.listen(0, '127.0.0.1', () => {
    keep.client = net.connect(server.address().port, '127.0.0.1');
  });
  keep.server = server;
}

const names = (list) => list.map((x) => x.constructor.name).sort();
function loop() {
  const { client, accepted, server } = keep;
  return {
    phase: 'check', timers, immediates: 0,
    handles: names(process._getActiveHandles()), requests: names(process._getActiveRequests()),
    resources: process.getActiveResourcesInfo ? process.getActiveResourcesInfo().sort() : undefined,
    server: { address: '127.0.0.1', port: server.address().port },
    connections: [client, accepted].map((s) => ({ local: s.localPort, remote: s.remotePort })),
  };
}

// ---- the death, seen from await chains ----

function die() {
  truth.write(dir, 'process.abort', { mode: 'async', pending: pending(), loop: loop() });
  process.abort();
}

async function leaf(value) {
  await value;
  die();
}
async function* producer(value) {
  yield 0;
  yield await leaf(value);
}
async function consumer(value) {
  for await (const item of producer(value)) keep.last = item;
}
async function inAll(value) { return await Promise.all([1, consumer(value), 2]); }
const inArrow = async (value) => { await inAll(value); };
class Service {
  async run(value) { return await inArrow(value); }
  static async start(value) { return await new Service().run(value); }
}
async function settles(value) {
  const all = Promise.allSettled ? [Promise.allSettled([Service.start(value)])] : [Service.start(value)];
  await (Promise.any ? Promise.any(all) : all[0]);
}
async function throughThen(value) {
  return await settles(value).then(function onSettled(x) { return x; });
}
async function top(value) {
  try {
    return await throughThen(value);
  } finally {
    keep.done = true;
  }
}

startWaiting();
startTimers();
startHandles(function inCheckPhase() {
  top('value');
});
