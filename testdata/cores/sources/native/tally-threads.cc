/*
 * tally-threads: a daemon of C++ with threads and containers. Its operator new writes each block down, by the tag of its thread.
 */
#include "tally.h"
#include <map>
#include <memory>
#include <new>
#include <string>
#include <unordered_map>
#include <vector>

// A Tag says who makes blocks: a thread has one at a time.
struct Tag { const char *name; int lost; };
static thread_local Tag tag{"none", 0};

void *operator new(size_t n)
{
	void *p = std::malloc(n);
	note(tag.name, tag.lost, p, n);
	return p;
}
void operator delete(void *p) noexcept { forget(p); std::free(p); }
void operator delete(void *p, size_t) noexcept { forget(p); std::free(p); }

struct Session {
	explicit Session(int id) : user("user number " + std::to_string(id) + " of the server"), pages(10 + id % 7, id) {}
	std::string user;
	std::vector<int> pages;
	std::shared_ptr<Session> peer;
};
struct Reader { virtual ~Reader() {} long at = 1; };
struct Writer { virtual ~Writer() {} long end = 2; };
struct Both : Reader, Writer { long more[4] = {}; };
struct Widget { ~Widget() { std::puts("a widget"); } long size = 0; };

static std::map<int, std::shared_ptr<Session>> *sessions;
static Writer *volatile writer;
static Widget *volatile widgets;
static std::vector<Session *> *waiting;
static thread_local std::vector<long> *volatile own;
static pthread_barrier_t ready;

// of sets the tag of a thread while it makes blocks.
struct Making {
	explicit Making(const char *name, int lost) { tag = {name, lost}; }
	~Making() { tag = {"none", 0}; }
};

APART static void make_sessions()
{
	Making m("sessions", 0);
	sessions = new std::map<int, std::shared_ptr<Session>>;
	for (int i = 0; i < 50; i++)
		(*sessions)[i] = std::make_shared<Session>(i);
}

// Two sessions that are each other's peers.
APART static void make_cycle()
{
	Making m("cycle", 1);
	for (int i = 0; i < 10; i++) {
		auto a = std::make_shared<Session>(i), b = std::make_shared<Session>(i);
		a->peer = b;
		b->peer = a;
	}
}

APART static void make_names()
{
	Making m("names", 1);
	auto *v = new std::vector<std::string>;
	for (int i = 0; i < 20; i++)
		v->push_back("the name of the visitor with number " + std::to_string(i));
}

APART static void make_base()
{
	Making m("base", 0);
	writer = new Both;
}

APART static void make_array()
{
	Making m("array", 0);
	widgets = new Widget[5];
}

APART static void make_list()
{
	Making m("list", 0);
	waiting = new std::vector<Session *>;
	waiting->reserve(12);
}

// Sessions whose vector was emptied without deleting them: its unused capacity leads to them.
APART static void make_cleared()
{
	Making m("cleared", 1);
	for (int i = 0; i < 12; i++)
		waiting->push_back(new Session(i));
	waiting->clear();
}

APART static std::unique_ptr<Session> make_worker(int i)
{
	Making m("worker", 0);
	return std::make_unique<Session>(i);
}

APART static void make_local()
{
	Making m("local", 0);
	own = new std::vector<long>(7, 7);
}

APART static void make_ended()
{
	Making m("ended", 1);
	own = new std::vector<long>(9, 9);
}

APART static void wait_here(Session *s)
{
	pthread_barrier_wait(&ready);
	while (s)
		pause();
}

static void *serve(void *)
{
	auto s = make_worker(3); // only this frame leads to it
	make_local();
	clean();
	wait_here(s.get());
	std::puts(s->user.c_str());
	return nullptr;
}

// A thread that ends, and does not delete what its thread-local variable has.
static void *brief(void *)
{
	make_ended();
	clean();
	return nullptr;
}

APART static std::unordered_map<int, std::string> make_frame()
{
	Making m("frame", 0);
	std::unordered_map<int, std::string> u;
	for (int i = 0; i < 30; i++)
		u[i] = "a text that is too long for the object itself " + std::to_string(i);
	return u;
}

int main(int argc, char **)
{
	pthread_t t;
	pthread_barrier_init(&ready, nullptr, 2);
	make_sessions();
	make_cycle();
	make_names();
	make_base();
	make_array();
	make_list();
	make_cleared();
	for (int i = 0; i < 3; i++) {
		pthread_create(&t, nullptr, serve, nullptr);
		pthread_barrier_wait(&ready);
	}
	pthread_create(&t, nullptr, brief, nullptr);
	pthread_join(t, nullptr);
	auto u = make_frame();
	clean();
	end(argc);
	std::puts(u[1].c_str());
}
