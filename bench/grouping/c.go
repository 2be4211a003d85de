package main

// cKinds are bugs of C. @ is the function's name, # a number of the bug's own.
var cKinds = []kind{
	{"null-read", `struct @_s { long pad[#]; int v; }; KEEP int @(long n) { struct @_s *s = none; return s->v + (int)n; }`},
	{"null-write", `struct @_s { long pad[#]; long v; }; KEEP int @(long n) { struct @_s *s = none; s->v = n; sink++; return 1; }`},
	{"list-walk", `struct @_i { struct @_i *next; int v; }; KEEP int @(long n) { struct @_i a = {none, 1}, *p = &a; int sum = (int)n; do { sum += p->v * #; p = p->next; } while (sum != sink - 1); return sum; }`},
	{"null-call", `static int (*volatile @_hook)(int); KEEP int @(long n) { return @_hook((int)n + #) + 1; }`},
	{"wild", `KEEP int @(long n) { int *volatile p = (int *)(0x1234567800000000 + # * 0x1111110); return *p + (int)n; }`},
	{"strlen", `KEEP int @(long n) { return (int)strlen(no_text) + (int)n + #; }`},
	{"memcpy", `static char @_from[4096]; KEEP int @(long n) { memcpy(none, @_from, sizeof @_from - # - zero); sink++; return (int)n; }`},
	{"divide", `KEEP int @(long n) { return ((int)n + #) / zero + 1; }`},
	{"modulo", `KEEP int @(long n) { unsigned z = (unsigned)zero; return (int)(((unsigned)n + #u) % z) + 2; }`},
	{"abort", `KEEP int @(long n) { if (zero == 0) abort(); sink += #; return (int)n; }`},
	{"assert", `KEEP int @(long n) { assert(n + zero < -# && "@"); sink++; return (int)n; }`},
	{"double-free", `KEEP int @(long n) { char *p = malloc(# * 16 + 8); none = p; free(none); free(none); sink++; return (int)n; }`},
	{"bad-free", `static char @_static[256]; KEEP int @(long n) { none = @_static + 16; free(none); sink++; return (int)n; }`},
	{"recursion", `KEEP int @(long n) { volatile char room[# * 16 + 256]; room[n % 200] = 1; return @(n + 1) + room[0]; }`},
	{"mutual", `KEEP int @_odd(long n); KEEP int @(long n) { volatile char room[256 + #]; room[n % 99] = 1; return @_odd(n + 1) + room[0]; } KEEP int @_odd(long n) { volatile char room[256]; room[n % 99] = 1; return @(n + 1) + room[0]; }`},
	{"trap", `KEEP int @(long n) { if (n >= 0) __builtin_trap(); return # + (int)n; }`},
	{"compare", `KEEP int @_less(const void *a, const void *b) { return **(int *const *)a - **(int *const *)b + #; } KEEP int @(long n) { static int *rows[16]; qsort(rows, 16, sizeof rows[0], @_less); sink++; return (int)n; }`},
	{"table", `KEEP int @(long n) { return ((volatile int *)none)[#] + (int)n; } KEEP int @_other(long n) { return (int)n; } KEEP int @_pick(long n) { static int (*const handlers[])(long) = {@_other, @}; return handlers[zero + 1](n) + #; }`},
	{"null-file", `KEEP int @(long n) { FILE *volatile f = none; fprintf(f, "%ld %d\n", n, #); sink++; return 1; }`},
	{"bad-text", `KEEP int @(long n) { char text[64]; const char *volatile s = (const char *)(long)(8 * #); snprintf(text, sizeof text, "%s %ld", s, n); sink += text[0]; return 1; }`},
	{"read-only", `KEEP int @(long n) { volatile char *volatile p = (volatile char *)"@ is constant"; p[# % 7] = (char)n; sink++; return 1; }`},
	{"far-index", `static int @_table[8]; KEEP int @(long n) { int *volatile t = @_table; return t[(1L << 40) + n + #] + 1; }`},
	{"strcmp", `KEEP int @(long n) { return strcmp(no_text, "@ text") + (int)n + #; }`},
	{"truncated", `KEEP int @(long n) { FILE *f = tmpfile(); char *p; if (ftruncate(fileno(f), 8192)) return 0; p = mmap(0, 8192, PROT_READ, MAP_SHARED, fileno(f), 0); if (ftruncate(fileno(f), 0)) return 0; return ((volatile char *)p)[4096 + #] + (int)n; }`},
	{"inlined", `static inline int @_peek(const int *p) { return *p + #; } KEEP int @(long n) { return @_peek(none) * (int)(n + 2); }`},
}

const cHead = "#define _GNU_SOURCE\n" + cShift + `#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
` + cShared

// cShift, cShared and cDescend are what programs in C and C++ have alike: code and lines in front,
// what bugs are made of, and calls to a depth.
const (
	cShift = `#ifdef SHIFT
#line 3000
#endif
`
	cShared = `#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noinline, noipa))
#endif
volatile int zero, sink;
void *volatile none;
const char *volatile no_text;
#ifdef SHIFT
KEEP int SHIFT(int n) { for (int i = 0; i < n; i++) sink += i * n; return sink; }
#endif
`
	cDescend = `typedef int (*entry)(long);
KEEP int descend(entry f, long n) { int r = n > 0 ? descend(f, n - 1) : f(n); sink++; return r + 1; }
`
)

const cTail = "\nstatic void *waits(void *p) { (void)p; for (;;) pause(); }\n" + cDescend + `KEEP int from_timer(entry f, long n) { int r = descend(f, n); sink++; return r; }
KEEP int from_queue(entry f, long n) { int r = from_timer(f, n + 1); sink++; return r; }
struct job { entry f; long n; };
static void *works(void *p) { struct job *j = p; sink += descend(j->f, j->n); return 0; }
static const struct { const char *name; entry f; } bugs[] = {
%s};
int main(int argc, char **argv) {
	long depth = atol(argv[2]); int threads = atoi(argv[3]), way = atoi(argv[4]);
	pthread_t t;
	if (argc < 5) return 2;
	for (int i = 0; i < threads; i++) pthread_create(&t, 0, waits, 0);
	for (unsigned i = 0; i < sizeof bugs / sizeof bugs[0]; i++) {
		if (strcmp(bugs[i].name, argv[1])) continue;
		struct job j = {bugs[i].f, depth};
		switch (way) {
		case 0: return from_timer(j.f, depth);
		case 1: return from_queue(j.f, depth);
		case 2: pthread_create(&t, 0, works, &j); pthread_join(t, 0); return 0;
		default: return j.f(depth);
		}
	}
	return 3;
}
`
