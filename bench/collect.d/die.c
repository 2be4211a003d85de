// die MODE [FILE]: dies as bench/collect wants it to.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

volatile int *volatile none;
__attribute__((noinline)) int culprit(void) { return *none + 1; }

int main(int argc, char **argv) {
	const char *mode = argc > 1 ? argv[1] : "";
	if (strcmp(mode, "named") == 0) prctl(PR_SET_NAME, argv[2]);
	if (strcmp(mode, "sparse") == 0) { // 1 GB, of which a page is used
		char *p = mmap(NULL, 1ul << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		p[1 << 29] = 1;
	}
	if (strcmp(mode, "full") == 0) { // 256 MB, all used
		char *p = mmap(NULL, 256ul << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (unsigned long i = 0; i < 256ul << 20; i += 64) *(unsigned *)(p + i) = (unsigned)(i * 2654435761u);
	}
	if (strcmp(mode, "abort") == 0) abort();
	return culprit();
}
