'use strict';
// contexts.js DIR KIND [PACKAGES]: a program that leaks global contexts, or in a worker.
//
//   sandbox, function, global   contexts of vm, kept by the object that was made one, by a function
//                               of the context, or by its global object
//   timer, few                  contexts of vm, each kept by an interval only; few of them
//   windows, pages, plain       windows of jsdom: with scripts that set an interval, with scripts and
//                               kept in an array, and kept without a context of their own
//   worker                      a worker leaks, and its promises do not settle
//
// It measures how the heap grows, adds {"suspects":N, "contexts":N, "bytes":B, "rule":R, "why":W, "holds":W, "by":W,
// "variable":V, "class":C, "worker":NAME} to its stack in truth.json, and dies by abort. All contexts but
// the first keep B bytes, and N suspects are to be found. The rest is about the first suspect: its rule, how the reason
// begins, which contexts its objects hold, which timers hold these, the variable that does, the class of
// its objects, and the name of the worker with that heap.
const vm = require('vm');
const { Worker, isMainThread, workerData } = require('worker_threads');
const truth = require('./truth.js');

const [dir, kind, packages] = process.argv.slice(2);
const kept = [];
const page = '<!doctype html><title>page</title>' + '<div class="row"><span>text</span><a href="#">link</a></div>'.repeat(30);
const script = '<script>setInterval(function refresh() { document.title = "now"; }, 60000); var rows = []; for (let i = 0; i < 500; i++) rows.push({ row: i });</script>';
const code = 'var rows = []; for (let i = 0; i < 2000; i++) rows.push({ row: i, text: "row " + i, near: [i, i + 1] }); function get() { return rows; } get';

const kinds = {
  sandbox(n) {
    const s = vm.createContext({ n });
    vm.runInContext(code, s);
    kept.push(s);
  },
  function(n) { kept.push(vm.runInNewContext(code, { n })); },
  global(n) { kept.push(vm.runInNewContext(code + '; globalThis', { n })); },
  timer() { vm.runInContext(code + '; setInterval(function poll() { rows.length; }, 5000)', vm.createContext({ setInterval })); },
  few() { kinds.timer(); },
  windows() { return new (jsdom())(page + script, { runScripts: 'dangerously' }); },
  pages() { kept.push(new (jsdom())(page + script.replace('setInterval', 'void'), { runScripts: 'dangerously' })); },
  plain() { kept.push(new (jsdom())(page)); },
};
const facts = {
  sandbox: { rule: 'contexts', variable: 'kept' },
  function: { rule: 'contexts', variable: 'kept' },
  global: { rule: 'contexts', variable: 'kept' },
  timer: { rule: 'timers', why: '61 intervals of 5000 ms that were never cleared, with the callback poll', holds: '61 global contexts' },
  few: { rule: 'contexts', by: '21 intervals of 5000 ms that were never cleared, with the callback poll' },
  windows: { rule: 'timers', why: '61 timeouts of 60000 ms that were never cleared, with the callback task', holds: '61 global contexts' },
  pages: { rule: 'contexts', variable: 'kept' },
  plain: { rule: '', class: 'JSDOM', variable: 'kept' },
};
function jsdom() { return require(packages + '/jsdom').JSDOM; }

class Thumbnail {
  constructor(i) { this.name = 'thumb ' + i; this.pixels = Array.from({ length: 20 }, (_, k) => k + 0.5); }
}
const files = [];
async function fetchThumb(i) {
  const t = new Thumbnail(i);
  files.push(t);
  await new Promise((done) => { files.push(done); });
  return t;
}

function measure() {
  const many = kind === 'few' ? 20 : 60;
  kinds[kind](0); // what is loaded once
  setTimeout(() => {
    global.gc();
    const before = process.memoryUsage().heapUsed;
    for (let i = 1; i <= many; i++) kinds[kind](i);
    setTimeout(() => {
      global.gc();
      finish({ suspects: 1, contexts: kind === 'plain' ? 0 : many + 1, bytes: process.memoryUsage().heapUsed - before, ...facts[kind] });
    }, 50);
  }, 50);
}

function finish(more) {
  truth.write(dir, 'process.abort', { mode: 'contexts', ...more });
  process.abort();
}

if (!isMainThread) {
  if (workerData === 'resizer') {
    for (let i = 0; i < 30000; i++) fetchThumb(i);
    require('worker_threads').parentPort.postMessage(1);
  }
  setInterval(() => 0, 1000);
} else if (kind === 'worker') {
  fetchThumb(0);
  new Worker(__filename, { name: 'mailer', argv: [dir], workerData: 'mailer' });
  const w = new Worker(__filename, { name: 'resizer', argv: [dir], workerData: 'resizer' });
  w.on('message', () => finish({ suspects: 2, rule: 'promises', why: '30000 promises that fetchThumb (', variable: 'files', worker: 'resizer' }));
} else {
  measure();
}
