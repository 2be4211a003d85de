'use strict';
// The program's own account of its stack, taken from V8's call sites.
//
// write(dir, mark) leaves two files: truth.txt, the text of Error().stack, and
// frames.json, the same frames with names, files and positions apart. The top
// frame is the caller's; it dies on a later line, at the text mark, so its position
// is corrected to that (V8 gives the place of a call x.y() as that of y, and of a
// throw as that of the keyword).
const fs = require('fs');
const path = require('path');

function readText(file) {
  return fs.readFileSync(file.replace(/^file:\/\//, ''), 'utf8').split('\n');
}

// A mark of null: anywhere in the function, the position is not known.
function moveTo(frame, mark) {
  const was = ':' + frame.line + ':' + frame.column;
  let is = '';
  if (mark === null) {
    delete frame.line;
    delete frame.column;
  } else {
    const text = readText(frame.file);
    do frame.line++; while (text[frame.line - 1].indexOf(mark) < 0);
    frame.column = text[frame.line - 1].indexOf(mark) + mark.indexOf('.') + 2;
    is = ':' + frame.line + ':' + frame.column;
  }
  frame.printed = frame.printed.replace(was, is);
}

function describe(site) {
  const frame = { name: site.getFunctionName() || '', printed: String(site) };
  const file = site.getScriptNameOrSourceURL(); // what Error.stack prints
  if (site.isEval()) frame.eval = true;
  if (file) frame.file = file;
  if (site.getLineNumber()) frame.line = site.getLineNumber();
  if (site.getColumnNumber()) frame.column = site.getColumnNumber();
  if (file && !frame.line) frame.position = site.getPosition(); // of a script without its text
  if (site.isAsync && site.isAsync()) frame.async = true;
  if (site.isConstructor()) frame.construct = true;
  const wasm = /wasm-function\[\d+\]:(0x[0-9a-f]+)/.exec(frame.printed);
  if (wasm) {
    frame.wasm = true; // the offset in the module, of which V8 makes a column; before 9 in another way
    frame.line = 1;
    frame.column = Number(wasm[1]) + 1;
  } else if (!file && !site.isEval()) {
    frame.builtin = true;
  }
  return frame;
}

// The frames below the function `above`, innermost first.
function frames(above, mark) {
  const holder = {};
  const old = Error.prepareStackTrace;
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = Infinity;
  Error.prepareStackTrace = (_, sites) => sites.map(describe);
  Error.captureStackTrace(holder, above);
  const list = holder.stack;
  Error.prepareStackTrace = old;
  Error.stackTraceLimit = limit;
  moveTo(list[0], mark);
  return list;
}

function save(dir, list, more) {
  const text = list.map((f) => '    at ' + f.printed + '\n').join('');
  fs.writeFileSync(path.join(dir, 'truth.txt'), 'Error: truth\n' + text);
  const all = Object.assign({
    name: path.basename(dir),
    core: 'core',
    exe: process.execPath,
    node: process.version.slice(1),
    v8: process.versions.v8,
  }, more, { js: list });
  fs.writeFileSync(path.join(dir, 'frames.json'), JSON.stringify(all, null, 1) + '\n');
}

// empty(dir, more): nothing of the program will be on the stack when it dies, or where in
// the program that is cannot be known before.
exports.empty = function empty(dir, more) { save(dir, [], more); };

exports.frames = frames;
exports.write = function write(dir, mark, more) {
  save(dir, frames(write, mark), more);
};
