// realms.mjs: a program of Deno with a worker, each a realm that has an address. The worker says
// its own, the program both.
if (globalThis.Window || globalThis.window || !globalThis.WorkerGlobalScope) {
  const worker = new Worker(new URL('./realms.mjs?worker', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }) => Deno.writeTextFileSync('said.json', JSON.stringify({ realms: { Window: location.href, DedicatedWorkerGlobalScope: data } }));
  setTimeout(() => worker, 1e6);
} else {
  postMessage(location.href);
  setTimeout(function waits() {}, 1e6);
}
