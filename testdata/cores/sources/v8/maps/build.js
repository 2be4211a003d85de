'use strict';
// build.js DIR PACKAGES MODE: makes DIR/dist/main.js of DIR/src, with a map as MODE says.
const fs = require('fs');
const path = require('path');
const [dir, packages, mode] = process.argv.slice(2);
const load = (name) => require(packages + '/' + name);
process.chdir(dir);

function tsc(out, module, how) {
  const ts = load('typescript');
  const program = ts.createProgram(['src/main.ts'], {
    outDir: out, rootDir: 'src', module, target: ts.ScriptTarget.ES2019, strict: true, lib: ['lib.es2022.d.ts'], types: [], ...how,
  });
  const wrong = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  if (wrong.length > 0) throw new Error(ts.formatDiagnostics(wrong, ts.createCompilerHost({})));
}

function esbuild(how) {
  const { buildSync } = load('esbuild');
  buildSync({ entryPoints: ['src/main.ts'], outfile: 'dist/main.js', bundle: true, platform: 'node', target: 'es2019', minify: true, ...how });
}

function webpack(how) {
  tsc('es', load('typescript').ModuleKind.ES2020, { sourceMap: true });
  load('webpack')({
    target: 'node14', entry: path.resolve('es/main.js'), output: { path: path.resolve('dist'), filename: 'main.js' },
    module: { rules: [{ test: /\.js$/, extractSourceMap: true }] }, ...how,
  }, (err, stats) => {
    if (err || stats.hasErrors()) throw err || new Error(stats.toString());
  });
}

function swc() {
  const { transformFileSync } = load('@swc/core');
  fs.mkdirSync('dist', { recursive: true });
  for (const name of ['main', 'stock']) {
    const made = transformFileSync(`src/${name}.ts`, {
      sourceMaps: true, sourceFileName: `../src/${name}.ts`, minify: true, module: { type: 'commonjs' },
      jsc: { parser: { syntax: 'typescript' }, target: 'es2019', minify: { compress: true, mangle: { toplevel: true } } },
    });
    fs.writeFileSync(`dist/${name}.js`, `${made.code}\n//# sourceMappingURL=${name}.js.map\n`);
    fs.writeFileSync(`dist/${name}.js.map`, made.map);
  }
}

const modes = {
  tsc: () => tsc('dist', load('typescript').ModuleKind.CommonJS, { sourceMap: true }),
  'tsc-root': () => tsc('dist', load('typescript').ModuleKind.CommonJS, { sourceMap: true, sourceRoot: dir + '/src' }),
  'tsc-inline': () => tsc('dist', load('typescript').ModuleKind.CommonJS, { inlineSourceMap: true, inlineSources: true }),
  esbuild: () => esbuild({ sourcemap: true }),
  'esbuild-inline': () => esbuild({ sourcemap: 'inline' }),
  webpack: () => webpack({ mode: 'production', devtool: 'source-map' }),
  'webpack-inline': () => webpack({ mode: 'development', devtool: 'inline-source-map' }),
  'webpack-eval': () => webpack({ mode: 'development', devtool: 'eval-source-map' }),
  swc,
};
modes[mode]();
