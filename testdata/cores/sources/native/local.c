/* local LIBRARY: two threads with values of their own in thread-local variables: errno; two of the program;
 * three of a library that is linked; and one of LIBRARY, which is opened at run time, after both threads
 * have begun. Each thread writes down its id and a line "name value" for each variable, then the
 * program dies. (The first thread never touches its second variable of the program, which stays 0.) */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

__thread int local_own = 7;
static __thread long local_zero;
void fill_linked(int n);
void say_linked(void);
static int (*opened)(int n);
static pthread_barrier_t begun, loaded, filled;

static void fill(int n)
{
	local_own = n + 1;
	local_zero = n == 1000 ? 0 : -n;
	fill_linked(n);
	n = opened(n + 5);
	printf("thread %ld\nlocal_own %d\nlocal_zero %ld\nlocal_opened %d\n", (long)syscall(SYS_gettid), local_own, local_zero, n);
	say_linked();
}

static void *second(void *unused)
{
	pthread_barrier_wait(&begun);
	pthread_barrier_wait(&loaded);
	fill(2000);
	close(-1); /* EBADF */
	printf("errno %d\n", errno);
	fflush(stdout);
	close(-1);
	pthread_barrier_wait(&filled);
	for (;;)
		close(-1), syscall(SYS_pause);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t;
	void *library;
	if (argc != 2)
		return 2;
	pthread_barrier_init(&begun, 0, 2);
	pthread_barrier_init(&loaded, 0, 2);
	pthread_barrier_init(&filled, 0, 2);
	pthread_create(&t, 0, second, 0);
	pthread_barrier_wait(&begun);
	library = dlopen(argv[1], RTLD_NOW);
	if (!library || !(opened = (int (*)(int))dlsym(library, "fill_opened"))) {
		printf("%s\n", dlerror());
		return 1;
	}
	pthread_barrier_wait(&loaded);
	pthread_barrier_wait(&filled);
	fill(1000);
	errno = 0;
	(void)!chdir("/nonexistent/folder"); /* ENOENT */
	printf("errno %d\n", errno);
	fflush(stdout);
	(void)!chdir("/nonexistent/folder");
	*(volatile char *)0 = 1;
}
