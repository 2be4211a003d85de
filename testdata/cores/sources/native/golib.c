/* Golib HOW: a program of C with a library of Go (golib.go.in). Threads that it has made wait in Go that Go's C has
 * called; main goes the same way, and dies of a fault in C (0) or in Go (1). */
#include <pthread.h>
#include <stdlib.h>

#include "golib.h"

#define FRAME static __attribute__((noinline, noipa))

FRAME int back(int how) { return goInner(how) + 1; }
FRAME int enter(int how) { return goOuter(back, how) + 1; }
FRAME void *begin(void *arg) { return (void *)(long)enter(2); }

int main(int argc, char **argv)
{
	enum { callers = 3 };
	pthread_t t;
	goStart(9, callers);
	for (int i = 0; i < callers; i++)
		pthread_create(&t, 0, begin, 0);
	goWait();
	return enter(atoi(argv[1]));
}
