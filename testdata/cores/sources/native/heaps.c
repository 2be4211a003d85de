/*
 * heaps: gets memory and gives some of it back, in two threads with arenas of their own,
 * says of each piece where it is, how large and whether it is free, and aborts.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(const char *what, void *at, size_t size) { printf("%s %p %zu\n", what, at, size); }

/* pieces: of each size some that stay, and some in between that do not: more than a tcache
 * takes, so that fastbins and the bins of large ones have some, too. */
static void pieces(void)
{
	static const size_t sizes[] = {24, 40, 104, 200, 600, 1500, 5000, 40000};
	enum { each = 30 };
	void *p[sizeof sizes / sizeof *sizes][each];
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
		for (int i = 0; i < each; i++) {
			p[s][i] = malloc(sizes[s]);
			memset(p[s][i], 0x11 * (i % 8), sizes[s]);
		}
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
		for (int i = 0; i < each; i++) {
			if (i % 3 == 1)
				free(p[s][i]);
			say(i % 3 == 1 ? "free" : "used", p[s][i], sizes[s]);
		}
}

static void *other(void *arg)
{
	pieces();
	return arg;
}

int main(void)
{
	pthread_t t;
	char *room = malloc(4000); /* printf's */
	setvbuf(stdout, room, _IOFBF, 4000);
	pthread_create(&t, NULL, other, NULL); /* which gets memory itself, and from here on nobody else does */
	pieces();
	pthread_join(t, NULL);
	fflush(stdout);
	abort();
}
