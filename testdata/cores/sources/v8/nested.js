'use strict';
// nested.js DIR: dies in a microtask that a timer's successor lets run
// (runNextTicks), so that functions which await stand behind those that are on the
// stack. Promises wait that builtins with a generator in hand go on with: only the
// functions that await them count.
const fs = require('fs');
const truth = require('./truth.js');

const dir = process.argv[2];
Error.stackTraceLimit = Infinity;
const source = fs.readFileSync(__filename, 'utf8').split('\n');
const keep = globalThis.keep = [];
const never = () => { const p = new Promise(() => {}); keep.push(p); return p; };

// ---- promises that nobody will settle ----

async function* slow() {
  yield 1;
  yield await never(); // awaits slow
}
function* values() { yield never(); }
async function overSync() {
  for await (const x of values()) keep.push(x); // awaits overSync
}
async function collects() { await Array.fromAsync(slow()); } // awaits collects
async function collectsList() { await Array.fromAsync([never()]); } // awaits collectsList
async function finishes() { await Promise.resolve(values()).finally(never); } // awaits finishes

const waiting = { overSync: 2, finishes: 3 };
function startWaiting() {
  const times = (n, f) => { for (let i = 0; i < n; i++) keep.push(f()); };
  times(2, overSync);
  times(3, finishes);
  if (!Array.fromAsync) return;
  times(4, collects);
  times(5, collectsList);
  Object.assign(waiting, { slow: 4, collects: 4, collectsList: 5 });
}

function pending() {
  return Object.keys(waiting).map((name) => {
    const line = source.findIndex((text) => text.includes('// awaits ' + name)) + 1;
    return { name, file: __filename, line, count: waiting[name] };
  });
}

// ---- the death ----

function die() {
  truth.write(dir, 'process.abort', { mode: 'nested', pending: pending(), loop: { timers: [] } });
  process.abort();
}

async function leaf() {
  await null;
  die();
}
async function* items() { yield await leaf(); }
async function middle() { for await (const x of items()) keep.push(x); }
async function behind() { return Array.fromAsync ? await Array.fromAsync([1], middle) : await middle(); }

startWaiting();
setTimeout(function first() {
  process.nextTick(() => {});
  behind();
}, 5);
setTimeout(function second() {}, 5);
const until = Date.now() + 20;
while (Date.now() < until); // or they are not due together
