'use strict';
// garbage.js DIR: objects that are held in many ways, and objects that are held no
// more; then what V8 itself counts as held, by class, from a heap snapshot.
const fs = require('fs');
const path = require('path');
const v8 = require('v8');
const truth = require('./truth.js');

const dir = process.argv[2];

class Held { constructor(i) { this.i = i; } }
class ByClosure { constructor(i) { this.i = i; } }
class ByMap { constructor(i) { this.i = i; } }
class ByWeakMap { constructor(i) { this.i = i; } }
class ByPromise { constructor(i) { this.i = i; } }
class ByRegistry { constructor(i) { this.i = i; } }
class ByTimer { constructor(i) { this.i = i; } }
class LostKey { constructor(i) { this.i = i; } }
class LostValue { constructor(i) { this.i = i; } }
class Dropped { constructor(i) { this.i = i; this.other = null; } }

const hold = globalThis.hold = { list: [], closures: [], map: new Map(), weak: new WeakMap(), promises: [] };
if (typeof FinalizationRegistry === 'function') hold.registry = new FinalizationRegistry(() => {});
function fill() {
  for (let i = 0; i < 1000; i++) {
    const held = new Held(i);
    hold.list.push(held);
    const secret = new ByClosure(i);
    hold.closures.push(() => secret);
    hold.map.set(i, new ByMap(i));
    hold.weak.set(held, new ByWeakMap(i));
    hold.promises.push(Promise.resolve(new ByPromise(i)));
    if (hold.registry) hold.registry.register(held, new ByRegistry(i));
  }
}
function drop() {
  let ring = null;
  for (let i = 0; i < 4000; i++) {
    const d = new Dropped(i);
    d.other = ring; // a list, and each end of it refers to the other
    ring = d;
    hold.weak.set(new LostKey(i), new LostValue(i));
  }
  return ring.i;
}

// The objects of each class in a snapshot.
function snapshot() {
  const file = path.join(dir, 'snapshot.json');
  v8.writeHeapSnapshot(file);
  const s = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.unlinkSync(file);
  const fields = s.snapshot.meta.node_fields;
  const type = fields.indexOf('type'), name = fields.indexOf('name');
  const types = s.snapshot.meta.node_types[type];
  const counts = {};
  for (let i = 0; i < s.nodes.length; i += fields.length) {
    if (types[s.nodes[i + type]] !== 'object') continue;
    const n = s.strings[s.nodes[i + name]];
    counts[n] = (counts[n] || 0) + 1;
  }
  return counts;
}

fill();
setTimeout(function go() {
  const timer = setTimeout(() => {}, 1e6);
  timer.payload = new ByTimer(1);
  const counts = snapshot();
  const classes = {};
  if (hold.registry) classes.ByRegistry = counts.ByRegistry;
  for (const c of [Held, ByClosure, ByMap, ByWeakMap, ByPromise, ByTimer]) classes[c.name] = counts[c.name];
  fs.writeFileSync(path.join(dir, 'counts.json'), JSON.stringify(counts));
  truth.write(dir, 'process.abort', { mode: 'garbage', classes, dropped: 4000 });
  drop();
  process.abort();
}, 20);
