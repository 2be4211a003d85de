// packed.js, to which truth.js is added in front as truth: a program in one file, for a start-up
// snapshot (--build-snapshot) or a single executable (--build-sea). In the first its
// objects and functions were made by another process, at other addresses.
Error.stackTraceLimit = Infinity;
class Part {
  constructor(id) {
    this.id = id;
    this.text = 'part ' + id;
  }
  total(rate) { return this.each((x) => this.die(x, rate)); }
  each(f) { return [this.id, this.text].map(f); }
  die(x, rate) {
    truth.write(process.env.CORE_DIR, 'process.abort', { mode: 'packed' });
    process.abort();
    return [x, rate];
  }
}
globalThis.parts = Array.from({ length: 1000 }, (_, i) => new Part(i));

async function later(part) {
  await null;
  return part.total(1.25);
}

async function main() {
  for (let i = 0; i < 500; i++) new Part(i); // not kept
  await later(parts[7]);
}

const { startupSnapshot } = require('v8');
if (startupSnapshot && startupSnapshot.isBuildingSnapshot()) startupSnapshot.setDeserializeMainFunction(main);
else main();
