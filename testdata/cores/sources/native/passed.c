// passed MODE: a fault whose handler raises the signal again while that is blocked, so that it
// comes when the handler has returned: to the instruction at fault. In mode thread the handler
// is one of a thread that sends the signal to the process, and main gets it. In mode alternate
// it runs on a stack of its own.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct part {
	char before[24];
	int number;
};

static int alone = 1;

static void handler(int number, siginfo_t *info, void *context) {
	static const char said[] = "a fault\n";
	signal(number, SIG_DFL);
	if (write(2, said, sizeof said - 1) != sizeof said - 1) return;
	if (!alone) kill(getpid(), number);
	while (!alone) sleep(1);
	raise(number);
}

__attribute__((noinline)) int passed_look(struct part *p) { return p->number; }

static void *work(void *p) { return (void *)(long)(passed_look(p) + 1); }

int main(int argc, char **argv) {
	struct sigaction a;
	memset(&a, 0, sizeof a);
	a.sa_sigaction = handler;
	a.sa_flags = SA_SIGINFO;
	if (argc > 1 && !strcmp(argv[1], "alternate")) {
		stack_t s;
		memset(&s, 0, sizeof s);
		s.ss_size = 1 << 16;
		s.ss_sp = malloc(s.ss_size);
		sigaltstack(&s, 0);
		a.sa_flags |= SA_ONSTACK;
	}
	sigaction(SIGSEGV, &a, 0);
	if (argc > 1 && !strcmp(argv[1], "thread")) {
		pthread_t t;
		alone = 0;
		pthread_create(&t, 0, work, 0);
		pthread_join(t, 0);
	}
	return passed_look(argc > 1 && !strcmp(argv[1], "wild") ? (struct part *)0x7654000 : 0);
}
