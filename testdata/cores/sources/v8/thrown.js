'use strict';
// thrown.js DIR MODE: throws values that are no error of V8's own and are not caught. frames.json has the
// first words of the verdict: as Node prints the value, and the place of the throw.
const fs = require('fs');
const path = require('path');
const { Worker, isMainThread, workerData } = require('worker_threads');

const [dir, mode] = isMainThread ? process.argv.slice(2) : [workerData.dir, workerData.mode];

// A text of this file, as V8 gives its place.
function placeOf(text) {
  const lines = fs.readFileSync(__filename, 'utf8').split('\n');
  const line = lines.findIndex((l) => l.includes(text) && !l.includes('placeOf('));
  return __filename + ':' + (line + 1) + ':' + (lines[line].indexOf(text) + 1);
}

function expects(says) {
  fs.writeFileSync(path.join(dir, 'frames.json'), JSON.stringify({ name: path.basename(dir), core: 'core', exe: process.execPath,
    node: process.versions.node, v8: process.versions.v8, mode, verdict: 'js-uncaught', says }, null, ' ') + '\n');
}

class RowError extends Error {
  constructor(message) {
    super(message);
    this.name = 'RowError';
    this.row = 2;
  }
}

// A class as it was made before there was class syntax, and as many packages still do.
function ColumnError(message) {
  this.message = message;
  Error.captureStackTrace(this, ColumnError);
}
require('util').inherits(ColumnError, Error);
ColumnError.prototype.name = 'ColumnError';

function throwsText() {
  expects("uncaught: 'just a text', at throwsText (" + placeOf('throw "just') + ')');
  throw "just a text";
}

function throwsObject() {
  expects("uncaught: { code: 'E_ROW', row: 7 }, at throwsObject (" + placeOf("throw { code: 'E_ROW', row: 7 };") + ')');
  throw { code: 'E_ROW', row: 7 };
}

function throwsOld() {
  expects('uncaught ColumnError: no such column, at throwsOld (' + placeOf("new ColumnError('no such") + ')');
  throw new ColumnError('no such column');
}

// Node makes an object of a worker's error in its owner, which has no listener, or throws it again.
function parses() {
  expects('uncaught RowError: row 2 has no columns, at parses (' + placeOf("new RowError('row 2") + ')');
  throw new RowError('row 2 has no columns');
}

function worker(listener) {
  const w = new Worker(__filename, { workerData: { dir, mode } });
  if (listener) w.on('error', listener);
}

const modes = {
  text: throwsText,
  object: throwsObject,
  old: throwsOld,
  worker: () => worker(),
  rethrown: () => worker(function again(e) { throw e; }),
  rejected: () => worker(async function again(e) { await null; throw e; }),
};
const run = isMainThread ? modes[mode] : parses;
setTimeout(() => run(), 5);
