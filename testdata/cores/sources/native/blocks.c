/*
 * blocks: gets and gives back memory at random in eight threads, by malloc, calloc, realloc, posix_memalign
 * and aligned_alloc, in all sizes; says of each block that is left where it is and what malloc_usable_size says of it,
 * and what the allocator says of itself; and aborts. The list of blocks is in memory that is mapped for it.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { threads = 8 };
struct block { void *at; };
struct worker { struct block *of; size_t have; uint64_t seed; };
static struct worker workers[threads];
static pthread_barrier_t done;

static uint64_t next(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s >> 3;
}

static size_t some(uint64_t *s)
{
	uint64_t r = next(s);
	switch (r % 100) {
	case 0: return 1000 + r / 100 % 60000;
	case 1: return r / 100 % 5000;
	case 2: case 3: case 4: case 5: return 200 + r / 100 % 1500;
	default: return r / 100 % 200;
	}
}

static void *get(uint64_t *s, size_t n)
{
	void *p;
	switch (next(s) % 20) {
	case 0: return calloc(1, n);
	case 1: return posix_memalign(&p, (size_t)16 << next(s) % 9, n) ? NULL : p;
	case 2: return aligned_alloc(64, (n + 63) / 64 * 64);
	default: return malloc(n);
	}
}

/* renew: what becomes of a block by chance. */
static void renew(struct worker *w, struct block *b)
{
	size_t n = some(&w->seed);
	if (b->at && next(&w->seed) % 4 == 0) {
		b->at = realloc(b->at, n + 1);
	} else {
		free(b->at);
		b->at = next(&w->seed) % 5 ? get(&w->seed, n) : NULL;
	}
	if (b->at)
		memset(b->at, (int)n | 1, n < 64 ? n : 64);
}

static void work(struct worker *w)
{
	for (size_t i = 0; i < w->have; i++)
		renew(w, &w->of[i]);
	for (size_t i = 0; i < 2 * w->have; i++)
		renew(w, &w->of[next(&w->seed) % w->have]);
	for (int i = 0; i < 3; i++) { /* large ones, which are mapped for themselves */
		struct block *b = &w->of[next(&w->seed) % w->have];
		size_t n = ((size_t)300 << 10) + next(&w->seed) % (1 << 20);
		free(b->at);
		b->at = NULL;
		if (i < 2 || posix_memalign(&b->at, 1 << 16, n))
			b->at = malloc(n);
	}
}

static void *other(void *arg)
{
	work(arg);
	pthread_barrier_wait(&done);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	static char room[1 << 16]; /* printf's */
	pthread_t t;
	size_t each = (argc > 1 ? strtoul(argv[1], NULL, 0) : 100000) / threads;
	struct block *all = mmap(NULL, threads * each * sizeof *all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	setvbuf(stdout, room, _IOFBF, sizeof room);
	pthread_barrier_init(&done, NULL, threads);
	for (int i = 0; i < threads; i++) {
		workers[i] = (struct worker){all + i * each, each, 88172645463325252u + 7919u * i};
		if (i > 0)
			pthread_create(&t, NULL, other, &workers[i]);
	}
	work(&workers[0]);
	pthread_barrier_wait(&done);
	for (size_t i = 0; i < threads * each; i++)
		if (all[i].at)
			printf("used %#zx %zu\n", (size_t)all[i].at, malloc_usable_size(all[i].at));
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 33) && !defined OLD
	struct mallinfo2 m = mallinfo2();
	printf("mallinfo2 arena %zu ordblks %zu smblks %zu hblks %zu hblkhd %zu fsmblks %zu uordblks %zu fordblks %zu keepcost %zu\n",
	       m.arena, m.ordblks, m.smblks, m.hblks, m.hblkhd, m.fsmblks, m.uordblks, m.fordblks, m.keepcost);
#endif
	malloc_info(0, stdout);
#endif
	fflush(stdout);
	abort();
}
