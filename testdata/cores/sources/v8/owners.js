'use strict';
// owners.js DIR: a program that leaks in seven places at once, each in another shape of owner.
// It adds to its stack in truth.json what leaks and what holds it, outward, and dies by abort:
// {"leaks":[{"class":C, "objects":N, "owners":[O, …], "rule":R}]}: an owner is "property of class",
// or a variable; those that the program names itself. Each leak is at least a tenth of the heap.
const { Writable } = require('stream');
const truth = require('./truth.js');

const dir = process.argv[2];
const many = 20000;
const leaks = [];
const kept = [];

const text = (i) => ({ id: i, name: 'number ' + i, near: [i, i + 1, i + 2] });
class Answer { constructor(i) { this.body = text(i); } }
class Secret { constructor(i) { this.body = text(i); } }
class Row { constructor(i) { this.body = text(i); } }
class Edit { constructor(i, before) { this.body = text(i); this.before = before; } }
class Part { constructor(i) { this.body = text(i); } }
class Sample { constructor(i) { this.body = text(i); } }

class ResponseCache {
  constructor() { this.byUrl = new Map(); }
  put(url, answer) { this.byUrl.set(url, answer); }
}
class Api {
  constructor() { this.cache = new ResponseCache(); }
}
function service() {
  const api = new Api();
  for (let i = 0; i < many; i++) api.cache.put('/' + i, new Answer(i));
  kept.push(api);
  leaks.push({ class: 'Answer', objects: many, owners: ['byUrl of ResponseCache', 'cache of Api'] });
}

class Vault {
  #store = new Map();
  put(i) { this.#store.set(i, new Secret(i)); }
}
function hidden() {
  const vault = new Vault();
  for (let i = 0; i < many; i++) vault.put(i);
  kept.push(vault);
  leaks.push({ class: 'Secret', objects: many, owners: ['#store of Vault'] });
}

class Index {
  constructor() { this.byTenant = new Map(); }
  put(tenant, i) {
    if (!this.byTenant.has(tenant)) this.byTenant.set(tenant, new Map());
    this.byTenant.get(tenant).set(i, new Row(i));
  }
}
function nested() {
  const index = new Index();
  for (let i = 0; i < many; i++) index.put('tenant ' + i % 40, i);
  kept.push(index);
  leaks.push({ class: 'Row', objects: many, owners: ['byTenant of Index'] });
}

class History {
  constructor() { this.last = null; }
  add(i) { this.last = new Edit(i, this.last); }
}
class Editor {
  constructor() { this.history = new History(); }
}
function list() {
  const editor = new Editor();
  for (let i = 0; i < many; i++) editor.history.add(i);
  kept.push(editor);
  leaks.push({ class: 'Edit', objects: many, owners: ['last of History', 'history of Editor'] });
}

function Machine() {}
Machine.prototype.parts = [];
function shared() {
  const machine = new Machine();
  for (let i = 0; i < many; i++) machine.parts.push(new Part(i));
  kept.push(machine);
  leaks.push({ class: 'Part', objects: many, owners: ['parts of Machine'] });
}

async function pump() {
  const seen = [];
  for (let i = 0; i < many; i++) seen.push(new Sample(i));
  await new Promise((done) => { kept.push(done); });
  return seen.length;
}
function waits() {
  pump();
  leaks.push({ class: 'Sample', objects: many, owners: ['a local variable of pump'] });
}

class Slow extends Writable {
  _write() {} // never done
}
class Report {
  constructor() { this.out = new Slow(); }
}
function stream() {
  const report = new Report();
  for (let i = 0; i < many; i++) report.out.write('line ' + i + ' ' + 'x'.repeat(50) + '\n');
  kept.push(report);
  leaks.push({ class: '', objects: 0, owners: ['', '_writableState of Slow', 'out of Report'], rule: 'streams' });
}

function finish() {
  truth.write(dir, 'process.abort', { mode: 'owners', leaks });
  process.abort();
}

for (const leak of [service, hidden, nested, list, shared, waits, stream]) leak();
globalThis.use = () => kept;
global.gc();
finish();
