'use strict';
// electronpage.js: a window of Electron, which is not shown, with page.html.
const path = require('path');
const { app, BrowserWindow } = require('electron');
let window;
app.whenReady().then(() => {
  window = new BrowserWindow({ show: false, webPreferences: { backgroundThrottling: false } });
  window.webContents.on('console-message', (_, level, message) => console.log(message));
  window.loadFile(path.join(__dirname, 'page.html'));
});
