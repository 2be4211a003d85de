'use strict';
// electronidle.js: a main process of Electron that has done its work, and waits: none of its threads is in JavaScript.
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
  console.log('said: ' + JSON.stringify({ objects: keep.length, props: Object.keys(keep[0]), timers, embedded: process.versions.v8 }));
});
