'use strict';
// traced.js DIR: objects that only traced handles of the add-on traced.cc refer to: "held"
// of them, of the class Held, with their numbers. Some more were let go by the collector,
// of the class Gone.
const path = require('path');
const truth = require('./truth.js');

const dir = process.argv[2];
const addon = require(path.join(dir, 'traced.node'));

class Gone { constructor(i) { this.i = i; } }
class Held { constructor(i) { this.number = i; } }

const hold = (make, n) => { for (let i = 0; i < n; i++) addon.hold(make(i)); };
hold((i) => new Gone(i), 200);
gc(); // nothing of C++ leads to them
hold((i) => new Held(i), 700);
truth.write(dir, 'process.abort', { mode: 'traced', held: 700 });
process.abort();
