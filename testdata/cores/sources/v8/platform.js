'use strict';
// What Node and the web platform add to the values of the language, under the global
// P: URLs, events, messages, streams, sockets, keys, Intl and Temporal. Most of them
// have a function [util.inspect.custom] that says how they look. Before the program dies
// it leaves in platform.json what util.inspect prints of each.
const fs = require('fs');
const path = require('path');
const util = require('util');

const P = {};

// add makes one value, where the release can.
function add(name, make) {
  try {
    const x = make();
    if (x !== undefined) P[name] = x;
  } catch (e) {
    // not in this release
  }
}

const optional = (module) => {
  try {
    return require(module);
  } catch (e) {
    return {};
  }
};

function urls() {
  add('url', () => new URL('https://user:pa%20ss@example.org:8080/a/b?x=1&y=%20#frag'));
  add('urlPlain', () => new URL('http://example.org'));
  add('urlFile', () => new URL('file:///tmp/x'));
  add('urlData', () => new URL('data:text/plain,hi'));
  add('urlIn', () => ({ a: { u: new URL('http://in.example/') } }));
  add('urlDeep', () => ({ a: { b: { c: new URL('http://in.example/') } } }));
  add('params', () => new URLSearchParams('a=1&b=two&a=3'));
  add('paramsNone', () => new URLSearchParams());
  add('paramsLong', () => new URLSearchParams(Array.from({ length: 12 }, (_, i) => ['key' + i, 'some value ' + i])));
  add('paramsKeys', () => new URLSearchParams('a=1&b=2').keys());
  add('paramsEntries', () => new URLSearchParams('a=1&b=2').entries());
  add('urlSub', () => new (class Sub extends URL {})('http://sub.example/?q=1'));
  add('pattern', () => new URLPattern({ pathname: '/a/:b' }));
}

function fetches() {
  add('headers', () => new Headers({ 'content-type': 'text/plain', 'x-a': '1' }));
  add('headersNone', () => new Headers());
  add('request', () => new Request('http://example.org/p', { method: 'POST', body: 'b', headers: { a: 'b' } }));
  add('response', () => new Response('body', { status: 201, headers: { a: 'b' } }));
  add('responseError', () => Response.error());
  add('form', () => {
    const f = new FormData();
    f.append('a', '1');
    f.append('a', '2');
    f.append('b', '3');
    return f;
  });
}

function events() {
  add('signal', () => new AbortController().signal);
  add('controller', () => new AbortController());
  add('aborted', () => {
    const c = new AbortController();
    c.abort();
    return c.signal;
  });
  add('event', () => {
    const e = new Event('tick', { cancelable: true });
    e.preventDefault();
    return e;
  });
  add('target', () => new EventTarget());
  add('targetSub', () => new (class Bell extends EventTarget { constructor() { super(); this.rings = 3; } })());
  add('custom', () => new CustomEvent('c', { detail: { a: 1 } }));
  add('message', () => new MessageEvent('message', { data: 5 }));
  add('dispatched', () => {
    const t = new EventTarget();
    const e = new Event('go');
    t.addEventListener('go', () => {});
    t.dispatchEvent(e);
    return e;
  });
  add('emitter', () => new (require('events'))().on('x', () => {}));
  const w = require('worker_threads');
  add('channel', () => {
    const c = new w.MessageChannel();
    c.port1.unref();
    return c;
  });
  add('port', () => new w.MessageChannel().port1);
  add('portOn', () => {
    const { port1 } = new w.MessageChannel();
    port1.on('message', () => {});
    return port1;
  });
  add('broadcast', () => new w.BroadcastChannel('news'));
}

function data() {
  const { Blob } = require('buffer');
  add('blob', () => new Blob(['abc', 'def'], { type: 'text/plain' }));
  add('file', () => new (require('buffer').File)(['abc'], 'a.txt', { type: 'text/plain', lastModified: 1e12 }));
  add('encoder', () => new TextEncoder());
  add('decoder', () => new TextDecoder('utf-16le', { fatal: true }));
  add('decoderPlain', () => new TextDecoder());
  add('encoderStream', () => new TextEncoderStream());
  add('decoderStream', () => new TextDecoderStream());
  add('compression', () => new CompressionStream('gzip'));
  add('stringDecoder', () => new (require('string_decoder').StringDecoder)('utf8'));
  add('weakRef', () => new WeakRef(P));
  add('weakRefs', () => [new WeakRef({ a: P.blob })]);
  add('registry', () => new FinalizationRegistry(() => {}));
  add('weakMap', () => new WeakMap([[P, 1]]));
  const crypto = require('crypto');
  add('secretKey', () => crypto.createSecretKey(Buffer.alloc(16, 7)));
  const pair = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
  add('publicKey', () => pair.publicKey);
  add('privateKey', () => pair.privateKey);
  add('cryptoKey', () => pair.publicKey.toCryptoKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify']));
  add('hash', () => crypto.createHash('sha256').update('x'));
  add('hmac', () => crypto.createHmac('sha256', 'k'));
  add('webcrypto', () => crypto.webcrypto);
  add('subtle', () => crypto.webcrypto.subtle);
  const { performance } = require('perf_hooks');
  add('mark', () => performance.mark('m1', { detail: { a: 1 } }));
  add('measure', () => performance.measure('m2', 'm1'));
  add('performance', () => performance);
  add('histogram', () => require('perf_hooks').createHistogram());
  const recorded = (options, values) => {
    const h = require('perf_hooks').createHistogram(options);
    for (const n of values) {
      try {
        h.record(n);
      } catch (e) {
        // older releases throw for what is beyond it
      }
    }
    return h;
  };
  add('histogramRecorded', () => recorded({}, Array.from({ length: 99 }, (_, i) => (i + 1) * (i + 1) * 37)));
  add('histogramBounded', () => recorded({ lowest: 100, highest: 50000, figures: 2 }, [1, 99, 100, 1000, 1000, 49999, 1e9, 2e12]));
  add('histogramOne', () => recorded({ figures: 5 }, [123456789]));
  add('delay', () => {
    if (!require('perf_hooks').createHistogram) return undefined; // it is another kind of object
    const h = require('perf_hooks').monitorEventLoopDelay({ resolution: 5 });
    h.enable();
    return h;
  });
  add('stats', () => fs.statSync('/'));
  add('dirent', () => fs.readdirSync('/', { withFileTypes: true })[0]);
  add('script', () => new (require('vm').Script)('1', { filename: 'x.js' }));
  add('sandbox', () => require('vm').createContext({ a: 1 }));
  add('blockList', () => new (require('net').BlockList)());
  add('blockListRules', () => {
    const b = new (require('net').BlockList)();
    b.addAddress('1.2.3.4');
    b.addAddress('::1:2', 'ipv6');
    b.addRange('10.0.0.1', '10.0.0.9');
    b.addSubnet('fe80::', 10, 'ipv6');
    b.addSubnet('192.168.0.0', 16);
    b.addAddress('::ffff:5.6.7.8', 'ipv6');
    return b;
  });
  add('socketAddress6', () => new (require('net').SocketAddress)({ address: '2001:db8::1', family: 'ipv6', port: 443, flowlabel: 12345 }));
  add('socketAddress', () => new (require('net').SocketAddress)({ address: '127.0.0.1', port: 80 }));
  add('als', () => new (require('async_hooks').AsyncLocalStorage)());
  add('resource', () => new (require('async_hooks').AsyncResource)('Mine'));
  add('mime', () => new util.MIMEType('text/html; charset=utf-8'));
  add('diagnostics', () => require('diagnostics_channel').channel('d'));
  add('dns', () => new (require('dns').Resolver)());
  add('domain', () => require('domain').create());
}

function streams() {
  const s = require('stream');
  const read = () => {};
  add('readable', () => new s.Readable({ read }));
  add('readableOn', () => new s.Readable({ read }).on('data', () => {}));
  add('readableData', () => {
    const r = new s.Readable({ read, objectMode: true });
    r.push({ a: 1 });
    r.push({ a: 2 });
    return r;
  });
  add('writable', () => new s.Writable({ write: read }));
  add('writableBusy', () => {
    const w = new s.Writable({ write: read });
    w.write('abc');
    w.write('def');
    return w;
  });
  add('duplex', () => new s.Duplex({ read, write: read }));
  add('transform', () => new s.Transform({ transform: read }));
  add('passThrough', () => new s.PassThrough());
  const web = optional('stream/web');
  add('webReadable', () => new web.ReadableStream());
  add('webReadableBytes', () => new web.ReadableStream({ type: 'bytes' }));
  add('webReader', () => new web.ReadableStream().getReader());
  add('webWritable', () => new web.WritableStream());
  add('webWriter', () => new web.WritableStream().getWriter());
  add('webTransform', () => new web.TransformStream());
  add('webStrategy', () => new web.CountQueuingStrategy({ highWaterMark: 5 }));
  add('webLength', () => new web.ByteLengthQueuingStrategy({ highWaterMark: 5 }));
  add('zlib', () => require('zlib').createGzip());
  add('fileRead', () => fs.createReadStream(__filename, { autoClose: false }));
  add('fileWrite', () => fs.createWriteStream('/dev/null'));
  add('readline', () => require('readline').createInterface({ input: new s.PassThrough() }));
  add('console', () => console);
  add('consoleOther', () => new console.Console(new s.PassThrough()));
}

async function nets() {
  const net = require('net');
  const http = require('http');
  const sockets = [];
  const server = net.createServer((c) => sockets.push(c));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const socket = net.connect(server.address().port, '127.0.0.1');
  await new Promise((done) => socket.on('connect', done));
  await new Promise((done) => setTimeout(done, 50));
  add('socketNew', () => new net.Socket());
  add('socket', () => socket);
  add('socketPeer', () => sockets[0]);
  add('netServer', () => server);
  const web = http.createServer((req, res) => {
    add('incoming', () => req);
    add('serverResponse', () => res);
  });
  await new Promise((done) => web.listen(0, '127.0.0.1', done));
  const req = http.get({ port: web.address().port, host: '127.0.0.1', path: '/x?y=1', agent: new http.Agent({ keepAlive: true }) });
  req.on('error', () => {});
  await new Promise((done) => web.once('request', () => setTimeout(done, 50)));
  add('httpServer', () => web);
  add('httpRequest', () => req);
  add('httpAgent', () => http.globalAgent);
  add('httpMessage', () => new http.IncomingMessage(null));
  add('udp', () => require('dgram').createSocket('udp4'));
  add('watcher', () => fs.watch('/tmp', { persistent: false }));
}

function timers() {
  add('timeout', () => setTimeout(() => {}, 1e6));
  add('interval', () => setInterval(() => {}, 1e6));
  add('immediate', () => setImmediate(() => {}));
}

function intl() {
  const make = (name, C, ...args) => {
    if (C) add('intl' + name, () => new C(...args));
  };
  add('intl', () => Intl);
  make('Number', Intl.NumberFormat, 'de-DE', { style: 'currency', currency: 'EUR' });
  make('Date', Intl.DateTimeFormat, 'fr-CA', { timeZone: 'Asia/Tokyo' });
  make('Collator', Intl.Collator, 'sv');
  make('Plural', Intl.PluralRules, 'pl');
  make('Relative', Intl.RelativeTimeFormat, 'en');
  make('List', Intl.ListFormat, 'en');
  make('Names', Intl.DisplayNames, 'en', { type: 'region' });
  make('Locale', Intl.Locale, 'zh-Hant-TW');
  make('Segmenter', Intl.Segmenter, 'ja');
  make('Duration', Intl.DurationFormat, 'en');
  add('segments', () => new Intl.Segmenter('en').segment('a b'));
  if (typeof Temporal === 'undefined') return;
  add('temporal', () => Temporal);
  add('instant', () => Temporal.Instant.from('2020-01-02T03:04:05.123456789Z'));
  add('zoned', () => Temporal.ZonedDateTime.from('2020-01-02T03:04:05+09:00[Asia/Tokyo]'));
  add('plainDate', () => Temporal.PlainDate.from('2020-01-02'));
  add('plainTime', () => Temporal.PlainTime.from('03:04:05.5'));
  add('plainDateTime', () => Temporal.PlainDateTime.from('2020-01-02T03:04:05'));
  add('yearMonth', () => Temporal.PlainYearMonth.from('2020-01'));
  add('monthDay', () => Temporal.PlainMonthDay.from('12-25'));
  add('duration', () => Temporal.Duration.from('P1Y2M3DT4H5M6.7S'));
}

function errors() {
  const cause = (e, c) => Object.defineProperty(e, 'cause', { value: c, configurable: true, writable: true });
  add('errCause', () => cause(new Error('outer'), cause(new TypeError('middle'), new Error('inner'))));
  add('errCauseText', () => cause(new Error('outer'), 'why'));
  add('errCauseObject', () => cause(new Error('outer'), { code: 5 }));
  add('errAggregate', () => new AggregateError([new Error('e1'), cause(new Error('e2'), 'c')], 'all'));
  add('errIn', () => ({ e: [new RangeError('deep')] }));
  add('errNode', () => {
    try {
      return Buffer.alloc('x');
    } catch (e) {
      return e;
    }
  });
  add('errAssert', () => {
    try {
      return require('assert').strictEqual(1, 2);
    } catch (e) {
      return e;
    }
  });
  add('errSystem', () => {
    try {
      return fs.readFileSync('/nonexistent/x');
    } catch (e) {
      return e;
    }
  });
  add('errDom', () => new DOMException('m', 'DataCloneError'));
}

// Functions of programs that say how their objects look.
function programs() {
  const { custom } = util.inspect;
  class Money {
    constructor(n, unit) {
      this.n = n;
      this.unit = unit;
    }
    [custom](depth, options, inspect) {
      if (depth < 0) return options.stylize('[Money]', 'special');
      return `Money<${inspect(this.n, options)} ${this.unit.toUpperCase()}>`;
    }
  }
  add('money', () => new Money(12.5, 'eur'));
  add('monies', () => [new Money(1, 'usd'), { a: new Money(2, 'chf') }]);
  class Pair {
    constructor(a, b) {
      this.a = a;
      this.b = b;
    }
    [custom]() { return { left: this.a, right: [this.b] }; }
  }
  add('pair', () => new Pair(1, new Money(3, 'sek')));
  class Point {
    constructor(x, y) { Object.assign(this, { x, y }); }
    [custom](depth, options) {
      const parts = ['x', 'y'].map((k) => `${k}=${this[k]}`);
      return 'Point(' + parts.join(', ') + ')';
    }
  }
  add('point', () => new Point(1, -2));
  add('customLines', () => ({ in: { [custom]() { return 'one\ntwo'; } } }));
  add('customThis', () => ({ a: 1, [custom]() { return this; } }));
}

// The second time nothing is made any more that is made when it is first asked for.
function shown() {
  const list = {};
  for (let turn = 0; turn < 2; turn++) {
    for (const name of Object.keys(P)) {
      try {
        list[name] = util.inspect(P[name]);
      } catch (e) {
        delete list[name];
      }
    }
  }
  return list;
}

// It makes the values, and returns a function that writes down how they look.
module.exports = async function (out) {
  globalThis.P = P;
  urls();
  fetches();
  events();
  data();
  streams();
  await nets();
  timers();
  intl();
  errors();
  programs();
  add('process', () => process);
  return () => fs.writeFileSync(path.join(out, 'platform.json'), JSON.stringify(shown()));
};
