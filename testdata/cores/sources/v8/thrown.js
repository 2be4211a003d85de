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
  const verdict = ['rejected', 'collected'].includes(mode) ? 'js-unhandled-rejection' : 'js-uncaught';
  fs.writeFileSync(path.join(dir, 'frames.json'), JSON.stringify({ name: path.basename(dir), core: 'core', exe: process.execPath,
    node: process.versions.node, v8: process.versions.v8, mode, verdict, says }, null, ' ') + '\n');
}

class RowError extends Error {
  constructor(message, options) {
    super(message, options);
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

// An error with a cause, which has one too.
function readPort(text) {
  throw new TypeError('port is not a number: ' + text);
}

function load(text) {
  try {
    readPort(text);
  } catch (e) {
    throw new RowError('cannot load', { cause: e });
  }
}

function starts() {
  expects('uncaught Error: did not start, at starts (' + placeOf("new Error('did not start'") + '); caused by RowError: cannot load, at load (' +
    placeOf("new RowError('cannot load'") + '); caused by TypeError: port is not a number: 80x, at readPort (' + placeOf("new TypeError('port") + ')');
  try {
    load('80x');
  } catch (e) {
    throw new Error('did not start', { cause: e });
  }
}

// An error that collects others and has no function of the program on its stack: V8 makes it.
async function refuses(n) {
  await null;
  throw new RangeError('upstream ' + n + ' is full');
}

async function collects() {
  const at = ', at refuses (' + placeOf("new RangeError('upstream") + ')';
  expects('uncaught AggregateError: All promises were rejected, at collects (' + placeOf('async function collects') +
    '); caused by RangeError: upstream 1 is full' + at + '; caused by RangeError: upstream 2 is full' + at);
  await Promise.any([refuses(1), refuses(2)]);
}

const modes = {
  text: throwsText,
  object: throwsObject,
  old: throwsOld,
  wrapped: starts,
  collected: collects,
  worker: () => worker(),
  rethrown: () => worker(function again(e) { throw e; }),
  rejected: () => worker(async function again(e) { await null; throw e; }),
};
const run = isMainThread ? modes[mode] : parses;
setTimeout(() => run(), 5);
