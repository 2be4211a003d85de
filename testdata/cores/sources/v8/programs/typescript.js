'use strict';
// typescript.js DIR PACKAGES: the compiler checks the types of a web server and a
// load generator written in JavaScript, and dies while it makes a type.
const hook = require('./hook.js');
const ts = hook.load('typescript');

const turn = hook.arm(process.argv[2], 'typescript', 36000);
const Type = ts.objectAllocator.getTypeConstructor();
ts.setObjectAllocator(Object.assign({}, ts.objectAllocator, {
  getTypeConstructor: () => function CountedType(checker, flags) {
    turn();
    return new Type(checker, flags);
  },
}));

const files = ['fastify/fastify.js', 'autocannon/autocannon.js', 'typescript/lib/typescript.d.ts']
  .map((name) => hook.packages + '/' + name);
const program = ts.createProgram(files, {
  allowJs: true,
  checkJs: true,
  maxNodeModuleJsDepth: 8,
  noEmit: true,
  strict: true,
  types: [],
});
let found = 0;
for (const file of program.getSourceFiles()) found += program.getSemanticDiagnostics(file).length;
console.log('too early: all is checked,', program.getTypeCount(), 'types,', found, 'diagnostics');
