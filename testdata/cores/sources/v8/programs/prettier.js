'use strict';
// prettier.js DIR PACKAGES: the formatter prints the sources of a web server again
// and again, and dies in the printer of one node, called through a plugin.
const fs = require('fs');
const hook = require('./hook.js');
const prettier = hook.load('prettier');
const { parsers } = hook.load('prettier/plugins/babel.js');
const estree = hook.load('prettier/plugins/estree.js');

hook.limit(120);
const turn = hook.arm(process.argv[2], 'prettier', 400000);
const own = estree.printers.estree;
const counted = {
  languages: [],
  parsers: { babel: parsers.babel }, // or its own plugin's printer would be taken
  printers: {
    estree: Object.assign({}, own, {
      print(path, options, print, args) {
        turn();
        return own.print(path, options, print, args);
      },
    }),
  },
};

async function format(file) {
  const text = fs.readFileSync(file, 'utf8');
  return (await prettier.format(text, { filepath: file, plugins: [counted] })).length;
}

async function main() {
  let length = 0;
  for (let round = 0; round < 50; round++) {
    for (const folder of ['fastify/lib', 'autocannon/lib']) {
      for (const name of fs.readdirSync(hook.packages + '/' + folder)) {
        if (name.endsWith('.js')) length += await format(hook.packages + '/' + folder + '/' + name);
      }
    }
  }
  console.log('too early: printed', length);
}
main();
