/* beyond-lib.c: a library that can be left out, with frames of many sizes. */
__attribute__((noinline)) int fail(volatile int *p)
{
	volatile char some[160];

	some[3] = 1;
	return *p + some[3];
}

/* store is called earlier, and returns. */
__attribute__((noinline)) int store(volatile int *p, int n)
{
	volatile long some[4];

	some[n & 3] = p != 0;
	return some[n & 3];
}

int handle(volatile int *p, int n)
{
	volatile char some[600];

	some[5] = n;
	return fail(p) + some[5];
}

int large(volatile int *p, int n)
{
	volatile char some[70000];

	some[n] = n;
	return fail(p) + some[n];
}

int back(volatile int *p, int n, int (*f)(volatile int *, int))
{
	volatile long some[40];

	some[n & 31] = n;
	return f(p, n) + some[n & 31];
}
