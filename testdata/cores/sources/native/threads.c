/*
 * threads: six threads, each in a place of its own.
 *
 * The crashing thread is not the first one; main waits in pthread_join, and
 * worker1 to worker4 wait in a condition variable, a sleep, a read and a loop.
 * With -DSTAY nothing crashes; with -DLEAVE the first thread is gone by then.
 * (A kernel core does not hold the threads' names: the stacks tell them apart.)
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FRAME __attribute__((noinline, noipa))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int quiet[2];
static atomic_int up;
static volatile unsigned long turns;
static volatile int *volatile nowhere;

FRAME int wait_for_work(void)
{
	pthread_mutex_lock(&lock);
	up++;
	for (;;)
		pthread_cond_wait(&never, &lock);
}
FRAME void *worker1(void *arg) { return (char *)arg + wait_for_work(); }

FRAME int take_a_nap(void)
{
	struct timespec day = {86400, 0};
	up++;
	return clock_nanosleep(CLOCK_MONOTONIC, 0, &day, NULL);
}
FRAME void *worker2(void *arg) { return (char *)arg + take_a_nap(); }

FRAME long read_request(void)
{
	char b[8];
	up++;
	return read(quiet[0], b, sizeof b) + b[0];
}
FRAME void *worker3(void *arg) { return (char *)arg + read_request(); }

FRAME int spin(void)
{
	up++;
	while (turns + 1)
		turns++;
	return 1;
}
FRAME void *worker4(void *arg) { return (char *)arg + spin(); }

#ifdef STAY /* for a core taken from outside */
FRAME int boom(int v) { return write(1, "ready\n", 6) == 6 ? pause() + v : v; }
#else
FRAME int boom(int v) { *nowhere = v; return v + 1; }
#endif
FRAME void *crasher(void *arg)
{
	while (up < 4)
		sched_yield();
	usleep(300 * 1000);
	return (char *)arg + boom(up);
}

FRAME int join_all(pthread_t *t, int n)
{
	void *r;
	int sum = 0;
	for (int i = n; i-- > 0;)
		sum += pthread_join(t[i], &r);
	return sum;
}

int main(void)
{
	void *(*body[])(void *) = {crasher, worker1, worker2, worker3, worker4};
	const char *name[] = {"crasher", "worker1", "worker2", "worker3", "worker4"};
	pthread_t t[5];
	if (pipe(quiet))
		return 2;
	for (int i = 0; i < 5; i++) {
		if (pthread_create(&t[i], NULL, body[i], NULL))
			return 2;
		pthread_setname_np(t[i], name[i]);
	}
#ifdef LEAVE /* the first thread ends before the others: a zombie leads them */
	pthread_exit(NULL);
#endif
	return join_all(t, 5) + 1;
}
