/*
 * crash MODE: die in one known way, under one known stack.
 *
 * Every mode runs main -> outer -> middle -> leaf -> the mode's own function,
 * so that crash-MODE.truth can name each frame. Nothing here may be inlined,
 * cloned or turned into a tail call: the frames below are the test.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __clang__
#define FRAME __attribute__((noinline, optnone))
#else
#define FRAME __attribute__((noinline, noipa, no_stack_protector))
#endif
#if defined __x86_64__ || defined __i386__
/* ud2 leaves the pc on itself, as a fault does */
#define TRAP() __asm__ volatile("ud2")
#else
#define TRAP() __builtin_trap()
#endif

typedef int mode_fn(int);

static volatile int *volatile nowhere; /* stays NULL, and no compiler knows it */
static int inert_data[16] = {0x0b, 0x0b, 0x0b, 0x0b};
static int (*volatile target)(int);

/* ---- faults at a known instruction ---- */

/* At -O2 the faulting store is the first instruction: pc-1 is another function. */
FRAME int poke(volatile int *p, int v) { *p = v; return v + 1; }

FRAME int call_target(int v) { return target(v) + 1; }

FRAME int mode_segv(int v) { return poke(nowhere, v) + 1; }

FRAME int mode_null(int v) { target = NULL; return call_target(v) + 1; }

/* Canonical on every 47-bit address space, and never mapped there. */
FRAME int mode_wild(int v) { target = (int (*)(int))(uintptr_t)0x5a5a5a5a50; return call_target(v) + 1; }

/* Mapped, readable, not executable. */
FRAME int mode_data(int v) { target = (int (*)(int))(uintptr_t)inert_data; return call_target(v) + 1; }

/* ---- ends through the C library ---- */

FRAME int mode_assert(int v) { assert(v < 0); return v + 1; }

/* The call is the last instruction, so the return address belongs to no one. */
FRAME __attribute__((noreturn)) void give_up(void) { abort(); }
FRAME int mode_abort(int v) { give_up(); return v + 1; }

/* ---- signal handlers ---- */

static volatile int in_handler;

FRAME int handler_inner(int sig) { in_handler = sig; TRAP(); return sig + 1; }
FRAME void on_fault(int sig) { in_handler = handler_inner(sig) + 1; }

FRAME static void catch_fault(int flags)
{
	struct sigaction sa;
	memset(&sa, 0, sizeof sa);
	sa.sa_handler = on_fault;
	sa.sa_flags = flags;
	sigaction(SIGSEGV, &sa, NULL);
}

FRAME static void use_other_stack(void)
{
	static char other[256 * 1024];
	stack_t st = {.ss_sp = other, .ss_size = sizeof other};
	sigaltstack(&st, NULL);
}

FRAME int mode_signal(int v) { catch_fault(0); return poke(nowhere, v) + 1; }

FRAME int mode_siginfo(int v) { catch_fault(SA_SIGINFO | SA_RESTART); return poke(nowhere, v) + 1; }

FRAME int mode_sigaltstack(int v) { use_other_stack(); catch_fault(SA_ONSTACK); return poke(nowhere, v) + 1; }

/* A second signal while the first is being handled. */
FRAME void on_second(int sig) { in_handler = handler_inner(sig) + 1; }
FRAME void on_first(int sig) { in_handler = raise(SIGUSR1) + sig; }
FRAME int mode_nested(int v)
{
	signal(SIGUSR1, on_second);
	signal(SIGSEGV, on_first);
	return poke(nowhere, v) + 1;
}

/* A timer interrupts wherever it happens to be: here, in libc, or in the vdso. */
FRAME int mode_timer(int v)
{
	struct itimerval soon = {.it_value = {.tv_usec = 50000}};
	struct timespec now;
	signal(SIGALRM, on_fault);
	setitimer(ITIMER_REAL, &soon, NULL);
	while (v)
		v += clock_gettime(CLOCK_MONOTONIC, &now);
	return v + 1;
}

/* ---- frames of unusual shape ---- */

FRAME int touch(volatile char *p, int n) { p[n] = 1; return poke(nowhere, n) + p[n]; }

/* The size is known at run time only: nothing but a frame pointer finds the caller. */
FRAME int mode_alloca(int v)
{
	char *p = __builtin_alloca((size_t)v * 1000);
	return touch(p, v) + 1;
}

/* An over-aligned local makes the compiler realign the stack and keep the old one aside. */
FRAME int mode_realign(int v)
{
	__attribute__((aligned(128))) volatile char p[256];
	char *q = __builtin_alloca((size_t)v * 100);
	return touch(p, v) + touch(q, v) + 1;
}

#ifdef __GLIBC__
/* A stack of its own, whose outermost frame is not main. */
static ucontext_t caller, routine;
FRAME void routine_body(void) { in_handler = poke(nowhere, 1) + 1; }
FRAME int mode_coroutine(int v)
{
	static char stack[256 * 1024];
	getcontext(&routine);
	routine.uc_stack.ss_sp = stack;
	routine.uc_stack.ss_size = sizeof stack;
	routine.uc_link = &caller;
	makecontext(&routine, routine_body, 0);
	return swapcontext(&caller, &routine) + v;
}
#endif

/* ---- ruined stacks ---- */

/* Every return address from here to main becomes 0x41…41; the return faults. */
FRAME int smash(char *top)
{
	char here[16];
	memset(here, 0x41, (size_t)(top - here));
	return here[3];
}

static char *stack_mark;
FRAME int mode_smash(int v) { return smash(stack_mark) + v; }

/* The caller's saved frame pointer becomes our own: a chain that never ends. */
FRAME int self_link(int v)
{
	void **fp = __builtin_frame_address(0);
	fp[0] = fp;
	*nowhere = v;
	return v + 1;
}
FRAME int mode_selflink(int v) { return self_link(v) + 1; }

/* ---- deep stacks ---- */

/* The volatile keeps GCC from turning the recursion into a loop. */
FRAME int dive(int n)
{
	volatile int level = n;
	int r = n > 1 ? dive(n - 1) : poke(nowhere, n);
	return r + level;
}
FRAME int mode_deep(int v) { return dive(100000) + v; }

FRAME int fall(int n)
{
	volatile char pad[200];
	pad[n % 200] = (char)n;
	return n ? fall(n + 1) + pad[3] : 0;
}
FRAME int mode_overflow(int v) { return fall(v) + 1; }

FRAME int mode_overflowalt(int v) { use_other_stack(); catch_fault(SA_ONSTACK); return fall(v) + 1; }

/* ---- large address spaces ---- */

/* Neighbours with different protection cannot be merged: N mappings for N pages. */
FRAME int mode_mappings(int v)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), n = 70000 - 40;
	char *p = mmap(NULL, n * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (size_t i = 0; i < n; i += 2)
		if (mprotect(p + i * page, page, PROT_READ))
			break;
	return poke(nowhere, v) + 1;
}

/* 8 GiB mapped; a word in each of the first 2 GiB's pages, so that those are on disk. */
FRAME int mode_big(int v)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), all = (size_t)8 << 30, used = (size_t)2 << 30;
	char *p = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	for (size_t at = 0; p != MAP_FAILED && at < used; at += page)
		*(size_t *)(p + at) = at + 1;
	return poke(nowhere, v) + 1;
}

/* ---- alive, for a core taken from outside ---- */

FRAME int mode_wait(int v)
{
	if (write(1, "ready\n", 6) != 6)
		return v;
	return pause() + v;
}

/* ---- the stack above all of them ---- */

FRAME int leaf(mode_fn *run, int v) { return run(v) + 1; }
FRAME int middle(mode_fn *run, int v) { return leaf(run, v + 1) + 1; }
FRAME int outer(mode_fn *run, int v) { return middle(run, v + 1) + 1; }

static const struct {
	const char *name;
	mode_fn *run;
} modes[] = {
	{"segv", mode_segv}, {"null", mode_null}, {"wild", mode_wild}, {"data", mode_data},
	{"assert", mode_assert}, {"abort", mode_abort},
	{"signal", mode_signal}, {"siginfo", mode_siginfo}, {"sigaltstack", mode_sigaltstack},
	{"nested", mode_nested}, {"timer", mode_timer}, {"alloca", mode_alloca}, {"realign", mode_realign},
#ifdef __GLIBC__
	{"coroutine", mode_coroutine},
#endif
	{"smash", mode_smash}, {"selflink", mode_selflink},
	{"deep", mode_deep}, {"overflow", mode_overflow}, {"overflowalt", mode_overflowalt},
	{"mappings", mode_mappings}, {"big", mode_big}, {"wait", mode_wait},
};

int main(int argc, char **argv)
{
	char mark[64];
	stack_mark = mark;
	for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
		if (strcmp(argv[1], modes[i].name) == 0)
			return outer(modes[i].run, argc) + 1;
	fprintf(stderr, "usage: crash MODE\n");
	return 2;
}
