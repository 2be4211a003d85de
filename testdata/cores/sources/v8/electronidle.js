'use strict';
// electronidle.js: a main process of Electron that has done its work, and waits: none of its threads is in JavaScript.
const dgram = require('dgram');
const net = require('net');
const { app } = require('electron');

class Widget {
  constructor(i) { this.number = i; this.name = 'w' + i; this.more = [i]; }
}
const keep = globalThis.keep = [];
for (let i = 0; i < 137; i++) keep.push(new Widget(i));

const timers = [{ callback: 'later', after: 100000, repeats: false }, { callback: 'often', after: 250000, repeats: true }];
app.whenReady().then(() => {
  setTimeout(function later() {}, timers[0].after);
  setInterval(function often() {}, timers[1].after);
  const served = [];
  const server = net.createServer((socket) => { served.push(socket); say(); });
  const udp = dgram.createSocket('udp4');
  let client;
  // say tells what is open: descriptors by what they are.
  function say() {
    const open = [
      { handle: 'tcp', fd: server._handle.fd, listening: true, owner: 'Server' },
      { handle: 'tcp', fd: client._handle.fd, owner: 'Socket' }, { handle: 'tcp', fd: served[0]._handle.fd, owner: 'Socket' },
      { handle: 'udp', fd: udp[Object.getOwnPropertySymbols(udp).find((s) => s.description === 'state symbol')].handle.fd, owner: 'Socket' },
    ];
    console.log('said: ' + JSON.stringify({
      objects: keep.length, props: Object.keys(keep[0]), timers, embedded: process.versions.v8, open,
      resources: process.getActiveResourcesInfo(), node: process.version, pid: process.pid, main: process.mainModule.filename,
    }));
  }
  udp.bind(0, '127.0.0.1', () => server.listen(0, '127.0.0.1', () => { client = net.connect(server.address().port, '127.0.0.1'); }));
});
