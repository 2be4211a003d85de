'use strict';
// leaks.js DIR KIND: programs that leak, each as post-mortems tell it, and such that
// do not. Each adds to its stack in truth.json what it holds and where, and dies by abort:
// {"kind":K, "healthy":bool, "class":C, "variable":V, "line":N, "objects":N, "rule":R, "place":N, "unused":U, "says":[S]}:
// the variable, declared on that line, that holds objects of the class, and the rule
// that knows it by the line of the objects' own code, or of the closure that keeps the
// variable U, which nothing uses. S are numbers and addresses with their words, which the rule has to tell.
const fs = require('fs');
const events = require('events');
const truth = require('./truth.js');

const [dir, kind] = process.argv.slice(2);
const text = fs.readFileSync(__filename, 'utf8').split('\n');
// lineOf returns the line that a mark is on.
const lineOf = (mark) => 1 + text.findIndex((line) => line.endsWith('// here: ' + mark));
const placeOf = (mark) => 1 + text.findIndex((line) => line.endsWith('// at: ' + mark));

class Session {
  constructor(i) {
    this.id = i;
    this.user = { name: 'user ' + i, roles: ['a' + i, 'b'] };
    this.seen = [i, i + 1, i + 2];
  }
}

class Request {
  constructor(i) { this.url = '/path/' + i; this.headers = { host: 'h' + i, agent: 'x' }; }
}

const many = 30000;

const programs = {
  cache() {
    const sessions = new Map(); // here: cache
    for (let i = 0; i < many; i++) sessions.set('key ' + i, new Session(i));
    globalThis.use = () => sessions.size;
    return { class: 'Session', variable: 'sessions', objects: many };
  },
  array() {
    globalThis.history = []; // here: array
    for (let i = 0; i < many; i++) history.push(new Request(i));
    return { class: 'Request', variable: 'history', objects: many };
  },
  listeners() {
    const bus = new events.EventEmitter(); // here: listeners
    bus.setMaxListeners(0);
    for (let i = 0; i < many; i++) { const request = new Request(i); bus.on('change', () => request.url); } // at: listeners
    globalThis.use = () => bus;
    return { variable: 'bus', objects: many, rule: 'unlimited-listeners', place: placeOf(kind) };
  },
  emitter() {
    // Node warns of this one. It is small, and wrong all the same.
    class Feed extends events {}
    const feed = new Feed(); // here: emitter
    process.removeAllListeners('warning');
    const follow = (request) => {
      feed.once('item', () => request.url); // at: emitter
    };
    for (let i = 0; i < 25; i++) follow(new Request(i));
    globalThis.use = () => feed;
    return { class: 'Function', variable: 'feed', objects: 25, rule: 'listeners', place: placeOf(kind) };
  },
  closures() {
    const handlers = []; // here: closures
    const make = (i) => { const body = 'x'.repeat(10) + i + Buffer.alloc(1).toString(); const big = new Array(200).fill(i); return () => big.length + body.length; };
    for (let i = 0; i < many / 10; i++) handlers.push(make(i));
    globalThis.use = () => handlers;
    return { variable: 'handlers', objects: many / 10 };
  },
  promises() {
    const waiting = new Set(); // here: promises
    const never = () => new Promise((done) => { waiting.add(done); });
    const handle = async (i) => { const r = new Request(i); await never(); return r; }; // at: promises
    for (let i = 0; i < many; i++) handle(i);
    globalThis.use = () => waiting;
    return { variable: 'waiting', objects: many, rule: 'promises', place: placeOf(kind) };
  },
  timers() {
    for (let i = 0; i < many; i++) { const s = new Session(i); setTimeout(() => s.id, 1e9); } // at: timers
    return { class: 'Timeout', objects: many, rule: 'timers', place: placeOf(kind) };
  },
  intervals() {
    // Not much memory as yet: the rule sees it, sums alone do not.
    const poll = (i) => {
      const s = new Session(i);
      setInterval(() => s.id++, 1e8 + i % 2); // at: intervals
    };
    for (let i = 0; i < many / 20; i++) poll(i);
    return { class: 'Timeout', objects: many / 20, rule: 'timers', place: placeOf(kind) };
  },
  list() {
    let head = null; // here: list
    for (let i = 0; i < many; i++) head = { next: head, request: new Request(i) };
    globalThis.use = () => head;
    return { variable: 'head', objects: many };
  },
  weakmap() {
    const keys = []; // here: weakmap
    const data = new WeakMap();
    for (let i = 0; i < many; i++) { const k = { i }; keys.push(k); data.set(k, new Session(i)); }
    globalThis.use = () => [keys, data];
    return { variable: 'keys', objects: many };
  },
  context() {
    const vm = require('vm');
    const contexts = []; // here: context
    for (let i = 0; i < 40; i++) contexts.push(vm.runInNewContext('var o = []; for (let i = 0; i < 2000; i++) o.push({ i, s: "s" + i }); o'));
    globalThis.use = () => contexts;
    return { variable: 'contexts', objects: 40, rule: 'contexts' };
  },
  buffers() {
    const chunks = []; // here: buffers
    for (let i = 0; i < 300; i++) chunks.push(Buffer.alloc(1 << 16, i).subarray(0, 10));
    globalThis.use = () => chunks;
    return { variable: 'chunks', objects: 300 };
  },
  strings() {
    const lines = []; // here: strings
    for (let i = 0; i < many; i++) lines.push(('line ' + i + ' of a log that nobody reads ').repeat(4).trim());
    globalThis.use = () => lines;
    return { class: '(string)', variable: 'lines', objects: many };
  },
  shared() {
    // What one function keeps for itself, another that lives on keeps as well.
    const open = (n) => {
      const rows = []; // here: shared
      for (let i = 0; i < n; i++) rows.push(new Session(i));
      const report = () => { const other = {}; return other.rows || rows.length; };
      globalThis.count = report();
      return (rows) => rows || n; // at: shared
    };
    globalThis.use = open(many);
    return { class: 'Session', variable: 'rows', objects: many, rule: 'unused-variables', place: placeOf(kind), unused: 'rows' };
  },
  sharedmany() {
    // The same, little by little: what lives on is a method, and a name in it is its own.
    const open = []; // here: sharedmany
    class Page {
      constructor(i) {
        const text = Buffer.alloc(400, 97).toString('latin1') + i, lines = new Array(100).fill(i);
        const print = () => text + lines;
        this.size = print().length;
        this.close = { close() { for (const lines of open) if (lines === this) return text.length; return 0; } }; // at: sharedmany
      }
    }
    for (let i = 0; i < many / 10; i++) open.push(new Page(i));
    globalThis.use = () => open;
    return { class: 'Array', variable: 'open', objects: many / 10, rule: 'unused-variables', place: placeOf(kind), unused: 'lines' };
  },
  sharedchain() {
    // Each holds the one before by a variable that only a function used which is gone.
    let thing = null;
    const replace = () => {
      const original = thing; // here: sharedchain
      const unused = () => { if (original) console.log('hi'); };
      thing = { text: Buffer.alloc(1 << 14, 97).toString('latin1'), method() { console.log('a message'); }, size: typeof unused }; // at: sharedchain
    };
    for (let i = 0; i < 500; i++) replace();
    globalThis.use = () => thing;
    return { class: 'Object', objects: 499, rule: 'unused-variables', place: placeOf(kind), unused: 'original' };
  },
  local() {
    const rows = []; // here: local
    for (let i = 0; i < many; i++) rows.push(new Session(i));
    finish({ class: 'Session', objects: many, line: lineOf(kind) });
    return rows;
  },
  // Those that do not leak.
  sharing() {
    // As shared does, but that what lives on may use what it keeps: in a function that it
    // would make, by eval, as a method of a class, when it goes on, or when a helper is called.
    const large = () => Array.from({ length: 80 }, (_, i) => new Array(1000).fill(i + 0.5));
    const inside = () => { const rows = large(); const f = () => rows; f(); return () => () => ({ rows }); };
    const evals = () => { const rows = large(); const f = () => rows; f(); return (text) => eval(text); };
    const member = () => { const rows = large(); const f = () => rows; f(); return class { static first = () => rows[0]; last() { return rows; } }; };
    const waits = async () => { const rows = large(); const f = () => rows; f(); const other = () => 1; globalThis.other = other; await new Promise((done) => { globalThis.done = done; }); f(); };
    const steps = function* () { const rows = large(); const f = () => rows; yield () => 1; return f(); };
    const helper = () => { const rows = large(); const help = () => rows.length; const f = () => help() + 1; f(); return () => f; };
    const shown = () => { const rows = large(); const f = () => rows; f(); return { get rows() { return rows; } }; };
    const named = () => { const rows = large(); const f = () => rows; f(); return ({ a = rows }) => a; };
    globalThis.use = [inside(), evals(), member(), waits(), helper(), shown(), named()];
    const generator = steps();
    globalThis.use.push(generator, generator.next().value);
    const running = () => { const rows = large(); const f = () => rows; f(); globalThis.use.push(() => 1); finish({ healthy: true }); return f(); };
    return running();
  },
  stream() {
    // The other end reads nothing, and the program does not heed what write returns.
    const net = require('net');
    const server = net.createServer((peer) => peer.pause());
    server.listen(0, '127.0.0.1', () => {
      const socket = net.connect(server.address().port, '127.0.0.1', () => {
        const says = [`peer ${socket.remoteAddress} port ${socket.remotePort}`, `file descriptor ${socket._handle.fd}`];
        do socket.write(Buffer.alloc(32768)); while (socket.writableLength === 0); // the system takes no more
        for (let i = 0; i < many; i++) socket.write('a line of text with the number ' + i + '\n');
        says.push(`${socket.writableLength} bytes`, `to the ${socket.constructor.name} at`, `high-water mark is ${socket.writableHighWaterMark}`);
        finish({ healthy: false, rule: 'streams', says });
      });
    });
  },
  idle() { setInterval(() => {}, 1e9); return { healthy: true }; },
  churn() {
    let n = 0;
    for (let i = 0; i < 200000; i++) n += new Session(i).seen.length;
    if (globalThis.gc) gc();
    globalThis.n = n;
    return { healthy: true };
  },
  server() {
    const server = require('http').createServer((q, r) => r.end('ok'));
    globalThis.server = server;
    return { healthy: true };
  },
  lru() {
    const cache = new Map();
    for (let i = 0; i < 100000; i++) { cache.set(i, new Session(i)); if (cache.size > 500) cache.delete(cache.keys().next().value); }
    globalThis.use = () => cache.size;
    return { healthy: true };
  },
  busy() {
    // Much of what rules look at, as healthy programs have it.
    const bus = new events.EventEmitter();
    bus.setMaxListeners(200);
    for (let i = 0; i < 60; i++) bus.on('change', () => i);
    for (let i = 0; i < 10; i++) bus.on('end', () => i);
    for (let i = 0; i < 200; i++) setTimeout(() => i, 5000);
    const wait = async (p) => { await p; };
    const never = new Promise(() => {});
    for (let i = 0; i < 200; i++) wait(never);
    const sandbox = require('vm').createContext({});
    globalThis.use = () => [bus, never, sandbox];
    return { healthy: true };
  },
  modules() { for (const m of ['http', 'crypto', 'zlib', 'vm', 'util', 'url', 'stream', 'readline', 'tls', 'http2']) require(m); return { healthy: true }; },
  mixed() {
    globalThis.config = { a: [1, 2, 3], b: new Map([[1, 2]]), c: new Set([1]) };
    globalThis.small = Array.from({ length: 1000 }, (_, i) => new Session(i));
    return { healthy: true };
  },
};

function finish(held) {
  truth.write(dir, 'process.abort', { mode: 'leak', kind, rule: '', ...held });
  process.abort();
}

const held = programs[kind]();
if (held) finish({ healthy: false, line: lineOf(kind), ...held }); // else it goes on, and ends itself
