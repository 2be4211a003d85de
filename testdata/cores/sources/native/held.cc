/*
 * held: a program with a block of each kind that containers and pointers of C++ make. It says of each where it is and what it is, and
 * aborts.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <pthread.h>
#include <set>
#include <string>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>
#include <vector>

struct Item { long number; Item *next; std::string name; };
struct Shape { virtual ~Shape() {} Item *of = nullptr; };
struct Circle : Shape { std::vector<Item *> parts; };
struct Tree { std::vector<Tree> below; char *label = nullptr; };
struct Plain { int kind; struct Leaf *leaf; };
struct Leaf { double x, y, z; };
union Either { Item *item; Leaf *leaf; };

static std::map<std::string, Item *> g_sessions;
static std::set<long> g_numbers;
static std::unordered_map<int, std::string> g_names;
static std::unordered_set<std::string> g_words;
static std::list<Item> g_list;
static std::forward_list<int> g_forward;
static std::vector<Item> g_items;
static std::deque<long> g_queue;
static std::shared_ptr<Item> g_shared;
static std::unique_ptr<Leaf> g_unique;
static Shape *g_shape;
static Tree g_tree;
static Plain *g_plain;
static Item *g_chain;
static Leaf **g_table;
static Item *g_array;
static void *g_void;
static Either g_either;
static char *g_text;
static thread_local Leaf *t_leaf;

namespace server { struct Config { std::map<int, std::vector<std::string>> rules; }; static Config *config; }

static const char longText[] = "a text that is too long for the object itself";
static char out[1 << 16];
static int used;

// is says that the block which has an address is of a class.
static void is(const char *what, const void *at) { used += std::snprintf(out + used, sizeof out - used, "%s\t%p\n", what, at); }

static Item *newItem(long n)
{
	Item *p = new Item{n, nullptr, longText};
	is("Item", p);
	is("std::string buffer", p->name.data());
	return p;
}

__attribute__((noinline)) static void containers()
{
	for (long i = 0; i < 20; i++) {
		Item *p = newItem(i);
		auto at = g_sessions.emplace("session number " + std::to_string(i) + " of all", p).first;
		is("std::map node of std::pair<const std::string, Item*>", &*at);
		is("std::string buffer", at->first.data());
		is("std::set node of long", &*g_numbers.insert(i).first);
		auto name = g_names.emplace(i, longText).first;
		is("std::unordered_map node of std::pair<const int, std::string>", &*name);
		is("std::string buffer", name->second.data());
		auto word = g_words.insert(longText + std::to_string(i)).first;
		is("std::unordered_set node of std::string", &*word);
		is("std::string buffer", word->data());
		g_list.push_back(Item{i, nullptr, longText});
		is("std::list node of Item", &g_list.back());
		is("std::string buffer", g_list.back().name.data());
		g_forward.push_front(i);
		is("std::forward_list node of int", &g_forward.front());
		g_items.push_back(Item{i, nullptr, longText});
		g_queue.push_back(i);
	}
	is("std::vector buffer of Item", g_items.data());
	for (auto &x : g_items)
		is("std::string buffer", x.name.data());
	is("std::deque buffer of long", &g_queue.front());
	g_shared = std::make_shared<Item>(Item{1, nullptr, longText});
	is("std::shared_ptr control block of Item", g_shared.get());
	is("std::string buffer", g_shared->name.data());
	server::config = new server::Config;
	server::config->rules[1].push_back(longText);
	is("server::Config", server::config);
	is("std::vector buffer of std::string", server::config->rules[1].data());
	is("std::string buffer", server::config->rules[1][0].data());
}

__attribute__((noinline)) static void pointers()
{
	g_unique.reset(new Leaf{1, 2, 3});
	is("Leaf", g_unique.get());
	Circle *c = new Circle;
	g_shape = c;
	is("Circle", c);
	c->of = newItem(100);
	c->parts.push_back(newItem(101));
	is("std::vector buffer of Item*", c->parts.data());
	g_tree.below.resize(3);
	is("std::vector buffer of Tree", g_tree.below.data());
	g_tree.below[1].below.resize(2);
	is("std::vector buffer of Tree", g_tree.below[1].below.data());
	g_plain = (Plain *)std::malloc(sizeof *g_plain);
	g_plain->leaf = (Leaf *)std::malloc(sizeof(Leaf));
	is("Plain", g_plain);
	is("Leaf", g_plain->leaf);
	for (int i = 0; i < 50; i++) {
		Item *p = newItem(i);
		p->next = g_chain;
		g_chain = p;
	}
	g_table = (Leaf **)std::calloc(100, sizeof *g_table);
	is("Leaf* []", g_table);
	for (int i = 0; i < 100; i += 10)
		is("Leaf", g_table[i] = (Leaf *)std::malloc(sizeof(Leaf)));
	t_leaf = (Leaf *)std::malloc(sizeof(Leaf));
	is("Leaf", t_leaf);
	// What nothing says: void pointers, unions that may be either.
	g_void = std::calloc(1, 777);
	is("", g_void);
	g_either.leaf = (Leaf *)std::calloc(1, 500);
	is("", g_either.leaf);
	g_text = strdup("a text of its own");
	is("(text)", g_text);
}

__attribute__((noinline)) static void run(Item *argument)
{
	std::map<int, Leaf *> local;
	local[7] = (Leaf *)std::malloc(sizeof(Leaf));
	is("std::map node of std::pair<const int, Leaf*>", &*local.begin());
	is("Leaf", local[7]);
	std::vector<short> *volatile volatileOne = new std::vector<short>(100);
	is("std::vector<short>", volatileOne);
	is("std::vector buffer of short", volatileOne->data());
	size_t n = write(1, out, used);
	if (n != (size_t)used || argument->number == 3)
		_exit(1);
	std::abort();
}

int main()
{
	containers();
	pointers();
	run(newItem(1000));
}
