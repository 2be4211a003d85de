/* beyond.c: calls the library of beyond-lib.c, which has a fault, in some ways: beyond loop|sort|large|back. */
#include <stdlib.h>
#include <string.h>

extern int fail(volatile int *), store(volatile int *, int), handle(volatile int *, int), large(volatile int *, int),
	back(volatile int *, int, int (*)(volatile int *, int));

typedef int (*handler)(volatile int *, int);

__attribute__((noinline)) int keep(volatile int *p, int n)
{
	volatile long some[6];

	some[n & 3] = n;
	return store(p, n) + some[n & 3];
}

/* early has returned when the fault comes; some of its frame may be left. */
__attribute__((noinline)) int early(volatile int *p, int n)
{
	volatile long some[12];

	some[n & 3] = n;
	return keep(p, n + 1) + some[n & 3];
}

static volatile handler handlers[] = {early, handle};

__attribute__((noinline)) int turn(volatile int *p, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += handlers[i](p, i);
	return sum;
}

static volatile handler last = handle;

int compare(const void *a, const void *b)
{
	return last(0, *(const int *)a) + *(const int *)b;
}

__attribute__((noinline)) int again(volatile int *p, int n)
{
	return fail(p) + n;
}

__attribute__((noinline)) int second(volatile int *p, const char *how)
{
	int numbers[] = {3, 1};

	if (!strcmp(how, "loop"))
		return turn(p, 2) + 1;
	if (!strcmp(how, "large"))
		return large(p, 2) + 1;
	if (!strcmp(how, "back"))
		return back(p, 2, again) + 1;
	qsort(numbers, 2, sizeof numbers[0], compare);
	return numbers[0];
}

__attribute__((noinline)) int first(volatile int *p, const char *how)
{
	volatile int some[10];

	some[1] = 3;
	return second(p, how) + some[1];
}

int main(int argc, char **argv)
{
	return first(0, argv[argc - 1]);
}
