// idle: a worker that has answered and waits. None of its threads is in JavaScript: what there
// is has to be found on the heap, of which few functions are the program's.
class Widget {
  constructor(i) { this.number = i; this.name = 'w' + i; this.more = [i]; }
}
const keep = [];
for (let i = 0; i < 137; i++) keep.push(new Widget(i));

export default {
  async fetch() {
    console.log('said: ' + JSON.stringify({ objects: keep.length, props: Object.keys(keep[0]) }));
    return new Response('');
  },
};
