// bun.js DIR: a program of Bun that ends by SIGABRT. It writes to frames.json the engine and the
// version that Bun says it has.
const fs = require('fs');
const path = require('path');

const dir = process.argv[2];
function end() {
  const truth = { name: path.basename(dir), core: 'core', exe: process.execPath, verdict: 'killed', engine: 'JavaScriptCore', version: 'Bun ' + Bun.version };
  fs.writeFileSync(dir + '/frames.json', JSON.stringify(truth, null, 1) + '\n');
  process.kill(process.pid, 'SIGABRT');
  for (;;);
}
end();
