/* Signals that interrupt a fault, a call to nowhere and a system call. What the
   kernel would do is done by ../mkcore.py. */
#include "frames.h"
volatile long sink;
volatile long *volatile nullp;
long (*volatile nowhere)(long);
void on_signal(int, void *, void *);
void (*volatile handler)(int, void *, void *) = on_signal;

/* A second fault, in the handler of the first. */
NI long handler_inner(long x) { *nullp = x; return x; }
/* The threads that are waiting wait in their handlers too. */
NI long handler_wait(long x) { long r = sys_wait(x); sink += r; return r + 1; }
NI void on_signal(int sig, void *info, void *context)
{
	long r = sig == 11 && ((long *)info)[3] == 0 ? handler_inner(sig) : handler_wait((long)context);
	sink += r;
}

NI long spoil(long x) { *nullp = x; return x; }
NI long spoil_saved(long x)
{
	long a = sink + 1, b = sink + 2, c = sink + 3, d = sink + 4;
	long r = spoil(x + a);
	sink += r;
	return r + a + b * c + d;
}
NI long spoil_outer(long x) { volatile long v[4]; v[0] = x; long r = spoil_saved(x + v[0]); sink += r; return r + v[1]; }
int main(int argc, char **argv) { (void)argv; long r = spoil_outer(argc); sink += r; return (int)r; }

NI long wild_caller(long x) { volatile long v[3]; v[0] = x; long r = nowhere(x); sink += r; return r + v[0]; }
NI long wild_main(long x) { long r = wild_caller(x + 1); sink += r; return r; }

NI long wait_inner(long x) { volatile long v[20]; v[0] = x; long r = sys_wait(x + v[0]); sink += r; return r + v[1]; }
NI long wait_main(long x) { long r = wait_inner(x + 2); sink += r; return r; }
