'use strict';
// electronmain.js: a main process of Electron at work, in embedded.mjs as a script, which what is queued here waits for.
const { app } = require('electron');
const embedded = require('./embedded.js');

app.whenReady().then(() => {
  embedded.fetch();
  process.nextTick(function ticked() {});
  queueMicrotask(function queued() {});
  Promise.resolve(1).then(function reacted() {});
});
