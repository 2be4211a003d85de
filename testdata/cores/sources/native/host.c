/*
 * host LIBRARY: load a library at run time, which calls back into this program,
 * which crashes. The stack goes program -> library -> program.
 */
#include <dlfcn.h>
#include <stdio.h>

#define FRAME __attribute__((noinline, noipa))

typedef int callback(int);
static volatile int *volatile nowhere;

FRAME int on_event(int v) { *nowhere = v; return v + 1; }

FRAME int load_and_run(const char *path)
{
	void *lib = dlopen(path, RTLD_NOW);
	int (*entry)(callback *, int) = lib ? (int (*)(callback *, int))dlsym(lib, "plug_entry") : NULL;
	if (!entry) {
		fprintf(stderr, "host: %s\n", dlerror());
		return 2;
	}
	return entry(on_event, 1) + 1;
}

int main(int argc, char **argv) { return argc > 1 ? load_and_run(argv[1]) + 1 : 2; }
