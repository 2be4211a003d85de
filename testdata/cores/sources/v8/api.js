'use strict';
// api.js DIR: dies under functions of Node and of an addon that call back: frames
// that Error.stack does not have. Before it dies it leaves in api.json parts of their
// names, innermost first, with parts of those of the functions of C++ and C behind them.
const fs = require('fs');
const path = require('path');
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
const { named, unnamed } = require(path.join(dir, 'addon.node'));
steps.push((f) => { calls.push(['named', 'call_named']); named(f); });
steps.push((f) => { calls.push(['', 'call_unnamed']); unnamed(f); });
steps.reduce((next, step) => () => step(next), die)();
