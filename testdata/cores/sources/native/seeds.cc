// seeds BUG DEPTH THREADS WAY: dies of one of many bugs, each in functions of its own, to see
// whether cores of one bug are told from those of others. DEPTH calls are below it, THREADS
// wait beside it, and it is reached by one of three WAYs, none of which is part of the bug.
#ifndef SHIFT
#define SHIFT 0
#endif
#if SHIFT
#line 1000
#endif
#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noinline, noipa))
#endif

volatile int zero, sink;
void *volatile none;
const char *volatile no_text;

#if SHIFT
KEEP int shifted(int n) { // code and lines in front of everything
	for (int i = 0; i < n; i++) sink += i * n;
	return sink;
}
#endif

struct Item { Item *next; long pad[3]; int value; };

KEEP int list_sum(Item *i) {
	int sum = 0;
	do { sum += i->value; i = i->next; } while (i != nullptr);
	return sum;
}
KEEP void set_flag(Item *i) { i->value = 7; sink++; }
KEEP size_t title_length(const char *s) { return strlen(s) + sink; }
KEEP size_t path_length(const char *s) { return 2 * strlen(s) + sink; }
KEEP void blob_copy(void *to, size_t n) {
	static char from[4096];
	memcpy(to, from, n);
	sink++;
}
KEEP int table_get(int *table, long index) { return table[index] + 1; }
KEEP int average(int sum, int n) { return sum / n + 1; }
KEEP int hash_bucket(unsigned h, unsigned n) { return static_cast<int>(h % n) + 2; }
KEEP int parse_header(int n) {
	assert(n > 0 && "a header");
	return n;
}
KEEP int parse_body(int n) {
	assert(n > 1 && "a body");
	return n;
}
KEEP void shutdown_pool() {
	if (zero == 0) abort();
}
KEEP void load_config(const char *name) {
	if (zero == 0) throw std::runtime_error(std::string("cannot read ") + name);
}
KEEP int find_user(const std::vector<int> &v, size_t n) { return v.at(n); }
KEEP void release_buffer() {
	char *p = static_cast<char *>(malloc(64));
	none = p;
	free(none);
	free(none);
	sink++;
}
KEEP void drop_name() {
	static char name[64];
	none = name + 16;
	free(none);
	sink++;
}
KEEP int walk_tree(int n) {
	volatile char room[512];
	room[n % 512] = 1;
	return walk_tree(n + 1) + room[0];
}
KEEP int odd_depth(int n);
KEEP int even_depth(int n) {
	volatile char room[256];
	room[n % 256] = 1;
	return odd_depth(n + 1) + room[0];
}
KEEP int odd_depth(int n) {
	volatile char room[256];
	room[n % 256] = 1;
	return even_depth(n + 1) + room[0];
}

struct Shape {
	Shape() { redraw(); }
	virtual ~Shape() {}
	KEEP void redraw() { draw(); sink++; }
	virtual void draw() = 0;
};
struct Circle : Shape { void draw() override { sink++; } };
KEEP void make_circle() { Circle c; c.redraw(); }

KEEP void dispatch_event(void (*handler)(int)) { handler(sink); sink++; }

KEEP void render_items() {
	std::vector<Item *> items(20, nullptr);
	std::sort(items.begin(), items.end(), [](Item *a, Item *b) { return a->value < b->value; });
}

template <typename T> struct Cache {
	T *first;
	int hits;
	KEEP int get(int n) { return static_cast<int>(sizeof(T)) + first[n].n + hits; }
};
struct Small { int n; };
struct Large { long pad[9]; int n; };

KEEP int notify(const std::function<int(int)> &f) { return f(3) + sink; }
KEEP int switch_state(int n) {
	if (n == 0) __builtin_trap();
	return n + 1;
}

static inline int peek(const int *p) { return *p + 1; } // inlined, but not at -O0
KEEP int read_token(const int *p) { return peek(p) * sink; }

KEEP std::string make_name(const char *s) { return std::string(s) + "!"; }

extern "C" KEEP int by_rank(const void *a, const void *b) {
	return (*static_cast<Item *const *>(a))->value - (*static_cast<Item *const *>(b))->value;
}
KEEP void sort_rows() {
	static Item *rows[16];
	qsort(rows, 16, sizeof rows[0], by_rank);
	sink++;
}

KEEP int count_words(std::map<std::string, int> *m) { return static_cast<int>(m->size()) + sink; }
KEEP void log_message(FILE *f) { fprintf(f, "%d\n", sink); sink++; }

namespace app::v2 {
class Server {
	Item *const *routes;
public:
	explicit Server(Item *const *r) : routes(r) {}
	KEEP int route(int n) const { return routes[n]->value + 1; }
	KEEP int serve(int n) const { return route(n) + sink; }
};
} // namespace app::v2

KEEP void fill_rows(size_t n) {
	void *volatile a = malloc(1032), *volatile b = malloc(1032);
	for (size_t i = 0; i < n; i++) static_cast<volatile char *>(a)[i] = 'x';
	free(b);
	sink++;
}

static const struct { const char *name; void (*die)(int way); } bugs[] = {
	{"list-sum", [](int) { sink = list_sum(static_cast<Item *>(none)); }},
	{"set-flag", [](int) { set_flag(static_cast<Item *>(none)); }},
	{"title-length", [](int) { sink = static_cast<int>(title_length(no_text)); }},
	{"path-length", [](int) { sink = static_cast<int>(path_length(no_text)); }},
	{"blob-copy", [](int) { blob_copy(none, 4000); }},
	{"table-get", [](int) { static int t[4]; sink = table_get(t, 1L << 40); }},
	{"average", [](int) { sink = average(10, zero); }},
	{"hash-bucket", [](int) { sink = hash_bucket(10, zero); }},
	{"parse-header", [](int) { sink = parse_header(zero); }},
	{"parse-body", [](int) { sink = parse_body(zero); }},
	{"shutdown-pool", [](int) { shutdown_pool(); }},
	{"load-config", [](int) { load_config("seeds.conf"); }},
	{"find-user", [](int) { sink = find_user(std::vector<int>(3), 5 + zero); }},
	{"release-buffer", [](int) { release_buffer(); }},
	{"drop-name", [](int) { drop_name(); }},
	{"walk-tree", [](int) { sink = walk_tree(0); }},
	{"even-depth", [](int) { sink = even_depth(0); }},
	{"make-circle", [](int) { make_circle(); }},
	{"dispatch-event", [](int) { dispatch_event(reinterpret_cast<void (*)(int)>(none)); }},
	{"render-items", [](int) { render_items(); }},
	{"cache-get", [](int way) {
		Cache<Small> s{nullptr, 1};
		Cache<Large> l{nullptr, 1};
		sink = way % 2 ? s.get(1) : l.get(1);
	}},
	{"notify", [](int) { sink = notify(nullptr); }},
	{"switch-state", [](int) { sink = switch_state(zero); }},
	{"read-token", [](int) { sink = read_token(static_cast<int *>(none)); }},
	{"make-name", [](int) { sink = static_cast<int>(make_name(no_text).size()); }},
	{"sort-rows", [](int) { sort_rows(); }},
	{"count-words", [](int) { sink = count_words(static_cast<std::map<std::string, int> *>(none)); }},
	{"log-message", [](int) { log_message(static_cast<FILE *>(none)); }},
	{"route", [](int) { static Item *routes[4]; app::v2::Server s(routes); sink = s.serve(zero); }},
	{"fill-rows", [](int) { fill_rows(1048 + zero); }},
};

KEEP void go_deeper(int n, const std::function<void()> &f) {
	volatile char room[64];
	room[n % 64] = 1;
	if (n > 0) go_deeper(n - 1, f);
	else f();
	sink += room[0];
}

KEEP void by_thread(int depth, const std::function<void()> &f) {
	std::thread(go_deeper, depth, f).join();
	sink++;
}

int main(int argc, char **argv) {
	if (argc < 5) {
		for (auto &b : bugs) puts(b.name);
		return 2;
	}
	int depth = atoi(argv[2]), way = atoi(argv[4]);
	std::vector<std::thread> idle;
	for (int i = atoi(argv[3]); i > 0; i--) idle.emplace_back([] { for (;;) pause(); });
#if SHIFT
	sink = shifted(depth);
#endif
	for (auto &b : bugs) {
		if (strcmp(b.name, argv[1]) != 0) continue;
		if (way % 3 == 0) b.die(way);
		else if (way % 3 == 1) go_deeper(depth, [&] { b.die(way); });
		else by_thread(depth, [&] { b.die(way); });
	}
	return 1;
}
