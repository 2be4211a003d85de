/*
 * full: a program that keeps all sessions, and may have no more than 40 MB. It says how many there are of how many bytes, and dies of
 * std::bad_alloc.
 */
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

struct Session {
	virtual ~Session() {}
	Session *next = nullptr;
	char text[1000] = "";
};

static Session *g_sessions;

__attribute__((noinline)) static void serve(long n)
{
	Session *s = new Session;
	s->next = g_sessions;
	g_sessions = s;
	if (n % 1000 == 0) {
		char line[80];
		int k = std::snprintf(line, sizeof line, "%ld sessions of %zu\n", n, malloc_usable_size(s));
		if (write(1, line, k) != k)
			_exit(1);
	}
}

int main()
{
	rlimit most = {40 << 20, 40 << 20};
	if (setrlimit(RLIMIT_AS, &most) != 0)
		return 1;
	for (long n = 1;; n++)
		serve(n);
}
