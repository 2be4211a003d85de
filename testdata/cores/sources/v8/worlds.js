'use strict';
// worlds.js DIR: objects of JavaScript that have memory of the heap of C. The module worlds.node says where. worlds.txt gets a line
// for each: what it is, its address and size, the class of the object that leads to it, and what holds that.
const fs = require('fs');
const path = require('path');
const dir = process.argv[2];
const native = require(path.join(dir, 'worlds.node'));

class Store {
  constructor() {
    this.cache = Buffer.alloc(1 << 20, 'c');
    this.plain = new ArrayBuffer(300000);
    this.view = new Float64Array(5000);
  }
}
class Peer {}

const store = new Store();
const peer = new Peer();
const lines = [];
const say = (what, text, object, holder) => lines.push(`${what} ${text} ${object} ${holder}`);
say('buffer', native.data(store.cache.buffer), 'ArrayBuffer', 'cache of Store');
say('plain', native.data(store.plain), 'ArrayBuffer', 'plain of Store');
say('view', native.data(store.view.buffer), 'ArrayBuffer', 'view of Store');
say('external', native.external(peer), '-', 'external of Peer');
say('outside', native.outside(peer), 'ArrayBuffer', 'outside of Peer');
say('wrapped', native.wrap(peer), '-', 'kept');
// Small buffers share memory that is not cleared: the address of a block in it holds nothing.
const stale = Buffer.allocUnsafe(8);
stale.writeBigUInt64LE(BigInt(lines.find((l) => l.startsWith('external ')).split(' ')[1]));
globalThis.kept = [store, peer, stale];
fs.writeFileSync(path.join(dir, 'worlds.txt'), lines.join('\n') + '\n');
fs.writeFileSync(path.join(dir, 'frames.json'), JSON.stringify({
  name: path.basename(dir), core: 'core', exe: process.execPath, node: process.version.slice(1), verdict: 'js-abort',
}, null, 1) + '\n');
process.abort();
