'use strict';
// What the drivers share: a callback that a program calls again and again, and
// that ends the process in one of these calls.
//
// arm(dir, mode, last) returns that callback. Its calls go to one of eight
// closures in turn, so that the engine compiles it early and need not throw the
// code away when the last call is another: all callers keep the tier they had.
const truth = require('./truth.js');

exports.arm = function arm(dir, mode, last) {
  function die() {
    truth.write(dir, 'process.abort', { mode });
    process.abort();
  }
  const turns = [];
  for (let i = 0; i < 8; i++) turns.push(new Function('return ' + i));
  let calls = 0;
  return function turn() {
    if (++calls === last) turns[calls & 7] = die;
    return turns[calls & 7]();
  };
};

// A program that never comes to its last call shall not run for ever.
exports.limit = function limit(seconds) {
  setTimeout(() => process.exit(3), seconds * 1000).unref();
};

exports.packages = process.argv[3];
exports.load = (name) => require(exports.packages + '/' + name);
