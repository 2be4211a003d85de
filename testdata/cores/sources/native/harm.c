/*
 * harm: misuses the heap in the way that its argument says, goes on as programs do, and aborts if it still can. With a second
 * argument it aborts right after the misuse.
 *
 * It prints a line
 *
 *	harm HOW CULPRIT VICTIM
 *
 * before the misuse: the block whose pointer is misused, and the block that is written over. Each is 0 if there is none. "survived"
 * follows if nothing has stopped the program.
 */
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { COUNT = 64, SIZE = 64 };

struct item {
	struct item *next;
	char text[SIZE - 2 * sizeof(void *)];
	struct item *last;
};

static char room[1 << 12]; /* printf's */
static struct item *all[COUNT];
static int now;
static volatile size_t off;
static volatile long sum;

static void tell(const char *how, void *culprit, void *victim)
{
	printf("harm %s %#zx %#zx\n", how, (size_t)culprit, (size_t)victim);
	fflush(stdout);
}

/* write_over writes a byte or text from a place in a block on. */
__attribute__((noinline)) static void write_over(char *block, ptrdiff_t from, size_t n, const char *text)
{
	size_t len = strlen(text);
	for (off = 0; off < n; off++)
		block[from + (ptrdiff_t)off] = len ? text[off % len] : 0;
}

__attribute__((noinline)) static void release(void *block) { free(block); }

__attribute__((noinline)) static void follow(struct item *i) { sum += i->next->text[0] + i->last->text[0]; }

/* behind returns the block that begins where one ends, but for a header; NULL for none. */
static struct item *behind(struct item *i)
{
	char *end = (char *)i + malloc_usable_size(i);
	struct item *best = NULL;
	for (int k = 0; k < COUNT; k++)
		if ((char *)all[k] >= end && (char *)all[k] <= end + 32 && (!best || all[k] < best))
			best = all[k];
	return best;
}

static struct item *make(void)
{
	struct item *i = malloc(SIZE);
	memset(i, 0, sizeof *i);
	i->next = i->last = i;
	strcpy(i->text, "in order");
	return i;
}

/* go_on does what a program does next: it releases the block that was harmed, and its neighbours, and asks for more. */
__attribute__((noinline)) static void go_on(struct item *culprit, struct item *victim)
{
	for (int k = 0; k < COUNT; k++)
		if (all[k] && all[k] != culprit && all[k] != victim)
			follow(all[k]);
	if (victim)
		release(victim);
	if (culprit)
		release(culprit);
	for (int k = 0; k < 4; k++)
		follow(make());
}

static int over(const char *how, struct item *b)
{
	size_t end = malloc_usable_size(b);
	struct item *victim = behind(b);
	if (!strcmp(how, "over-nul")) {
		tell(how, b, victim);
		write_over((char *)b, (ptrdiff_t)end, 1, "");
	} else if (!strcmp(how, "over-1")) {
		tell(how, b, victim);
		write_over((char *)b, (ptrdiff_t)end, 1, "x");
	} else if (!strcmp(how, "over-8")) {
		tell(how, b, victim);
		write_over((char *)b, 0, end + 8, "overflow");
	} else if (!strcmp(how, "over-100")) {
		tell(how, b, victim);
		write_over((char *)b, 0, end + 100, "some text ");
	} else if (!strcmp(how, "under")) {
		tell(how, b, NULL);
		write_over((char *)b, -8, 16, "underrun");
	} else {
		return 0;
	}
	if (!now)
		go_on(b, victim);
	return 1;
}

static int twice(const char *how, struct item *b, struct item *c)
{
	if (!strcmp(how, "double-near")) {
		tell(how, b, NULL);
		release(b);
		release(b);
	} else if (!strcmp(how, "double-far")) {
		tell(how, b, NULL);
		release(b);
		for (int k = 32; k < COUNT; k++)
			release(all[k]), all[k] = NULL;
		release(b);
	} else {
		return 0;
	}
	if (now)
		return 1;
	memset(all, 0, sizeof all);
	follow(c);
	for (int k = 0; k < COUNT; k++)
		follow(all[k] = make());
	return 1;
}

static int after(const char *how, struct item *b)
{
	if (!strcmp(how, "after-read")) {
		tell(how, b, NULL);
		release(b);
		follow(b);
	} else if (!strcmp(how, "after-reuse")) {
		tell(how, b, NULL);
		release(b);
		for (int k = 0; k < COUNT; k++)
			write_over(malloc(SIZE), 0, SIZE, "another!");
		follow(b);
	} else if (!strcmp(how, "after-write")) {
		tell(how, b, NULL);
		release(b);
		write_over((char *)b, 0, SIZE, "too late");
		for (int k = 0; !now && k < 2 * COUNT; k++)
			follow(make());
	} else {
		return 0;
	}
	return 1;
}

/* pool is the memory of an allocator of its own. */
static char *pool(void) { return mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

static int other(const char *how, struct item *b)
{
	struct item local[2], *p;
	if (!strcmp(how, "interior")) {
		tell(how, b, NULL);
		release((char *)b + 16);
	} else if (!strcmp(how, "stack")) {
		memset(local, 0, sizeof local);
		tell(how, &local[1], NULL);
		release(&local[1]);
	} else if (!strcmp(how, "wrong")) {
		p = (struct item *)(pool() + 256);
		tell(how, p, NULL);
		release(p);
	} else if (!strcmp(how, "uninit")) {
		p = malloc(SIZE);
		write_over((char *)p, 0, SIZE, "leftover");
		release(p);
		p = malloc(SIZE); /* its members are not set */
		tell(how, p, NULL);
		follow(p);
	} else {
		return 0;
	}
	for (int k = 0; !now && k < 8; k++)
		follow(make());
	return 1;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	now = argc > 2;
	setvbuf(stdout, room, _IOFBF, sizeof room);
	for (int k = 0; k < COUNT; k++)
		all[k] = make();
	if (!over(how, all[10]) && !twice(how, all[10], all[11]) && !after(how, all[10]) && !other(how, all[10]))
		return 2;
	puts("survived");
	fflush(stdout);
	abort();
}
