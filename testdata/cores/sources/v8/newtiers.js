'use strict';
// newtiers.js DIR: constructors in each tier, called with new and by super from
// functions in each tier that makes the object itself. Needs natives syntax. Each
// constructor is too large to be inlined, and its last call goes on to the next.
const truth = require('./truth.js');
const tiers = require('./tiers.js');

const dir = process.argv[2];
Error.stackTraceLimit = Infinity;

const rounds = [];
const state = { at: -1 }; // nothing is called until all are compiled

function step() {
  if (state.at < 0) return 0;
  if (state.at < rounds.length) return rounds[state.at++](1);
  truth.write(dir, 'process.abort', { mode: 'newtiers' });
  process.abort();
}

if (tiers.never) tiers.never(step);

const work = 'let a = n; if (n < 0) { ' + 'a = (a * 3 + 1) | 0; '.repeat(150) + '} this.a = a; this.b = step();';

// The constructor C that calls step, the class D around it, and what calls new.
const kinds = {
  old: `function Old(n) { ${work} }`,
  base: `class Base { constructor(n) { ${work} } }`,
  target: `class Target { constructor(n) { ${work} this.t = new.target; } }`,
  above: `class Above { constructor(n) { ${work} } }; class extends C { constructor(n) { super(n + 1); this.m = n; } }`,
  middle: `class Middle extends Object { constructor(n) { super(); ${work} } }; class extends C { constructor(n) { super(n + 1); this.m = n; } }`,
  implied: `class Above { constructor(n) { ${work} } }; class Implied extends C {}`,
  fields: `class Above { constructor(n) { ${work} } }; class Fields extends C { field = 1; }`,
};

// Each text is its own, for V8 shares what it knows of equal ones.
function make(kind, round) {
  const [c, d] = kind.split('; class ');
  const text = `/* ${round} */ const C = ${c}; const D = ${d ? 'class ' + d : 'C'}; return [C, D, (n) => new D(n).b];`;
  return new Function('step', text)(step);
}

for (const tier of ['none', 'baseline', 'maglev', 'turbofan']) {
  for (const caller of ['maglev', 'turbofan']) {
    for (const kind of Object.values(kinds)) {
      const [C, D, f] = make(kind, rounds.length);
      for (const g of [f, C, D]) if (tiers.prepare) tiers.prepare(g);
      for (let i = 0; i < 8; i++) f(i);
      if (tiers[tier]) tiers[tier](C);
      f(1);
      if (tiers[caller]) tiers[caller](f);
      f(2);
      rounds.push(f);
    }
  }
}
state.at = 0;
step();
