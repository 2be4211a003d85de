'use strict';
// A program that changes its environment and dies; the truth is what util.inspect prints of it,
// and of the copy that a worker thread has.
const fs = require('fs');
const path = require('path');
const util = require('util');
const { Worker, isMainThread, parentPort, threadId } = require('worker_threads');
const truth = require('./truth.js');
const dir = process.argv[2];

if (!isMainThread) {
  process.env.OF_WORKER = 'yes';
  parentPort.postMessage(util.inspect(process.env));
  setInterval(() => threadId, 1000);
} else {
  process.env.ADDED = 'später \u4e16 \u{1f600}';
  process.env['an odd.name'] = `it's "quoted"\nin lines`;
  process.env.LONG = 'x'.repeat(300);
  process.env.NUMBER = 17;
  process.env.EMPTY = '';
  process.env.CHANGED = 'first';
  process.env.CHANGED = 'then';
  process.env.GONE = 'soon';
  delete process.env.GONE;
  globalThis.environment = { held: process.env, named: ['a', { process: process.env }] };
  new Worker(__filename, { argv: [dir] }).on('message', (ofWorker) => {
    globalThis.environment.text = util.inspect(process.env);
    truth.empty(dir, { mode: 'env', printed: globalThis.environment.text, nested: util.inspect(globalThis.environment.named, { depth: 0 }),
      names: Object.keys(process.env), values: Object.assign({}, process.env), ofWorker });
    process.abort();
  });
}
