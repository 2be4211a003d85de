'use strict';
// run.js DIR: runs DIR/dist/main.js, which is made of src, until it calls end: that writes
// down Error.stack, which with --enable-source-maps has the places in src, and dies.
const fs = require('fs');
const path = require('path');
const dir = process.argv[2];

globalThis.end = function end() {
  const holder = {};
  Error.stackTraceLimit = Infinity;
  Error.captureStackTrace(holder, end);
  fs.writeFileSync(path.join(dir, 'frames.json'), JSON.stringify({
    name: path.basename(dir), core: 'core', exe: process.execPath, node: process.version.slice(1), trace: holder.stack.split('\n'),
  }, null, 1) + '\n');
  process.abort();
};

require(path.join(dir, 'dist', 'main.js'));
