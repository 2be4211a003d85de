/*
 * forgets: allocs.c, which at its end zeroes all blocks, forgets every fifth, says so, and dies. It is linked with --wrap=abort.
 */
#include "allocs.c"

_Noreturn void __real_abort(void);

/* clean overwrites what is left over on the stack, and in registers. */
__attribute__((noinline)) static int clean(void)
{
	volatile char room[16384];
	for (unsigned i = 0; i < sizeof room; i++)
		room[i] = 0;
	return room[100];
}

__attribute__((noinline)) static void forget(void)
{
	size_t n = 0;
	for (int i = 0; i < threads; i++)
		for (size_t k = 0; k < workers[i].have; k++) {
			struct block *b = &workers[i].of[k];
			if (!b->at)
				continue;
			size_t size = malloc_usable_size(b->at);
			memset(b->at, 0, size);
			if (n++ % 5 == 0) {
				printf("lost %#zx %zu\n", (size_t)b->at, size);
				b->at = NULL;
			}
		}
	fflush(stdout);
}

_Noreturn void __wrap_abort(void)
{
	forget();
	clean();
	__real_abort();
}
