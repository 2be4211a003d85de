'use strict';
// Functions whose variables live in registers. Each variable holds the text
// "FUNCTION.VARIABLE" where the program dies, so that a wrong name cannot look right.
const truth = require('./truth.js');
const dir = process.argv[2];

const id = (x) => x;
const steps = [];
function go() {
  const next = steps.shift();
  if (next) return next();
  truth.write(dir, 'process.abort', { mode: 'registers' });
  process.abort();
}

steps.push(function plain() {
  let a = id('plain.a');
  const b = 'plain.b';
  var c = id('plain.c');
  let late;
  late = 'plain.late';
  const d = a && 'plain.d', e = b ? 'plain.e' : 0;
  const r = go();
  return [r, a, b, c, d, e, late];
});

steps.push(function blocks() {
  const outer = id('blocks.outer');
  if (outer) {
    const inner = id('blocks.inner');
    {
      let deepest = id('blocks.deepest');
      const r = go();
      return [r, inner, deepest, outer];
    }
  }
  const never = id('blocks.never');
  return never;
});

steps.push(function loops() {
  let last;
  for (let i = 'loops.i', n = id('loops.n'); i; ) {
    const item = id('loops.item');
    for (const of of ['loops.of']) {
      for (const key in { 'loops.key': 1 }) {
        last = id('loops.last');
        return [go(), i, n, item, of, key, last];
      }
    }
  }
});

steps.push(function again() {
  let sum = 'again.sum';
  for (let k = 0; k < 3; k++) {
    const seen = id(k === 2 ? 'again.seen' : 'again.old');
    if (k === 2) {
      k = 'again.k';
      return [go(), sum, seen];
    }
    const after = id('again.stale');
    sum = after ? 'again.sum' : 0;
  }
});

steps.push(function patterns() {
  const { a, b: renamed, ...rest } = { a: 'patterns.a', b: 'patterns.renamed', c: 1 };
  const [first, second] = ['patterns.first', 'patterns.second'];
  const { deep: { x } } = { deep: { x: 'patterns.x' } };
  const { y = 'patterns.y' } = {};
  return [go(), a, renamed, rest, first, second, x, y];
});

steps.push((arrow = 'unused') => {
  const own = id('arrow.own');
  const text = `arrow.${id('text')}`;
  const pattern = /arrow\/[/"]pattern/.source ? 'arrow.pattern' : 0;
  return [go(), own, text, pattern];
});

steps.push(function captured() {
  let shared = id('captured.shared');
  const alone = id('captured.alone');
  const read = () => shared;
  return [go(), read, alone];
});

steps.push(function caught() {
  const before = id('caught.before');
  try {
    const within = id('caught.within');
    if (within) throw new Error('x');
  } catch (e) {
    const handled = id('caught.handled');
    return [go(), before, handled, e];
  } finally {
    id();
  }
});

steps.push(function switched() {
  const kind = id('switched.kind');
  switch (kind) {
    case 'switched.kind': {
      const chosen = id('switched.chosen');
      return [go(), chosen];
    }
    default: {
      const other = id('switched.other');
      return other;
    }
  }
});

class Thing {
  #p = 1;
  constructor() {
    const made = id('Thing.made');
    this.r = [go(), made, this.#p];
  }
  method() {
    const self = id('method.self');
    let two = id('method.two');
    return [go(), self, two];
  }
  get value() {
    const got = id('value.got');
    return [go(), got];
  }
}
steps.push(function things() {
  const thing = new Thing();
  return thing;
});
steps.push(function methods() {
  const t = Object.create(Thing.prototype);
  const r = t.method();
  return r;
});
steps.push(function getters() {
  const t = Object.create(Thing.prototype);
  return t.value;
});
steps.push(function runs() {
  function* numbers() {
    const begun = id('numbers.begun');
    const r = yield go();
    return [begun, r];
  }
  const it = numbers();
  return it.next();
});
steps.push(function closures() {
  const make = function named() {
    const mine = id('named.mine');
    return [go(), mine];
  };
  const r = make();
  return r;
});
steps.push(function same() {
  const x = id('same.x');
  const list = [x].map((y) => {
    const x = id('y.x');
    return [go(), x, y];
  });
  return list;
});
steps.push(function ends() {
  let a = 1; while (true) { const b = id('ends.b'); return [go(), a, b]; }
});
go();
