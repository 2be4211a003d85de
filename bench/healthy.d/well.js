// well.js MODE
const { Worker, isMainThread, workerData } = require('worker_threads');
const forever = () => setInterval(() => {}, 1e6);
const modes = {
  idle: forever,
  atomics: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  works: () => { for (let i = 0; ; i++) Math.sqrt(i); },
  posts: () => require('worker_threads').parentPort.on('message', () => {}),
  fills: () => { let kept = []; for (;;) kept = [kept.slice(-10), new Array(1000).fill(1)]; },
};
const start = (n, mode) => { for (let i = 0; i < n; i++) new Worker(__filename, { workerData: mode }); forever(); };
const mains = {
  workers: () => start(3, 'idle'),
  'workers-atomics': () => start(2, 'atomics'),
  'workers-posts': () => start(2, 'posts'),
  'workers-work': () => start(2, 'works'),
  'workers-fill': () => start(2, 'fills'),
  'worker-ended': () => { new Worker('1', { eval: true }); new Worker('throw new Error("x")', { eval: true }).on('error', () => {}); forever(); },
  'worker-limited': () => { new Worker('let k = []; for (;;) k.push("x" + k.length)', { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } }).on('error', () => {}); forever(); },
  child: () => require('child_process').spawn('sleep', ['99']),
  sync: () => require('child_process').spawnSync('sleep', ['99']),
  read: () => process.stdin.on('data', () => {}),
  file: () => require('fs').readSync(0, Buffer.alloc(10)),
  crypto: () => { const c = require('crypto'); const again = () => c.pbkdf2('a', 'b', 1e6, 64, 'sha512', again); again(); },
  awaits: () => { (async () => { await new Promise(() => {}); })(); forever(); },
  gc: () => setInterval(() => { for (let i = 0; i < 1e5; i++) [i]; }, 1),
};
isMainThread ? mains[process.argv[2]]() : modes[workerData]();
