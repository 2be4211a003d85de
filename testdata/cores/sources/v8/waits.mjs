// waits.mjs: a program of Deno that waits for all sorts of things, to be killed while it does.
// It says what it waits for: the resources that Deno has, and of each pending op which it is, by
// the trace that Deno takes of where ops begin; the timers as it made them; and which ops do not
// keep the process alive, as it asked for by unref.
const core = Deno[Deno.internal].core;
core.setLeakTracingEnabled(true);

const timers = [];
function timed(set, name, after, unref) {
  const callback = { [name]() {} }[name];
  const at = performance.now(), id = set(callback, after);
  if (unref) Deno.unrefTimer(id);
  timers.push({ name, at, after, repeats: set === setInterval, unref: !!unref });
}
timed(setTimeout, 'later', 100000);
timed(setInterval, 'often', 250000);
timed(setTimeout, 'unreferenced', 300000, true);
clearTimeout(setTimeout(function cleared() {}, 400000));

const local = { hostname: '127.0.0.1', port: 0 };
const listener = Deno.listen(local);
async function accepts() { for await (const _ of listener); }
accepts();

// More ops than core has places for, so that the first are moved.
for (let i = 0; i < 5000; i += 50) await Promise.all(Array.from({ length: 50 }, () => Deno.stat('.')));

// begun gives the number of the op that a function begins.
const traceOf = (id) => core.getLeakTraceForPromise({ [core.promiseIdSymbol]: id }); // until it is answered
let last = 0;
function begun(begin, most = 64) {
  begin();
  for (let id = last + 1, end = id + most; id < end; id++) if (traceOf(id)) last = id;
  return last;
}
const quiet = Deno.listen(local), unref = [];
quiet.unref(); // before it waits
async function lurks() { return await quiet.accept(); }
unref.push(begun(lurks, 20000));

async function reads(c) { return await c.read(new Uint8Array(9)); }
const keep = globalThis.keep = [listener, quiet];
const second = Deno.listen(local);
keep.push(second);
for (let i = 0; i < 130; i++) {
  const [a, b] = await Promise.all([Deno.connect(second.addr), second.accept()]);
  keep.push(a, b);
  const id = begun(() => reads(a));
  reads(b);
  if (i % 3 === 0) a.unref(), unref.push(id);
  if (i % 7 === 0) b.unref(), b.ref();
}
const server = Deno.serve({ ...local, onListen() {} }, function handler() { return new Promise(() => {}); });
async function fetches() { return await fetch(`http://127.0.0.1:${server.addr.port}/`); }
fetches();
const child = new Deno.Command('/bin/sleep', { args: ['30'] }).spawn();
async function status() { return await child.status; }
status();
keep.push(server, child, await Deno.open('/etc/passwd'));
await new Promise((resolve) => setTimeout(resolve, 300));

const ops = [];
for (let i = 0; i < 20000; i++) {
  const trace = traceOf(i);
  if (trace) ops.push({ id: i, op: /at (?:Object\.)?(\w+)/.exec(trace)[1], trace });
}
const address = ({ hostname, port }) => `${hostname}:${port}`;
const said = { resources: core.resources(), ops, unref, timers, child: child.pid,
  addresses: { listener: address(listener.addr), server: address(server.addr), connection: address(keep[3].localAddr) } };
Deno.writeTextFileSync('said.json', JSON.stringify(said));
