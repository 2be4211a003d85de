// electronnode.mjs: embedded.mjs as a program of Node, which Electron is with ELECTRON_RUN_AS_NODE.
import embedded from './embedded.mjs';
embedded.fetch();
