'use strict';
// snapshot.js DIR: an ordinary program, which lets V8 write what it has on its heap to
// DIR/self.heapsnapshot, and dies.
const fs = require('fs');
const path = require('path');
const v8 = require('v8');
const truth = require('./truth.js');

const dir = process.argv[2];

class Session {
  constructor(i) {
    this.id = i;
    this.name = 'session ' + i;
    this.onClose = () => this.id;
  }
}
class Cache { constructor() { this.entries = new Map(); } }

const sessions = [];
for (let i = 0; i < 300; i++) sessions.push(new Session(i));
const meta = new WeakMap();
for (const s of sessions) meta.set(s, { seen: s.id });
const cache = new Cache();
for (let i = 0; i < 200; i++) cache.entries.set('key ' + i, { value: [i, 'v' + i] });
const buffers = [];
for (let i = 0; i < 20; i++) buffers.push(Buffer.alloc(20000, i));
const timer = setInterval(() => sessions.length, 1e6);
globalThis.hold = { sessions, meta, cache, buffers, timer };

truth.write(dir, 'process.abort', { mode: 'snapshot' });
v8.writeHeapSnapshot(path.join(dir, 'self.heapsnapshot'));
fs.chmodSync(path.join(dir, 'self.heapsnapshot'), 0o600);
process.abort();
