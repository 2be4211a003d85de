/*
 * allocs: blocks.c with another allocator than the C library's, which it says in its own figures: jemalloc's
 * mallctl, tcmalloc's MallocExtension. Which one it is decides what it is linked with.
 */
#include <stdlib.h>

static _Noreturn void ended(void);
#define abort ended
#include "blocks.c"
#undef abort

__attribute__((weak)) int mallctl(const char *, void *, size_t *, void *, size_t);
__attribute__((weak)) int MallocExtension_GetNumericProperty(const char *, size_t *);

static void jemalloc(void)
{
	static const char *const names[] = {"stats.allocated", "stats.active", "stats.mapped", "stats.retained", NULL};
	uint64_t epoch = 1;
	size_t n = sizeof epoch, v;
	mallctl("epoch", &epoch, &n, &epoch, n);
	for (int i = 0; names[i]; i++)
		if (n = sizeof v, !mallctl(names[i], &v, &n, NULL, 0))
			printf("figure %s %zu\n", names[i], v);
}

static void tcmalloc(void)
{
	static const char *const names[] = {"generic.current_allocated_bytes", "generic.heap_size", "tcmalloc.pageheap_free_bytes",
		"tcmalloc.pageheap_unmapped_bytes", "tcmalloc.central_cache_free_bytes", "tcmalloc.transfer_cache_free_bytes",
		"tcmalloc.thread_cache_free_bytes", NULL};
	size_t v;
	for (int i = 0; names[i]; i++)
		if (MallocExtension_GetNumericProperty(names[i], &v))
			printf("figure %s %zu\n", names[i], v);
}

static _Noreturn void ended(void)
{
	if (mallctl)
		jemalloc();
	if (MallocExtension_GetNumericProperty)
		tcmalloc();
	fflush(stdout);
	abort();
}
