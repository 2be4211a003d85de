'use strict';
// handles.js DIR references|parsers: 1200 sessions that only native objects hold: references of the module references.node, or
// Node's own parsers of HTTP, which the program never closes. It writes down which, and dies.
const fs = require('fs');
const path = require('path');
const [dir, mode] = process.argv.slice(2);
const count = 1200;
class Session {
  constructor(i) { this.list = Array.from({ length: 2000 }, (_, k) => k + i / 3); }
}
let owner, file = '';
if (mode === 'references') {
  file = path.join(dir, 'references.node');
  owner = 'v8impl::Reference';
  const hold = require(file);
  for (let i = 0; i < count; i++) hold(new Session(i));
} else {
  owner = 'node::(anonymous namespace)::Parser';
  const { HTTPParser } = process.binding('http_parser');
  const make = (i) => {
    const parser = new HTTPParser();
    parser.initialize(HTTPParser.REQUEST, {}, 0, 0);
    parser.session = new Session(i);
  };
  for (let i = 0; i < count; i++) make(i);
}
fs.writeFileSync(path.join(dir, 'frames.json'), JSON.stringify({
  name: path.basename(dir), core: 'core', exe: process.execPath, node: process.version.slice(1), verdict: 'js-abort', owner, file, count,
}, null, 1) + '\n');
process.abort();
