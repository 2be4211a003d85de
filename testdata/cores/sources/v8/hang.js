'use strict';
// hang.js DIR MODE: a service that does not go on, and is killed from outside. TestLiveHangs has what each waits for.
const path = require('path');
const truth = require('./truth.js');
const ready = () => require('fs').writeFileSync(path.join(dir, 'ready'), '');

const [dir, mode] = process.argv.slice(2);

// A pool of 4 whose customers keep what they have: of 34 calls 30 wait.
class Pool {
  constructor(n) { this.free = Array.from({ length: n }, (_, i) => i); this.waiting = []; }
  acquire() {
    if (this.free.length > 0) return Promise.resolve(this.free.pop());
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

async function query(pool, id) {
  const connection = await pool.acquire();
  await new Promise(() => {}, id); // the answer never comes
  return connection;
}

async function handle(pool, id) {
  return [id, await query(pool, id)];
}

function pool() {
  truth.empty(dir, { mode, verdict: 'killed' });
  const four = new Pool(4);
  Promise.all(Array.from({ length: 34 }, (_, i) => handle(four, i)));
  setInterval(function heartbeat() {}, 60000);
  ready();
}

// The first thread waits for a lock that is never given back.
function lock() {
  truth.empty(dir, { mode, verdict: 'js-blocked-loop' });
  const word = new Int32Array(new SharedArrayBuffer(4));
  setTimeout(function flush() {
    ready();
    take(word);
  }, 100);
}

function take(word) {
  while (Atomics.compareExchange(word, 0, 0, 1) !== 0 || true) Atomics.wait(word, 0, 1);
}

// Each microtask queues another one. There are two, so that one is in the queue at any moment.
async function poll(state) {
  while (!state.done) await null;
}

function micro() {
  truth.empty(dir, { mode, verdict: 'js-blocked-loop' });
  setTimeout(function start() {
    ready();
    poll({ done: false });
    poll({ done: false });
  }, 100);
}

// An agent of 2 sockets whose server does not answer: of 25 requests 23 wait.
function agent() {
  truth.empty(dir, { mode, verdict: 'killed' });
  const http = require('http');
  const server = http.createServer(function silent() {});
  server.listen(0, '127.0.0.1', () => {
    const two = new http.Agent({ maxSockets: 2, keepAlive: true });
    for (let i = 0; i < 25; i++) http.get({ port: server.address().port, host: '127.0.0.1', agent: two }, function onUser() {});
    setTimeout(ready, 200);
  });
}

({ pool, lock, micro, agent })[mode]();
