/*
 * cloned: a thread that has just been made. A tracer holds it before its first
 * instruction, and the one that made it, on its way back from the kernel, dies.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FRAME __attribute__((noinline, noipa))

static void *newcomer(void *arg) { return arg; }

FRAME int make_thread(void)
{
	pthread_t t;
	int failed = pthread_create(&t, 0, newcomer, 0);
	return failed + pthread_join(t, 0);
}

static int trace(pid_t pid)
{
	int status;
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return 1;
	ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACECLONE);
	ptrace(PTRACE_CONT, pid, 0, 0);
	if (waitpid(pid, &status, 0) != pid || status >> 8 != (SIGTRAP | PTRACE_EVENT_CLONE << 8))
		return 1;
	syscall(SYS_tgkill, pid, pid, SIGSEGV);
	ptrace(PTRACE_CONT, pid, 0, 0);
	/* The newcomer stays where it is, until the kernel ends it for the core. */
	for (pid_t who; (who = waitpid(-1, &status, __WALL)) > 0;) {
		if (who == pid && WIFSTOPPED(status))
			ptrace(PTRACE_CONT, pid, 0, WSTOPSIG(status));
		else if (who == pid)
			return !WIFSIGNALED(status);
	}
	return 1;
}

int main(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		return make_thread() + 1;
	}
	if (trace(pid) != 0)
		return 1;
	return 0;
}
