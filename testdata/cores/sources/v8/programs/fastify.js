'use strict';
// fastify.js DIR PACKAGES: a web server under load from a worker thread, over
// loopback. It dies while it serializes the reply to one request: the code that
// does so was generated from the reply's schema, and reads a getter.
const hook = require('./hook.js');
const autocannon = hook.load('autocannon');
const server = hook.load('fastify')();

hook.limit(120);
const last = 15000;
const turn = hook.arm(process.argv[2], 'fastify', last);

class Item {
  constructor(id, tags) {
    this.id = id;
    this.tags = tags;
  }
  get name() { return 'item ' + this.id + turn(); }
}

const item = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
};

server.decorateRequest('seen', 0);
server.addHook('onRequest', function count(request, reply, done) {
  request.seen++;
  done();
});
server.addHook('preHandler', async function check(request) { return request.seen > 9 ? null : undefined; });
server.post('/items/:id', {
  schema: {
    params: { type: 'object', properties: { id: { type: 'integer' } } },
    body: { type: 'object', required: ['tags'], properties: { tags: { type: 'array', items: { type: 'string' } } } },
    response: { 200: { type: 'object', properties: { items: { type: 'array', items: item } } } },
  },
}, async function items(request) {
  return { items: [new Item(request.params.id, request.body.tags)] };
});

async function main() {
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address();
  const result = await autocannon({
    url: 'http://127.0.0.1:' + port + '/items/7',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tags: ['red', 'green'] }),
    connections: 8,
    pipelining: 2,
    amount: 2 * last,
    workers: 1,
  });
  console.log('too early:', result.requests.total, 'requests');
  process.exit(1);
}
main();
