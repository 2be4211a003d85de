/* unkept.c: calls the library of unkept-lib.c, which has a fault: unkept leaf|inner|outer|visit. */
#include <string.h>

extern int leaf(volatile int *), inner(volatile int *, int), outer(volatile int *, int),
	visit(volatile int *, int (*)(volatile int *));

__attribute__((noinline)) int third(volatile int *p, const char *how)
{
	if (!strcmp(how, "leaf"))
		return leaf(p) + 1;
	if (!strcmp(how, "inner"))
		return inner(p, 1) + 1;
	if (!strcmp(how, "outer"))
		return outer(p, 2) + 1;
	return visit(p, leaf) + 1;
}

__attribute__((noinline)) int second(volatile int *p, const char *how)
{
	return third(p, how) * 3;
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
