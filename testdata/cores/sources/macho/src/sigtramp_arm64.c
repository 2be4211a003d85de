/* The trampoline of signals, in the shape of libsystem_platform's: an ordinary
   function, whose caller the kernel has made up. */
long sys_wait(long);
__attribute__((used)) void _sigtramp(void (*handler)(int, void *, void *), int style, int sig, void *info, void *context, long token)
{
	(void)token;
	if (style == 1)
		((void (*)(int))handler)(sig);
	else
		handler(sig, info, context);
	sys_wait((long)context);
	__builtin_trap();
}
