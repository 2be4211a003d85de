// ticks.mjs: a program of Deno that has callbacks queued, of process.nextTick and as microtasks, and
// runs for ever before their turn. It says which.
import process from 'node:process';
import { writeFileSync } from 'node:fs';

const named = (name) => ({ [name]() {} })[name];
const said = { ticks: [], microtasks: [] };
async function waits(p) { await p; }
setTimeout(function blocks() {
  for (let i = 0; i < 5000; i++) { // more than one ring of the queue has
    const name = 'tick' + i;
    process.nextTick(named(name), i);
    said.ticks.push(name);
  }
  for (const name of ['one', 'two', 'three']) {
    queueMicrotask(named(name));
    said.microtasks.push(`callback ${name}`);
  }
  Promise.resolve(1).then(named('reaction'));
  said.microtasks.push('reaction reaction');
  waits(Promise.resolve(2));
  said.microtasks.push('await waits');
  writeFileSync('said.json', JSON.stringify(said));
  for (;;);
}, 300);
