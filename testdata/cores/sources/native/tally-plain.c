/*
 * tally-plain: a daemon of C that serves requests, and holds blocks in all ways that a program has.
 */
#include "tally.h"
#include <sys/mman.h>

struct request { struct request *of; char *body; int number; };
struct entry { struct entry *next; long key; char name[16]; };

MAKE(request, 1) /* never freed */
MAKE(body, 1)    /* a lost request leads to it */
MAKE(ring, 1)
MAKE(freed, 1)   /* a free block leads to it */
MAKE(stale, 1)   /* a block leads to it by a word that was never written to since it was another's */
MAKE(entry, 0)   /* of a table in the data */
MAKE(middle, 0)  /* a pointer into its middle has it */
MAKE(marked, 0)  /* its pointer has a mark in its lowest bit */
MAKE(mapped, 0)  /* mapped memory leads to it */
MAKE(packed, 0)  /* its pointer is at an odd address */
MAKE(frame, 0)   /* a frame that is to return has it */
MAKE(recycled, 0)

static struct entry *table[16];
static char *volatile cursor;
static volatile uintptr_t mark;
static void *volatile page;
static void *volatile recycled;
static struct { char kind; void *at; } __attribute__((packed)) record[4];

APART static void insert(int i)
{
	struct entry *e = make_entry(sizeof *e);
	memset(e, 0, sizeof *e);
	e->next = table[i % 16];
	e->key = i;
	table[i % 16] = e;
}

/* serve forgets every third request. */
APART static void serve(int i)
{
	struct request *r = malloc(sizeof *r);
	free(r);
	if (i % 3)
		return;
	r = make_request(sizeof *r);
	memset(r, 0, sizeof *r);
	r->body = make_body(100);
	memset(r->body, 'x', 100);
}

APART static void others(void)
{
	void **a = make_ring(32), **b = make_ring(32);
	memset(a, 0, 32);
	memset(b, 0, 32);
	a[1] = b;
	b[1] = a;
	void *volatile *old = malloc(3000);
	memset((void *)old, 0, 3000);
	old[200] = memset(make_freed(400), 0, 400);
	free((void *)old);
	for (int i = 0; i < 5; i++) {
		void *volatile *was = malloc(200 + 16 * (size_t)i);
		memset((void *)was, 0, 200 + 16 * (size_t)i);
		was[9] = memset(make_stale(700), 0, 700);
		free((void *)was);
		void **again = make_recycled(200 + 16 * (size_t)i);
		again[0] = recycled; /* and no other word */
		recycled = again;
	}
	cursor = (char *)memset(make_middle(500), 0, 500) + 250;
	mark = (uintptr_t)memset(make_marked(48), 0, 48) | 1;
	void **m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	m[7] = memset(make_mapped(1000), 0, 1000);
	page = m;
	for (int i = 0; i < 4; i++)
		record[i].at = i ? memset(make_packed(56), 0, 56) : NULL;
}

APART static void frame(int argc)
{
	void *volatile own[3];
	for (int i = 0; i < 3; i++)
		own[i] = memset(make_frame(64), 0, 64);
	clean();
	end(argc);
	printf("%p", own[argc % 3]);
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 64; i++)
		insert(i);
	for (int i = 0; i < 90; i++)
		serve(i);
	others();
	frame(argc);
}
