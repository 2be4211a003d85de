// healthy MODE: a process that is well, and waits or works in one of many ways.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;
static int ends[2];
static char room[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t many = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t count;
static sigjmp_buf back;

static void compute(void) { for (unsigned long i = 1;; i++) sink = sink * 31 + i % 7; }
static int listener(void) {
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int s = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(s, (struct sockaddr *)&at, sizeof at) || listen(s, 5)) exit(3);
	return s;
}
static void *job(void *mode) {
	const char *m = mode;
	if (!strcmp(m, "pool")) { pthread_mutex_lock(&lock); for (;;) pthread_cond_wait(&ready, &lock); }
	if (!strcmp(m, "contended")) { pthread_mutex_lock(&lock); for (;;) pause(); }
	if (!strcmp(m, "readers")) { pthread_rwlock_wrlock(&many); for (;;) pause(); }
	if (!strcmp(m, "barrier")) { pthread_barrier_wait(&barrier); return 0; }
	if (!strcmp(m, "workers")) compute();
	if (!strcmp(m, "mixed")) { if (sink++ % 2) compute(); for (;;) sleep(9); }
	for (;;) pause();
}
static void handled(int n) { (void)n; sink++; }
static void jumps(int n) { (void)n; siglongjmp(back, 1); }
static void inside(int n) { (void)n; for (;;) pause(); }

int main(int argc, char **argv) {
	if (argc < 2) return 2;
	const char *m = argv[1];
	pthread_t t;
	if (pipe(ends)) return 3;
	struct pollfd p = {ends[0], POLLIN, 0};
	for (int i = 0; i < 4 && strstr(" threads pool contended readers barrier workers mixed join ", m); i++) {
		if (i == 0) pthread_barrier_init(&barrier, 0, 9);
		pthread_create(&t, 0, job, argv[1]);
	}
	usleep(20000);
#define MODE(x) if (!strcmp(m, #x))
	MODE(poll) poll(&p, 1, -1);
	MODE(ppoll) ppoll(&p, 1, 0, 0);
	MODE(select) { fd_set s; FD_ZERO(&s); FD_SET(ends[0], &s); select(ends[0] + 1, &s, 0, 0, 0); }
	MODE(epoll) { int e = epoll_create1(0); struct epoll_event v = {EPOLLIN, {.fd = ends[0]}}; epoll_ctl(e, EPOLL_CTL_ADD, ends[0], &v); epoll_wait(e, &v, 1, -1); }
	MODE(read) (void)!read(ends[0], room, 1);
	MODE(write) for (;;) (void)!write(ends[1], room, sizeof room);
	MODE(accept) accept(listener(), 0, 0);
	MODE(sleep) sleep(999);
	MODE(nanosleep) { struct timespec s = {999, 0}; clock_nanosleep(CLOCK_MONOTONIC, 0, &s, 0); }
	MODE(pause) pause();
	MODE(sigwait) { sigset_t s; int n; sigemptyset(&s); sigaddset(&s, SIGUSR1); sigprocmask(SIG_BLOCK, &s, 0); sigwait(&s, &n); }
	MODE(sigsuspend) { sigset_t s; sigemptyset(&s); sigsuspend(&s); }
	MODE(signalfd) { sigset_t s; sigemptyset(&s); sigaddset(&s, SIGUSR1); (void)!read(signalfd(-1, &s, 0), room, sizeof room); }
	MODE(timerfd) (void)!read(timerfd_create(CLOCK_MONOTONIC, 0), room, 8);
	MODE(eventfd) (void)!read(eventfd(0, 0), room, 8);
	MODE(inotify) { int i = inotify_init(); inotify_add_watch(i, "/", IN_CREATE); (void)!read(i, room, sizeof room); }
	MODE(semaphore) { sem_init(&count, 0, 0); sem_wait(&count); }
	MODE(condition) { pthread_mutex_lock(&lock); pthread_cond_wait(&ready, &lock); }
	MODE(timedcond) { struct timespec s; clock_gettime(CLOCK_REALTIME, &s); s.tv_sec += 999; pthread_mutex_lock(&lock); pthread_cond_timedwait(&ready, &lock, &s); }
	MODE(child) { pid_t c = fork(); if (c == 0) { alarm(60); for (;;) pause(); } waitpid(c, 0, 0); }
	MODE(message) { int q = msgget(IPC_PRIVATE, 0600); struct { long t; char x[8]; } b; alarm(60); msgrcv(q, &b, 8, 0, 0); }
	MODE(stdio) { FILE *f = fdopen(ends[0], "r"); (void)!fgets(room, sizeof room, f); }
	MODE(compute) compute();
	MODE(sorting) for (;;) qsort(room, sizeof room, 1, (int (*)(const void *, const void *))strcmp);
	MODE(handled) { signal(SIGUSR1, handled); raise(SIGUSR1); pause(); }
	MODE(recovered) { signal(SIGSEGV, jumps); if (!sigsetjmp(back, 1)) *(volatile int *)0 = 1; pause(); }
	MODE(inside) { signal(SIGUSR1, inside); raise(SIGUSR1); }
	MODE(contended) pthread_mutex_lock(&lock);
	MODE(readers) pthread_rwlock_rdlock(&many);
	MODE(join) pthread_join(t, 0);
	for (;;) pause();
}
