// panel.mjs CHROMIUM FILE.heapsnapshot OUT.png: opens the memory panel of the DevTools that
// are built into a headless Chromium, loads a snapshot there, saves a picture of the panel, and
// prints what it shows: the first rows of the summary, its totals.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [chromium, file, out] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), 'panel-'));
const pages = createServer((_, response) => response.end('<title>inspected</title>')).listen(0, '127.0.0.1');
await once(pages, 'listening');
const here = `http://127.0.0.1:${pages.address().port}`;

const browser = spawn(chromium, ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', '--remote-allow-origins=*',
  '--window-size=1280,800', `--user-data-dir=${profile}`, '--no-first-run', here], { stdio: ['ignore', 'ignore', 'pipe'] });
const port = await new Promise((ready, reject) => {
  let text = '';
  browser.stderr.on('data', (b) => { text += b; const m = /ws:\/\/127.0.0.1:(\d+)\//.exec(text); if (m) ready(m[1]); });
  browser.on('exit', () => reject(new Error('Chromium ended: ' + text)));
});
const stop = () => { browser.removeAllListeners('exit'); browser.kill(); pages.close(); rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }); };

// A target, by the protocol of DevTools.
async function attach(address) {
  const socket = new WebSocket(address), waiting = new Map();
  await new Promise((resolve, reject) => { socket.onopen = resolve; socket.onerror = reject; });
  socket.onmessage = (m) => { const d = JSON.parse(m.data); waiting.get(d.id)?.(d); waiting.delete(d.id); };
  let id = 0;
  return (method, params = {}) => new Promise((resolve, reject) => {
    waiting.set(++id, (d) => d.error ? reject(new Error(`${method}: ${d.error.message}`)) : resolve(d.result));
    socket.send(JSON.stringify({ id, method, params }));
  });
}

try {
  const list = async () => (await fetch(`http://127.0.0.1:${port}/json`)).json();
  const page = (await list()).find((t) => t.type === 'page');
  const front = `devtools://devtools/bundled/devtools_app.html?ws=127.0.0.1:${port}/devtools/page/${page.id}&panel=heap-profiler`;
  const made = await (await fetch(`http://127.0.0.1:${port}/json/new?${encodeURIComponent(front)}`, { method: 'PUT' })).json();
  const call = await attach(made.webSocketDebuggerUrl);
  const run = async (expression) => {
    const r = await call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (r.exceptionDetails) throw new Error(r.exceptionDetails.exception?.description ?? r.exceptionDetails.text);
    return r.result.value;
  };
  const until = async (what, expression, tries = 120) => {
    for (let i = 0; i < tries; i++) {
      const v = await run(expression).catch(() => null);
      if (v) return v;
      await new Promise((done) => setTimeout(done, 500));
    }
    throw new Error(`no ${what}`);
  };
  await call('Emulation.setDeviceMetricsOverride', { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false });
  await until('memory panel', `(async () => {
    const { UI } = { UI: await import('./ui/legacy/legacy.js') };
    await UI.ViewManager.ViewManager.instance().showView('heap-profiler');
    const P = await import('./panels/profiler/profiler.js');
    globalThis.panel = P.HeapProfilerPanel.HeapProfilerPanel.instance();
    return true;
  })()`);
  const input = await call('Runtime.evaluate', { expression: "globalThis.input = Object.assign(document.createElement('input'), { type: 'file' })" });
  await call('DOM.setFileInputFiles', { files: [resolve(file)], objectId: input.result.objectId });
  await run('panel.loadFromFile(input.files[0])');
  // All text of the panel, through its shadow roots.
  const text = `(() => {
    const walk = (n) => n.nodeType === 3 ? n.data : n.nodeName === 'STYLE' || n.nodeName === 'SCRIPT' ? '' :
      (n.shadowRoot ? [...n.shadowRoot.childNodes] : n.nodeName === 'SLOT' ? n.assignedNodes() : [...n.childNodes]).map(walk).join(n.nodeName === 'TR' ? '\\t' : '\\n');
    return walk(document.body).split('\\n').map((l) => l.trim()).filter(Boolean).join('\\n');
  })()`;
  // It is read by a worker; then it is shown, and its rows come.
  await until('snapshot', `(() => {
    const [loaded] = panel.profileTypes.flatMap((t) => t.getProfiles());
    if (!loaded) return false;
    panel.showProfile(loaded);
    return true;
  })()`);
  await until('rows', `${text}.includes('Constructor')`);
  await new Promise((done) => setTimeout(done, 1000));
  const shot = await call('Page.captureScreenshot', { format: 'png' });
  writeFileSync(out, Buffer.from(shot.data, 'base64'));
  const lines = (await run(text)).split('\n');
  console.log(lines.find((l) => /\d objects \(/.test(l)));
  let row = [];
  for (const l of lines.slice(lines.findIndex((l) => l.startsWith('Constructor\t')) + 1, lines.indexOf('Retainers'))) {
    row.push(l);
    if (row.filter((x) => x.endsWith('%')).length === 2) { // shares of shallow and retained size
      console.log(row.join(' '));
      row = [];
    }
  }
} finally {
  stop();
}
