/*
 * ferry FIRST LAST: load lib<FIRST>.so to lib<LAST>.so from the working
 * directory and crash under a stack that runs through the last twenty.
 * Each library is hop.S with its own number in the function's name.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define FRAME __attribute__((noinline, noipa))
#define HOPS 20

typedef int hop_fn(void **);
static volatile int *volatile nowhere;

FRAME int land(void **rest) { *nowhere = rest != 0; return 1; }

int main(int argc, char **argv)
{
	static void *chain[HOPS + 1];
	int first = argc > 1 ? atoi(argv[1]) : 1, last = argc > 2 ? atoi(argv[2]) : 2000;
	for (int i = first; i <= last; i++) {
		char path[64], name[32];
		snprintf(path, sizeof path, "./lib%04d.so", i);
		snprintf(name, sizeof name, "hop_%04d", i);
		void *lib = dlopen(path, RTLD_NOW);
		if (!lib) {
			fprintf(stderr, "ferry: %s\n", dlerror());
			return 2;
		}
		if (i > last - HOPS)
			chain[i - (last - HOPS) - 1] = dlsym(lib, name);
	}
	chain[HOPS] = (void *)land;
	return ((hop_fn *)chain[0])(chain + 1) + 1;
}
