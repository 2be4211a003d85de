// check.js COREDBG CORES INSPECTOR: the debug adapter and the MCP server, each driven by a
// client from another project, and the extension in a stand-in for its editor. The expected names are in the programs' sources, in
// testdata/cores/sources.
'use strict';
const assert = require('assert');
const Module = require('module');
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

// extension loads the extension with the few parts of the editor's API that it uses, takes the adapter that it gives for a
// session, and opens a core with it by the configuration that its manifest puts into launch.json.
async function extension() {
  const folder = path.resolve(__dirname, 'vscode');
  const manifest = require(path.join(folder, 'package.json'));
  const [debug] = manifest.contributes.debuggers;
  const given = { factories: {}, commands: {}, started: [] };
  const vscode = {
    DebugAdapterExecutable: class { constructor(command, args) { Object.assign(this, { command, args }); } },
    workspace: { getConfiguration: (section) => ({ get: (key) => (`${section}.${key}` === 'coredbg.path' ? coredbg : undefined) }) },
    window: { showOpenDialog: async () => [{ fsPath: core('segv.cdb') }] },
    debug: {
      registerDebugAdapterDescriptorFactory: (type, factory) => { given.factories[type] = factory; return {}; },
      startDebugging: async (_, configuration) => given.started.push(configuration),
    },
    commands: { registerCommand: (name, run) => { given.commands[name] = run; return {}; } },
  };
  const load = Module._load;
  Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
  const subscriptions = [];
  require(path.join(folder, manifest.main)).activate({ subscriptions });
  Module._load = load;
  assert(subscriptions.length >= 2 && manifest.activationEvents.includes(`onDebugResolve:${debug.type}`));
  for (const c of manifest.contributes.commands) {
    assert(given.commands[c.command], `${c.command} is not registered`);
    await given.commands[c.command]();
  }
  assert.strictEqual(given.started[0].type, debug.type);
  assert.strictEqual(given.started[0].core, core('segv.cdb'));
  const known = debug.configurationAttributes.launch.properties;
  for (const { body } of debug.configurationSnippets) {
    for (const key of Object.keys(body)) assert(known[key] || ['type', 'request', 'name'].includes(key), `a snippet has ${key}`);
  }
  const adapter = given.factories[debug.type].createDebugAdapterDescriptor();
  const dc = new DebugClient(adapter.command, adapter.args.join(' '), debug.type, undefined, true);
  dc.defaultTimeout = 60000;
  await dc.start();
  const stopped = dc.waitForEvent('stopped');
  const launch = { ...debug.initialConfigurations[0], core: core('segv.cdb'), search: [], source: [], sysroot: '', debugDir: [], tasks: 5 };
  for (const key of Object.keys(known)) assert(key in launch || key === 'program', `the manifest's ${key} is not tried`);
  await Promise.all([dc.configurationSequence(), dc.launch(launch)]);
  const why = (await stopped).body.text;
  await dc.stop();
  return `${given.started.length} command, ${debug.configurationSnippets.length} snippets, ${why}`;
}

async function main() {
  let failed = 0;
  const tries = cases.map((c) => [`dap ${c.core}`, () => adapter(c)]).concat([['mcp', server], ['extension', extension]]);
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
