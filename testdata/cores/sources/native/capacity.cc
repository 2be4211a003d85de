/*
 * capacity: a program whose vectors have had more in them than they have now. It says of each block that it makes whether something still
 * holds it, and aborts. What only the unused capacity of a vector leads to is lost.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <utility>
#include <vector>

#define APART __attribute__((noinline))

struct Node { long number; char text[48]; };
struct Owner { virtual ~Owner() {} std::vector<Node *> nodes; };
struct Triple { Node **begin, **end, **limit; }; // no vector: all of its memory counts

static const uint64_t key = 0x5a5a5a5a5a5a5a5a;
static uint64_t blocks[512]; // mixed with key
static const char *tags[512];
static bool lost[512];
static int count;

std::vector<Node *> cleared;
std::vector<std::pair<Node *, int>> popped;
std::vector<std::vector<Node *>> nested;
std::vector<std::vector<Node *>> dropped;
std::vector<Node *> full;
std::vector<Node *> large;
Owner *owner;
std::vector<Owner> owners;
Triple ring;
static uint64_t pending[24]; // mixed with key
static volatile uintptr_t reused;
void **volatile kept;

APART static Node *make(bool isLost, const char *tag)
{
	Node *n = new Node;
	n->number = count;
	std::memset(n->text, 'n', sizeof n->text);
	tags[count] = tag;
	lost[count] = isLost;
	blocks[count++] = (uintptr_t)n ^ key;
	return n;
}

// fill fills a vector whose first blocks stay.
APART static void fill(std::vector<Node *> &v, int all, int stay, const char *tag)
{
	v.reserve(all);
	for (int i = 0; i < all; i++)
		v.push_back(make(i >= stay, tag));
	v.resize(stay);
}

APART static void globals()
{
	fill(cleared, 12, 0, "cleared");
	fill(full, 16, 16, "full");
	fill(large, 64, 20, "large");
	popped.reserve(10);
	for (int i = 0; i < 10; i++)
		popped.push_back({make(i >= 4, "popped"), i});
	popped.resize(4);
	nested.resize(3);
	for (auto &v : nested)
		fill(v, 6, 2, "nested");
	dropped.resize(4);
	for (int i = 0; i < 4; i++)
		fill(dropped[i], 14, 14, "dropped");
	for (int i = 0; i < 4; i++)
		for (Node *n : dropped[i])
			for (int k = 0; k < count; k++)
				if (blocks[k] == ((uintptr_t)n ^ key))
					lost[k] = i >= 2;
	dropped.resize(2);
}

APART static void objects()
{
	owner = new Owner;
	fill(owner->nodes, 9, 3, "owner");
	owners.resize(2);
	fill(owners[1].nodes, 7, 1, "owners");
	ring.begin = (Node **)std::malloc(8 * sizeof *ring.begin);
	ring.end = ring.begin + 2;
	ring.limit = ring.begin + 8;
	for (int i = 0; i < 8; i++)
		ring.begin[i] = make(false, "ring");
}

// wipe leaves nothing of other calls on the stack.
APART static void wipe()
{
	volatile char room[6000];
	for (size_t i = 0; i < sizeof room; i++)
		room[i] = 0;
}

static void say()
{
	char out[64];
	for (int i = 0; i < count; i++) {
		int n = std::snprintf(out, sizeof out, "%s %#lx %s\n", lost[i] ? "lost" : "held", (unsigned long)(blocks[i] ^ key), tags[i]);
		if (write(1, out, n) != n)
			_exit(1);
	}
}

// reuse gives the memory of early's vector to an array, all of which counts.
APART static void reuse()
{
	void **array = (void **)std::malloc(24 * sizeof *array);
	if ((uintptr_t)array != reused) {
		std::fprintf(stderr, "the block is not used again\n");
		_exit(1);
	}
	for (int i = 0; i < 24; i++)
		array[i] = (void *)(pending[i] ^ key);
	kept = array;
}

// early has a vector that is made after the program ends in it the second time: what the stack has there is of the first.
APART static void early(bool end)
{
	if (end) {
		reuse();
		say();
		std::abort();
	}
	std::vector<Node *> made;
	made.reserve(24);
	made.push_back(nullptr);
	reused = (uintptr_t)made.data();
	asm volatile("" ::"r"(&made) : "memory");
}

APART static void run(std::vector<Node *> &own)
{
	globals();
	objects();
	fill(own, 11, 5, "local");
	for (uint64_t &p : pending)
		p = (uintptr_t)make(false, "reused") ^ key;
}

int main()
{
	std::vector<Node *> own;
	run(own);
	wipe();
	early(false);
	early(true);
	asm volatile("" ::"r"(&own) : "memory");
}
