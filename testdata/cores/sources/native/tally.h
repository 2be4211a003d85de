/*
 * tally.h: what the programs tally-*.c and tally-*.cc share. Each block that they make has a tag, which is the function that made
 * it, make_TAG. The list of blocks has numbers that are no addresses. With an argument they ask LeakSanitizer or Valgrind, if one
 * of them is there, and end; without one they abort at the same point.
 */
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <valgrind/memcheck.h>

#ifdef __cplusplus
extern "C"
#endif
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

#define APART __attribute__((noinline, unused))

enum { most = 4096 };
static const uintptr_t key = (uintptr_t)0x5a5a5a5a5a5a5a5a;
static struct noted { uintptr_t at; size_t size; const char *tag; int lost; } noted[most];
static int notes;
static pthread_mutex_t noting = PTHREAD_MUTEX_INITIALIZER;

/* note writes a block down: whether the program has lost it, and how much it asked for. */
APART static void note(const char *tag, int lost, void *p, size_t size)
{
	pthread_mutex_lock(&noting);
	noted[notes].at = (uintptr_t)p ^ key;
	noted[notes].size = size;
	noted[notes].tag = tag;
	noted[notes++].lost = lost;
	pthread_mutex_unlock(&noting);
}

/* forget takes a block from the list, as it is given back. */
APART static void forget(void *p)
{
	pthread_mutex_lock(&noting);
	for (int i = notes; i-- > 0;)
		if (noted[i].at == ((uintptr_t)p ^ key)) {
			noted[i] = noted[--notes];
			break;
		}
	pthread_mutex_unlock(&noting);
}

/* MAKE declares make_TAG, which makes blocks without zeroing them. */
#define MAKE(tag, lost) \
	APART static void *make_##tag(size_t n) \
	{ \
		void *p = malloc(n); \
		note(#tag, lost, p, n); \
		return p; \
	}

/* clean overwrites what is left over on the stack, and in registers. */
APART static int clean(void)
{
	volatile char room[32768];
	for (unsigned i = 0; i < sizeof room; i++)
		room[i] = 0;
	return room[100];
}

APART static void end(int argc)
{
	static char room[1 << 16];
	setvbuf(stdout, room, _IOFBF, sizeof room);
	for (int i = 0; i < notes; i++)
		printf("%s %#lx %zu %s %zu\n", noted[i].lost ? "lost" : "held", (long)(noted[i].at ^ key),
		       malloc_usable_size((void *)(noted[i].at ^ key)), noted[i].tag, noted[i].size);
	fflush(stdout);
	clean();
	if (argc < 2)
		abort();
	if (__lsan_do_recoverable_leak_check)
		__lsan_do_recoverable_leak_check();
	VALGRIND_DO_LEAK_CHECK;
	_exit(0);
}
