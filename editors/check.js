// check.js COREDBG CORES INSPECTOR: the debug adapter and the MCP server, each driven by a
// client from another project. The expected names are in the programs' sources, in
// testdata/cores/sources.
'use strict';
const assert = require('assert');
const path = require('path');
const { execFileSync } = require('child_process');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const [coredbg, cores, inspector] = process.argv.slice(2);
const core = (name) => path.resolve(cores, name);

// cases are cores, each with a function on one of its stacks and a part of its verdict.
const cases = [
  { core: 'values.cdb', frame: /^Counter::add/, verdict: /^abort / },
  { core: 'goroutines.cdb', frame: /^main\./, verdict: /^go-panic / },
  { core: 'node-24.cdb', frame: /^die$/, verdict: /process\.abort/ },
  { core: 'art-14-locks.cdb', frame: /^locks\.Locks\.main/, verdict: /^abort / },
  { core: 'rust.cdb', frame: /^ranks::drill::deep::poke/, verdict: /^null-dereference / },
];

async function adapter(c) {
  const dc = new DebugClient(coredbg, 'dap', 'coredbg', undefined, true);
  dc.defaultTimeout = 60000;
  await dc.start();
  const stopped = dc.waitForEvent('stopped');
  await Promise.all([dc.configurationSequence(), dc.launch({ core: core(c.core) })]);
  const thread = (await stopped).body.threadId;
  const { threads } = (await dc.threadsRequest()).body;
  assert(threads.some((t) => t.id === thread), 'the thread that stopped is not listed');
  let frames = 0, known = 0;
  for (const t of threads) {
    const { stackFrames } = (await dc.stackTraceRequest({ threadId: t.id })).body;
    frames += stackFrames.length;
    if (stackFrames.some((f) => c.frame.test(f.name))) known++;
  }
  assert(known > 0, `no frame fits ${c.frame}`);
  const top = (await dc.stackTraceRequest({ threadId: thread, levels: 20 })).body.stackFrames;
  let variables = 0;
  for (const f of top) {
    for (const s of (await dc.scopesRequest({ frameId: f.id })).body.scopes) {
      if (!s.expensive) variables += (await dc.variablesRequest({ variablesReference: s.variablesReference })).body.variables.length;
    }
  }
  assert(variables > 0, 'the thread that stopped has no variables');
  const why = (await dc.exceptionInfoRequest({ threadId: thread })).body;
  assert(c.verdict.test(`${why.exceptionId} ${why.description}`), `${why.exceptionId}: ${why.description}`);
  const status = (await dc.evaluateRequest({ expression: '::status', context: 'repl' })).body.result;
  assert(status.includes('verdict:'), status);
  const { modules } = (await dc.modulesRequest({})).body;
  const at = top.find((f) => f.instructionPointerReference);
  if (at) {
    const { instructions } = (await dc.disassembleRequest({ memoryReference: at.instructionPointerReference, instructionCount: 4 })).body;
    assert.strictEqual(instructions.length, 4);
  }
  await dc.stop();
  return `${threads.length} threads, ${frames} frames, ${variables} variables, ${modules.length} modules: ${why.exceptionId}`;
}

// ask calls a method of the server by the inspector.
function ask(...args) {
  const line = ['--cli', coredbg, 'mcp', '-dir', path.resolve(cores), core('node-24.cdb'), ...args];
  const text = execFileSync(inspector, line, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return JSON.parse(text);
}

function server() {
  const { tools } = ask('--method', 'tools/list');
  assert(tools.length >= 10 && tools.every((t) => t.description && t.inputSchema && t.outputSchema), 'tools lack a description or a schema');
  const verdict = ask('--method', 'tools/call', '--tool-name', 'verdict');
  assert(!verdict.isError && /js-abort/.test(JSON.stringify(verdict)), JSON.stringify(verdict));
  const refused = ask('--method', 'tools/call', '--tool-name', 'open', '--tool-arg', 'path=/etc/passwd');
  assert(refused.isError, 'a file outside the folder was opened');
  return `${tools.length} tools, one verdict, one refusal`;
}

async function main() {
  let failed = 0;
  const tries = cases.map((c) => [`dap ${c.core}`, () => adapter(c)]).concat([['mcp', server]]);
  for (const [what, run] of tries) {
    try {
      console.log(`ok      ${what}: ${await run()}`);
    } catch (e) {
      console.log(`failed  ${what}: ${e.message}`);
      failed++;
    }
  }
  process.exit(failed ? 1 : 0);
}
main();
