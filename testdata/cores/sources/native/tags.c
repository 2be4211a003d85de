/* tags MODE: uses memory that has tags (MTE), writes down some of them, and dies of a pointer
 * that has another one.
 *   sync   granule i has the tag i modulo 16; the access is one past what the pointer may use
 *   async  the same, but the processor only notes it
 *   freed  a piece of the heap that was freed, with tags by glibc (glibc.mem.tagging=3)
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define SET_TAGGED_ADDR_CTRL 55
#define TAGS (1 | 0xfffe << 3) /* tagged addresses; all tags but 0 may be chosen */
#define SYNC 2
#define ASYNC 4
#define PROT_MTE 0x20

__attribute__((noinline)) int poke(volatile char *p) { return *p = 42; }

/* What the processor says is the tag of an address. */
static void says(uintptr_t at) {
	uintptr_t x = at & ~(255ul << 56);
	asm volatile(".arch armv8.5-a+memtag\n ldg %0, [%0]" : "+r"(x)::"memory");
	printf("tag 0x%lx %lu\n", at & ~(255ul << 56), x >> 56 & 15);
}

int main(int argc, char **argv) {
	int async = !strcmp(argv[1], "async");
	char *p;
	uintptr_t at;
	if (!strcmp(argv[1], "freed")) {
		p = malloc(100);
		char *q = malloc(200);
		for (at = (uintptr_t)p; at < (uintptr_t)p + 368; at += 16) says(at);
		memset(q, 1, 200);
		free(p);
		says((uintptr_t)p);
	} else {
		if (prctl(SET_TAGGED_ADDR_CTRL, TAGS | (async ? ASYNC : SYNC), 0, 0, 0) < 0) {
			perror("no tags");
			return 2;
		}
		char *page = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE | PROT_MTE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (uintptr_t i = 0; i < 2 * 4096 / 16; i++)
			asm volatile(".arch armv8.5-a+memtag\n stg %0, [%0]" ::"r"((uintptr_t)page + 16 * i | (i & 15) << 56) : "memory");
		p = (char *)((uintptr_t)page + 0x50 | 5ul << 56);
		*p = 1;
		p += 16;
		for (at = (uintptr_t)page; at < (uintptr_t)page + 512; at += 16) says(at);
		says((uintptr_t)page + 8192);
	}
	printf("access 0x%lx\n", (uintptr_t)p);
	fflush(stdout);
	poke(p);
	if (async) getpid(); /* the kernel sees it here at the latest */
	return 0;
}
