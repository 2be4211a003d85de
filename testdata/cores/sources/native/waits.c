/* waits conditions|again|locks|all: threads that wait in the C library, each of which has written down for what: kind,
 * name, who holds it (the id of a thread, "?" if the library does not keep that, "2r" of two
 * that read, "-" of nobody), the mutex that was given up ("-" if none, or the library does not keep
 * it), the function, its own id, and whether its time is limited. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PLACE __attribute__((noinline, used))
#ifdef __GLIBC__
#define KEPT(text) text
#else
#define KEPT(text) "?"
#endif

pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER, plain = PTHREAD_MUTEX_INITIALIZER, one, two, twice;
pthread_cond_t work = PTHREAD_COND_INITIALIZER, tick = PTHREAD_COND_INITIALIZER, again = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t shelf = PTHREAD_RWLOCK_INITIALIZER, drawer = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t gate, door, together;
pthread_t sleeper;
sem_t slots;
volatile int turns, present, sleeping, holds[2];

static int self(void) { return syscall(SYS_gettid); }

static void waits_for(const char *kind, const char *name, const char *owner, const char *mutex, const char *in, const char *timed) {
	static pthread_mutex_t lines;
	pthread_mutex_lock(&lines);
	printf("%s %s %s %s %s %d %s\n", kind, name, owner, mutex, in, self(), timed);
	fflush(stdout);
	pthread_mutex_unlock(&lines);
}

static void soon(struct timespec *t) {
	clock_gettime(CLOCK_REALTIME, t);
	t->tv_sec += 1000;
}

static const char *mutex_of(const char *name) { return strcmp(KEPT("kept"), "?") ? name : "-"; }

PLACE void *wait_work(void *unused) {
	pthread_mutex_lock(&guard);
	waits_for("condition", "work", "-", mutex_of("guard"), "wait_work", "-");
	while (!turns) pthread_cond_wait(&work, &guard);
	return unused;
}

PLACE void *wait_tick(void *unused) {
	struct timespec t;
	soon(&t);
	pthread_mutex_lock(&guard);
	waits_for("condition", "tick", "-", mutex_of("guard"), "wait_tick", "timed");
	while (!turns) pthread_cond_timedwait(&tick, &guard, &t);
	return unused;
}

/* Waits for what others have been woken of before, so that groups have changed. */
PLACE void *wait_again(void *last) {
	pthread_mutex_lock(&twice);
	if (last) waits_for("condition", "again", "-", mutex_of("twice"), "wait_again", "-");
	present++;
	pthread_cond_wait(&again, &twice);
	present--;
	pthread_mutex_unlock(&twice);
	return last;
}

PLACE void *wait_slot(void *unused) {
	waits_for("semaphore", "slots", "-", "-", "wait_slot", "-");
	sem_wait(&slots);
	return unused;
}

PLACE void *wait_gate(void *unused) {
	waits_for("barrier", "gate", "-", "-", "wait_gate", "-");
	pthread_barrier_wait(&gate);
	return unused;
}

/* One that other processes may come to. */
PLACE void *wait_door(void *unused) {
	waits_for("barrier", "door", "-", "-", "wait_door", "-");
	pthread_barrier_wait(&door);
	return unused;
}

PLACE void *wait_sleep(void *unused) {
	sleeping = self();
	for (;;) sleep(1000);
	return unused;
}

PLACE void *wait_end(void *unused) {
	char owner[20];
	sprintf(owner, "%d", sleeping);
	waits_for("thread", "-", owner, "-", "wait_end", "-");
	pthread_join(sleeper, 0);
	return unused;
}

PLACE void *wait_other(void *second) {
	pthread_mutex_t *mine = second ? &two : &one;
	char owner[20];
	pthread_mutex_lock(mine);
	holds[second != 0] = self();
	pthread_barrier_wait(&together);
	sprintf(owner, "%d", holds[second == 0]);
	waits_for("mutex", second ? "one" : "two", owner, "-", "wait_other", "-");
	pthread_mutex_lock(second ? &one : &two);
	turns++;
	return second;
}

PLACE void *wait_plain(void *unused) {
	char owner[20];
	sprintf(owner, "%d", getpid());
	waits_for("mutex", "plain", KEPT(owner), "-", "wait_plain", "-");
	pthread_mutex_lock(&plain);
	turns++;
	return unused;
}

PLACE void *wait_shelf(void *unused) {
	waits_for("rwlock", "shelf", "2r", "-", "wait_shelf", "-");
	pthread_rwlock_wrlock(&shelf);
	turns++;
	return unused;
}

PLACE void *wait_drawer(void *unused) {
	char owner[20];
	sprintf(owner, "%d", getpid());
	waits_for("rwlock", "drawer", KEPT(owner), "-", "wait_drawer", "-");
	pthread_rwlock_rdlock(&drawer);
	turns++;
	return unused;
}

static pthread_t start(void *(*f)(void *), void *arg) {
	pthread_t t;
	pthread_create(&t, 0, f, arg);
	return t;
}

static void awaken(int threads) {
	int now;
	do {
		usleep(20000);
		pthread_mutex_lock(&twice);
		now = present;
		pthread_mutex_unlock(&twice);
	} while (now != threads);
	usleep(20000);
	pthread_mutex_lock(&twice);
	pthread_cond_broadcast(&again);
	pthread_mutex_unlock(&twice);
}

int main(int argc, char **argv) {
	const char *mode = argc > 1 ? argv[1] : "";
	pthread_mutexattr_t checks;
	pthread_barrierattr_t shared;
	int all = !strcmp(mode, "all");
	if (all || !strcmp(mode, "conditions")) {
		sem_init(&slots, 0, 0);
		pthread_barrier_init(&gate, 0, 5);
		start(wait_work, 0), start(wait_work, 0), start(wait_tick, 0);
		start(wait_slot, 0), start(wait_slot, 0), start(wait_gate, 0), start(wait_gate, 0), start(wait_gate, 0);
		pthread_barrierattr_init(&shared);
		pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
		pthread_barrier_init(&door, &shared, 4);
		start(wait_door, 0), start(wait_door, 0), start(wait_door, 0);
	}
	if (all || !strcmp(mode, "again")) {
		pthread_t first[3];
		int i, round;
		for (round = 0; round < 5; round++) {
			for (i = 0; i < 3; i++) first[i] = start(wait_again, 0);
			awaken(3);
			for (i = 0; i < 3; i++) pthread_join(first[i], 0);
		}
		start(wait_again, (void *)mode), start(wait_again, (void *)mode);
	}
	if (all || !strcmp(mode, "locks")) {
		pthread_mutexattr_init(&checks);
		pthread_mutexattr_settype(&checks, PTHREAD_MUTEX_ERRORCHECK);
		pthread_mutex_init(&one, &checks), pthread_mutex_init(&two, &checks);
		pthread_barrier_init(&together, 0, 2);
		pthread_rwlock_rdlock(&shelf), pthread_rwlock_rdlock(&shelf);
		pthread_rwlock_wrlock(&drawer);
		pthread_mutex_lock(&plain);
		sleeper = start(wait_sleep, 0);
		usleep(50000);
		start(wait_end, 0), start(wait_other, 0), start(wait_other, "second");
		start(wait_plain, 0), start(wait_shelf, 0), start(wait_drawer, 0);
	}
	for (;;) sleep(1000);
}
