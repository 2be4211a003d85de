'use strict';
// api.js DIR: dies under functions of Node and of an addon that call back: frames
// that Error.stack does not have. Before it dies it leaves in api.json parts of their
// names, innermost first, with parts of those of the functions of C++ and C that they
// call, and for those of the addon what they were called with, as util.inspect has it.
const fs = require('fs');
const path = require('path');
const util = require('util');
const vm = require('vm');
const truth = require('./truth.js');

const dir = process.argv[2];
Error.stackTraceLimit = Infinity;
const calls = []; // outermost first

function die() {
  truth.write(dir, 'process.abort', { mode: 'api' });
  fs.writeFileSync(path.join(dir, 'api.json'), JSON.stringify([['abort', 'node::Abort'], ...calls.reverse()]));
  process.abort();
}

const context = vm.createContext({});
const steps = [
  (f) => { calls.push(['runInContext', 'node::contextify::ContextifyScript::RunInContext']); context.f = f; new vm.Script('f()').runInContext(context); },
  (f) => { calls.push(['run', 'node::contextify::ContextifyScript::Run']); globalThis.f = f; vm.runInThisContext('f()'); },
];
if (typeof structuredClone === 'function') {
  // Until Node 19 it is written in JavaScript.
  const own = parseInt(process.version.slice(1), 10) < 19 ? ['postMessage', 'PostMessage'] : ['structuredClone', 'StructuredClone'];
  steps.push((f) => { calls.push(own); structuredClone({ get x() { f(); return 1; } }); });
}
const { named, unnamed, Made } = require(path.join(dir, 'addon.node'));
function called(name, behind, self, ...args) {
  calls.push([name, behind, self === undefined ? '' : util.inspect(Object(self)), args.map((a) => util.inspect(a))]);
}
steps.push((f) => { called('named', 'call_named', { tag: 'self' }, f, 'text', 42, [1, 'two']); named.call({ tag: 'self' }, f, 'text', 42, [1, 'two']); });
steps.push((f) => { called('', 'call_unnamed', 'primitive', f); unnamed.call('primitive', f); });
steps.push((f) => { called('named', 'call_named', globalThis.none, f, null, 1.5, undefined); named.apply(globalThis.none, [f, null, 1.5, undefined]); });
steps.push((f) => { called('Made', 'make', undefined, f, { size: 3 }); new Made(f, { size: 3 }); });
steps.reduce((next, step) => () => step(next), die)();
