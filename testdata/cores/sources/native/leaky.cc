/*
 * leaky: a daemon that serves requests and forgets some of what it made for them. It says of each block that it made on purpose whether
 * something still holds it, and aborts. Blocks that are lost are written down as numbers that are no addresses.
 *
 * Built with -fsanitize=address or run under Valgrind, and with an argument, it ends, and these say what is lost.
 */
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <pthread.h>
#include <string>
#include <unistd.h>
#include <vector>
#include <malloc.h>

struct Session {
	virtual ~Session() {}
	virtual const char *kind() const { return "session"; }
	std::string user;
	std::vector<int> pages;
};
struct AdminSession : Session {
	const char *kind() const override { return "admin"; }
	char rights[40] = "all";
};
struct Request {
	virtual ~Request() { delete[] body; }
	virtual int answer() { return 200; }
	Session *of = nullptr;
	char *body = nullptr;
};
struct Entry { Entry *next; long number; };

extern "C" int __lsan_do_recoverable_leak_check() __attribute__((weak));

static const uint64_t key = 0x5a5a5a5a5a5a5a5a;
static const int most = 4096;
static uint64_t lost[most], held[most]; // mixed with key
static int losts, helds;

static std::map<int, Session *> sessions;
char *volatile interior;              // leads into the middle of a block
thread_local Entry *volatile ofThread; // leads to a block of each thread
void *volatile ofData;
static pthread_barrier_t ready;

static void isLost(void *p) { lost[losts++] = (uintptr_t)p ^ key; }
static void isHeld(void *p) { held[helds++] = (uintptr_t)p ^ key; }

__attribute__((noinline)) static void login(int id)
{
	Session *s = id % 4 ? new Session : new AdminSession;
	s->user = "user number " + std::to_string(id) + " of the server";
	s->pages.assign(10 + id % 7, id);
	sessions[id] = s;
	isHeld(s);
	isHeld(s->pages.data());
	isHeld(&s->user[0]);
}

// The answer to every third request is never deleted: this is the line that forgot to.
__attribute__((noinline)) static void handle(int id)
{
	Request *r = new Request;
	r->of = sessions[id];
	r->body = new char[100];
	std::strcpy(r->body, "GET /index.html");
	if (r->answer() != 200 || id % 3) {
		delete r;
		return;
	}
	isLost(r);
	isLost(r->body);
}

__attribute__((noinline)) static void chains()
{
	Entry *head = nullptr; // a list of which the head is lost
	for (int i = 0; i < 20; i++) {
		head = new Entry{head, i};
		isLost(head);
	}
	Entry *a = new Entry{nullptr, 1}, *b = new Entry{a, 2}; // a ring
	a->next = b;
	isLost(a);
	isLost(b);
	void **freed = (void **)malloc(3000); // leads to a block, and is free
	freed[200] = calloc(1, 400);
	isLost(freed[200]);
	free(freed);
	interior = (char *)malloc(500) + 250;
	isHeld(interior - 250);
	void *big = malloc(1 << 20); // mapped for itself
	isLost(big);
	void **keeper = (void **)malloc(1 << 20);
	keeper[777] = malloc(48);
	ofData = keeper;
	isHeld(keeper);
	isHeld(keeper[777]);
}

__attribute__((noinline)) static void wait_here(char *own)
{
	pthread_barrier_wait(&ready);
	while (own)
		pause();
}

static void *serve(void *)
{
	char *own = (char *)malloc(60); // only this frame leads to it
	std::strcpy(own, "of a thread's stack");
	isHeld(own);
	ofThread = new Entry{new Entry{nullptr, 4}, 3};
	isHeld(ofThread);
	isHeld(ofThread->next);
	wait_here(own);
	std::puts(own);
	return own;
}

// clean overwrites what is left over on the stack, and in registers.
__attribute__((noinline)) static int clean()
{
	volatile char room[16384];
	for (unsigned i = 0; i < sizeof room; i++)
		room[i] = 0;
	return room[100];
}

int main(int argc, char **argv)
{
	static char out[1 << 14];
	std::setvbuf(stdout, out, _IOFBF, sizeof out);
	pthread_barrier_init(&ready, nullptr, 2);
	for (int id = 1; id <= 200; id++)
		login(id);
	for (int id = 1; id <= 200; id++)
		handle(id);
	chains();
	for (int i = 0; i < 3; i++) {
		pthread_t t;
		pthread_create(&t, nullptr, serve, nullptr);
		pthread_barrier_wait(&ready);
	}
	std::unique_ptr<Entry> mine(new Entry{nullptr, 5});
	isHeld(mine.get());
	clean();
	for (int i = 0; i < losts; i++)
		std::printf("lost %#lx %zu\n", (long)(lost[i] ^ key), malloc_usable_size((void *)(lost[i] ^ key)));
	for (int i = 0; i < helds; i++)
		std::printf("held %#lx %zu\n", (long)(held[i] ^ key), malloc_usable_size((void *)(held[i] ^ key)));
	std::fflush(stdout);
	clean();
	if (argc > 1) {
		if (__lsan_do_recoverable_leak_check)
			__lsan_do_recoverable_leak_check();
		_exit(0);
	}
	std::abort();
}
