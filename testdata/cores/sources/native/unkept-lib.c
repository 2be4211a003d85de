/* unkept-lib.c: a library without frame records, built with -fomit-frame-pointer. What calls
 * it keeps some, or none. */
__attribute__((noinline)) int leaf(volatile int *p)
{
	return *p;
}

__attribute__((noinline)) int inner(volatile int *p, int n)
{
	volatile char small[64];

	small[n & 63] = 1;
	return leaf(p) + small[0];
}

__attribute__((noinline)) int outer(volatile int *p, int n)
{
	volatile long large[40];

	large[n & 31] = 2;
	return inner(p, n) + large[3];
}

int visit(volatile int *p, int (*f)(volatile int *))
{
	volatile long some[20];

	some[1] = 2;
	return f(p) + some[3];
}
