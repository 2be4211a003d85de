/* plug: the library that host loads. plug_middle is local: only .symtab knows it. */
#define FRAME __attribute__((noinline, noipa))

typedef int callback(int);

FRAME static int plug_middle(callback *cb, int v) { return cb(v) + 1; }
FRAME int plug_entry(callback *cb, int v) { return plug_middle(cb, v + 1) + 1; }
