// tagged.c MODE: an access through a pointer with another tag than its memory has, which a check that clang puts in refuses
// (-fsanitize=kernel-hwaddress, which needs no library). The mode is load or store, and the size in bytes.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 0x10000, GRANULE = 16 };
static char *const memory = (char *)0x10000000;
static uint8_t *const shadow = (uint8_t *)(0x40000000 + (0x10000000 >> 4));

__attribute__((noinline)) uint64_t touch(const char *mode, volatile void *p) {
	if (!strcmp(mode, "load1")) return *(volatile uint8_t *)p;
	if (!strcmp(mode, "load2")) return *(volatile uint16_t *)p;
	if (!strcmp(mode, "load4")) return *(volatile uint32_t *)p;
	if (!strcmp(mode, "load8")) return *(volatile uint64_t *)p;
	if (!strcmp(mode, "load16")) return (uint64_t) * (volatile __int128 *)p;
	if (!strcmp(mode, "store1")) *(volatile uint8_t *)p = 1;
	if (!strcmp(mode, "store2")) *(volatile uint16_t *)p = 1;
	if (!strcmp(mode, "store4")) *(volatile uint32_t *)p = 1;
	if (!strcmp(mode, "store8")) *(volatile uint64_t *)p = 1;
	if (!strcmp(mode, "store16")) *(volatile __int128 *)p = 1;
	return 0;
}

__attribute__((no_sanitize("kernel-hwaddress", "hwaddress"))) int main(int argc, char **argv) {
	if (mmap(memory, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != memory ||
	    mmap(shadow, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != shadow)
		return 2;
	memset(shadow, 0x2a, PAGE / GRANULE);
	char *good = (char *)((uintptr_t)memory | 0x2aull << 56), *bad = (char *)((uintptr_t)memory | 0x2bull << 56);
	touch(argv[1], good);
	fprintf(stderr, "the right tag\n");
	touch(argv[1], bad);
	fprintf(stderr, "the wrong tag\n");
	return 1;
}
