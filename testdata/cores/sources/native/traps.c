/* traps.c: checks that clang puts in, each failing once: traps kcfi|add|index|shift|unreachable. */
#include <limits.h>
#include <string.h>

static int count(int n)
{
	return n + 1;
}

void *volatile pointer = (void *)count;
volatile int one = 1, many = 40;
int table[4];

__attribute__((noinline)) static int check(const char *how)
{
	if (!strcmp(how, "kcfi"))
		return ((int (*)(const char *))pointer)(how) + 1;
	if (!strcmp(how, "add"))
		return INT_MAX + one;
	if (!strcmp(how, "index"))
		return table[many];
	if (!strcmp(how, "shift"))
		return one << many;
	__builtin_unreachable();
}

int main(int argc, char **argv)
{
	return check(argv[argc - 1]) + 1;
}
