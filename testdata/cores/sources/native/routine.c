/* A coroutine on a piece of main's own stack, entered by a jump: its first function
 * has no caller, and the next return addresses above it are main's. It is built
 * without call frame information and stripped. */
#include <stdio.h>

static volatile int *volatile nowhere;

__attribute__((noinline)) int poke(int v) { return *nowhere + v; }

__attribute__((noinline, noreturn)) void body(void)
{
	for (int v = 0;; v++)
		v += poke(v);
}

int main(int argc, char **argv)
{
	char stack[4096] __attribute__((aligned(16)));
	if (argc > 5)
		puts(argv[5]);
	__asm__ volatile("xor %%ebp, %%ebp\n\tmov %0, %%rsp\n\tpush $0\n\tjmp *%1"
		: : "r"(stack + sizeof stack), "r"(body) : "memory");
	return 0;
}
