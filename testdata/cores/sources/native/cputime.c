/* cputime: threads that run for a while and then sleep, one that ends, and the main one. Each line
 * written down is a name, a thread's id and the milliseconds that the thread ran by its own clock. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_barrier_t done;

static long ran(void) {
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void burn(const char *name, long ms) {
	volatile unsigned long n = 0;
	while (ran() < ms)
		for (int i = 0; i < 100000; i++)
			n += i;
	printf("%s %ld %ld\n", name, syscall(SYS_gettid), ran());
}

static void *burner(void *ms) {
	burn("burner", (long)ms);
	pthread_barrier_wait(&done);
	for (;;)
		pause();
}

static void *ended(void *ms) {
	burn("ended", (long)ms);
	return 0;
}

int main(void) {
	pthread_t t;
	setvbuf(stdout, 0, _IOFBF, 1 << 12);
	pthread_barrier_init(&done, 0, 4);
	for (long ms = 0; ms <= 600; ms += 300)
		pthread_create(&t, 0, burner, (void *)ms);
	pthread_create(&t, 0, ended, (void *)400);
	pthread_join(t, 0);
	burn("main", 100);
	pthread_barrier_wait(&done);
	fflush(stdout);
	for (;;)
		pause();
}
