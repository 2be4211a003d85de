'use strict';
// service.js: a hub compresses the messages for each client with a stream of zlib, and forgets to close the streams of clients that
// are gone. Its watchdog ends it when its memory has grown too far.
const zlib = require('zlib');

class Client {
  constructor(id) {
    this.id = id;
    this.deflate = zlib.createDeflate();
    this.deflate.resume();
    this.deflate.write(`welcome ${id}`);
  }
}

class Hub {
  constructor() { this.clients = new Map(); }
  open(id) { this.clients.set(id, new Client(id)); }
}

const hub = new Hub();
for (let i = 0; i < 60; i++) hub.open(i);
setTimeout(() => {
  console.log(`${hub.clients.size} clients`);
  process.abort();
}, 500);
