'use strict';
// electronmain.js: a main process of Electron at work, in embedded.mjs as a script.
const { app } = require('electron');
const embedded = require('./embedded.js');

app.whenReady().then(() => embedded.fetch());
