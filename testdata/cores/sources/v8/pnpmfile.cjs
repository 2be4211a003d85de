// pnpmfile.cjs: hooks of pnpm, which calls readPackage deep in its work: in a bundle that pkg made
// from functions of /snapshot/dist/pnpm.cjs whose source text is not there.
Error.stackTraceLimit = Infinity;
const truth = require('./truth.js');
class Part {
  constructor(id) {
    this.id = id;
    this.text = 'part ' + id;
  }
}
globalThis.parts = Array.from({ length: 1000 }, (_, i) => new Part(i));

function readPackage(manifest, context) {
  globalThis.manifest = manifest;
  truth.write(process.env.CORE_DIR, 'process.abort', {
    mode: 'bundle',
    entry: process.pkg.entrypoint,
    manifest: require('util').inspect(manifest, { depth: 2, breakLength: Infinity }),
  });
  process.abort();
  return manifest;
}
module.exports = { hooks: { readPackage } };
