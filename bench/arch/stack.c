// stack.c dies, in the way that its argument names, on a stack that the source
// shows. Of the functions whose names begin with f_ run checks every frame.

#include <alloca.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define F __attribute__((noinline, noclone))

int *volatile bad;
volatile int zero;
int (*volatile nowhere)(int);
volatile char kept[64];

// What is after a call keeps it from being a jump.

F int f_touch(int x) {
	kept[x & 63] = x;
	return x + zero;
}

// f_crash has called something already: the link register leads into it.
F int f_crash(int x) {
	int a = f_touch(x), b = f_touch(a + 1);
	*bad = a + b;
	return f_touch(a) + b;
}

// f_leaf calls nothing, and has no frame unless it is told to.
F int f_leaf(int x) {
	*bad = x;
	return x + zero;
}

F int f_alloca(int x) {
	char *p = alloca(16 * x + 16);
	memset(p, x, 16 * x + 16);
	kept[1] = p[x];
	return f_crash(x + 1) + p[3] + zero;
}

F int f_realign(int x) {
	char p[192] __attribute__((aligned(64)));
	memset(p, x, sizeof p);
	kept[1] = p[x];
	return f_crash(x + 1) + p[3] + zero;
}

// f_big has a frame that no immediate operand holds.
F int f_big(int x) {
	char p[100 << 10];
	memset(p + 5000 * x, x, 4000);
	kept[1] = p[5000 * x + 7];
	return f_crash(x + 1) + p[5000 * x + 9] + zero;
}

F int f_rec(int x) {
	if (x <= 0)
		return f_crash(x) + zero;
	return f_rec(x - 1) + f_touch(x);
}

F __attribute__((noreturn)) void f_die(int x) {
	kept[2] = x;
	abort();
}

F int f_hopeless(int x) {
	if (zero == 0)
		f_die(x + 1);
	return f_touch(x);
}

F int f_null(int x) { return nowhere(x + 1) + zero; }

F void f_handler(int sig) { kept[3] = f_crash(sig) + zero; }

F void f_fault(int sig) {
	kept[3] = sig;
	abort();
}

F int f_raise(int x) {
	signal(SIGUSR1, f_handler);
	int r = raise(SIGUSR1);
	return f_touch(x) + r;
}

F int f_mid(const char *how, int x) {
	int r = f_touch(x);
	if (!strcmp(how, "segv"))
		r += f_crash(x + 1);
	else if (!strcmp(how, "leaf"))
		r += f_leaf(x + 1);
	else if (!strcmp(how, "fault")) {
		signal(SIGSEGV, f_fault);
		r += f_leaf(x + 1);
	} else if (!strcmp(how, "signal"))
		r += f_raise(x + 1);
	else if (!strcmp(how, "null"))
		r += f_null(x + 1);
	else if (!strcmp(how, "abort"))
		r += f_hopeless(x + 1);
	else if (!strcmp(how, "alloca"))
		r += f_alloca(x + 1);
	else if (!strcmp(how, "realign"))
		r += f_realign(x + 1);
	else if (!strcmp(how, "big"))
		r += f_big(x + 1);
	else if (!strcmp(how, "deep"))
		r += f_rec(20);
	return r + f_touch(x);
}

F int f_top(const char *how, int x) { return f_mid(how, x + 1) * 3 + zero; }

int main(int argc, char **argv) {
	if (argc < 2)
		return 2;
	return f_top(argv[1], argc) + zero;
}
