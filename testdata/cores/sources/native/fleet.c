/*
 * fleet N: N threads, all asleep under the same nine frames, and a main thread
 * that crashes. For figures: the work must grow with N, not with its square.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FRAME __attribute__((noinline, noipa))

static atomic_int up;
static volatile int *volatile nowhere;

FRAME int doze(int v) { up++; return pause() + v; }
FRAME int nest(int n)
{
	volatile int level = n; /* keeps the recursion from becoming a loop */
	int r = n > 1 ? nest(n - 1) : doze(n);
	return r + level;
}
FRAME int work(int v) { return nest(4) + v; }
FRAME void *sailor(void *arg) { return (char *)arg + work(1); }

FRAME int sink(int v) { *nowhere = v; return v + 1; }

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 100;
	pthread_attr_t small;
	pthread_t t;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 * 1024);
	for (int i = 0; i < n; i++)
		if (pthread_create(&t, &small, sailor, NULL)) {
			perror("pthread_create");
			return 2;
		}
	while (up < n)
		usleep(10 * 1000);
	usleep(300 * 1000);
	return sink(n) + 1;
}
