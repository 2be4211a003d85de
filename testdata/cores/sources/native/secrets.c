/* Spreads what it was started with as far as a program can, and dies in a signal
 * handler: copies on heap and stacks, in thread-local and read-only memory, in
 * UTF-16 and UTF-32 of both byte orders, across the edges of pages of which one is
 * not dumped, and in general and vector registers of all threads and of a signal
 * frame. The values come from the kernel: the program's file has none of them. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

extern char **environ;

enum { PAGE = 4096 };
static char *values[64];
static int count;
static __thread char local[256];
static sem_t ready;
static void *volatile kept;
static int *volatile nowhere;

static void keep(const void *p, size_t n)
{
	char *copy = malloc(n + 1);
	kept = memcpy(copy + 1, p, n); /* not aligned */
}

static void widen(const char *s)
{
	size_t n = strlen(s);
	uint16_t *w = malloc(2 * n), *w_be = malloc(2 * n);
	uint32_t *u = malloc(4 * n), *u_be = malloc(4 * n);
	for (size_t i = 0; i < n; i++) {
		w[i] = u[i] = (unsigned char)s[i];
		w_be[i] = __builtin_bswap16(w[i]);
		u_be[i] = __builtin_bswap32(u[i]);
	}
	keep(w, 2 * n);
	kept = w_be, kept = u, kept = u_be;
}

static char *pages(void)
{
	return mmap(0, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void edges(const char *s)
{
	size_t n = strlen(s);
	char *across = pages();
	for (size_t i = 1; i < n && i < 16; i++)
		memcpy(across + 2 * PAGE - i, s, n < PAGE ? n : PAGE);
	if (n > PAGE)
		return;
	char *tail_lost = pages(), *head_lost = pages(), *constant = pages();
	memcpy(tail_lost + PAGE - n / 2, s, n);
	madvise(tail_lost + PAGE, PAGE, MADV_DONTDUMP);
	memcpy(head_lost + PAGE - n / 2, s, n);
	madvise(head_lost, PAGE, MADV_DONTDUMP);
	memcpy(constant + 100, s, n);
	mprotect(constant, PAGE, PROT_READ);
}

static void *sleeper(void *arg)
{
	char stack[512], b[64] = {0};
	snprintf(stack, sizeof stack, "Authorization: Bearer %s\r\n", (char *)arg);
	strncpy(local, arg, sizeof local - 1);
	strncpy(b, arg, sizeof b - 1);
	kept = stack;
	sem_post(&ready);
	/* pause(2), with pieces of the value in registers. */
	__asm__ volatile("movdqu (%0), %%xmm3; mov (%0), %%r12; mov 4(%0), %%ebx; mov $34, %%eax; syscall" ::"r"(b)
			 : "rax", "rbx", "rcx", "r11", "r12", "xmm3", "memory");
	return 0;
}

static void spread(char *v)
{
	pthread_t t;
	char *line = malloc(strlen(v) + 3), *at = strchr(v, '@'), *colon = at ? memrchr(v, ':', at - v) : 0;
	sprintf(line, "x%sx", v);
	kept = line;
	keep(v, strlen(v));
	if (colon)
		keep(colon + 1, at - colon - 1);
	widen(v);
	edges(v);
	if (pthread_create(&t, 0, sleeper, v) == 0)
		while (sem_wait(&ready))
			;
}

__attribute__((noinline)) static void die(int sig)
{
	(void)sig;
	*nowhere = 1;
}

__attribute__((noinline)) static void with_registers(const char *s)
{
	char b[64] = {0};
	strncpy(b, s, sizeof b - 1);
	/* tgkill(2) of this thread, with pieces of the value in registers. */
	__asm__ volatile("movdqu (%0), %%xmm7; movdqu 8(%0), %%xmm15; fldt (%0);"
			 "mov (%0), %%r12; mov 8(%0), %%r13; mov (%0), %%r14d; mov 3(%0), %%r15d;"
			 "mov $234, %%eax; syscall" ::"r"(b), "D"((long)getpid()), "S"((long)gettid()), "d"((long)SIGUSR1)
			 : "rax", "rcx", "r11", "r12", "r13", "r14", "r15", "xmm7", "xmm15", "memory");
	kept = b;
}

int main(int argc, char **argv)
{
	char late[24] = {0}; /* made here, so that the file does not have it */
	for (int i = 0; i < 20; i++)
		late[i] = i % 5 == 4 ? '0' + i / 5 : 'a' + i * 7 % 26;
	for (int i = 1; i < argc; i++) {
		char *eq = argv[i][0] == '-' ? strchr(argv[i], '=') : 0;
		if (eq)
			values[count++] = eq + 1;
		else if (argv[i][0] != '-')
			values[count++] = argv[i];
		else if (argv[i][1] != '-')
			values[count++] = argv[i] + 2;
	}
	for (char **e = environ; *e && count < 64; e++)
		values[count++] = strchr(*e, '=') + 1;
	setenv("LATE", late, 1);
	sem_init(&ready, 0, 0);
	for (int i = 0; i < count; i++)
		if (*values[i])
			spread(values[i]);
	usleep(200000); /* the last thread comes to rest */
	prctl(PR_SET_NAME, values[0]);
	signal(SIGUSR1, die);
	with_registers(values[1]);
	return 0;
}
