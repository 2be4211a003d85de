'use strict';
// Put a function into a chosen tier with natives syntax. An intrinsic that this
// V8 does not have leaves its helper undefined.
function intrinsic(body) {
  try {
    return new Function('f', body);
  } catch (e) {
    return undefined;
  }
}

exports.prepare = intrinsic('%PrepareFunctionForOptimization(f)');
exports.turbofan = intrinsic('%OptimizeFunctionOnNextCall(f)');
exports.maglev = intrinsic('%OptimizeMaglevOnNextCall(f)');
exports.baseline = intrinsic('%CompileBaseline(f)');
exports.never = intrinsic('%NeverOptimizeFunction(f)');
exports.status = intrinsic('return %GetOptimizationStatus(f)');

// Callbacks of many shapes, so that no call site is inlined by its target.
const many = [
  function same(x) { return x; },
  function more(x) { return x + 1; },
  function boxed(x) { return [x]; },
  function text(x) { return '' + x; },
  (x) => x,
  (x) => -x,
];

exports.warm = function warm(f, tier) {
  if (exports.prepare) exports.prepare(f);
  for (let i = 0; i < 30; i++) for (const g of many) f(i, g);
  const compile = exports[tier];
  if (compile) {
    compile(f);
    f(1, many[0]);
  }
};
