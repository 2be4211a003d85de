'use strict';
// electron.js: what Electron runs as its app: the program that COREDBG_PROGRAM names.
require(process.env.COREDBG_PROGRAM);
