/* fenced: takes the memory behind the one that brk has given, so that an allocator has to map its memory. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((constructor)) static void fence(void)
{
	uintptr_t end = ((uintptr_t)sbrk(0) + 4095) & -(uintptr_t)4096;
	mmap((void *)end, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}
