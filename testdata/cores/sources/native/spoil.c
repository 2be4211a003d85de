/*
 * spoil: writes where it should not, in the way that its argument says, says what it has done, and aborts.
 *
 * spoil KIND CULPRIT: the kind of fault that a debugger may find, and the block whose pointer the write was made with; "none" for a
 * write that leaves the heap in order.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char room[1 << 12]; /* printf's */

static void said(const char *kind, void *culprit)
{
	printf("spoil %s %#zx\n", kind, (size_t)culprit);
	fflush(stdout);
	abort();
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	char *b[40], *large[8];
	volatile size_t off;
	setvbuf(stdout, room, _IOFBF, sizeof room);
	for (int i = 0; i < 40; i++)
		memset(b[i] = malloc(24), 0, 24);
	for (int i = 0; i < 8; i++)
		memset(large[i] = malloc(2000), i + 1, 2000);
	char *last = malloc(100);
	if (!strcmp(how, "over-8")) {
		for (off = 0; off < 32; off++)
			b[10][off] = 'x';
		said("overrun", b[10]);
	} else if (!strcmp(how, "over-100")) {
		for (off = 0; off < 124; off++)
			b[10][off] = "some text "[off % 10];
		said("overrun", b[10]);
	} else if (!strcmp(how, "over-large")) {
		for (off = 0; off < 2100; off++)
			large[3][off] = 'y';
		said("overrun", large[3]);
	} else if (!strcmp(how, "over-top")) {
		for (off = 0; off < 120; off++)
			last[off] = 'z';
		said("overrun", last);
	} else if (!strcmp(how, "under-8")) {
		for (off = 0; off < 32; off++)
			b[10][off - 8] = 'u';
		said("underrun", b[10]);
	} else if (!strcmp(how, "slack")) {
		char *p = malloc(17);
		for (off = 0; off < 24; off++)
			p[off] = 's';
		said("none", p);
	} else if (!strcmp(how, "after-tcache")) {
		free(b[9]);
		free(b[10]);
		for (off = 0; off < 16; off++)
			b[10][off] = 'f';
		said("freelist", b[10]);
	} else if (!strcmp(how, "after-fast")) {
		for (int i = 0; i < 10; i++)
			free(b[i]);
		for (off = 0; off < 16; off++)
			b[9][off] = 'f';
		said("freelist", b[9]);
	} else if (!strcmp(how, "after-bin")) {
		free(large[3]);
		for (off = 0; off < 16; off++)
			large[3][off] = 'f';
		said("freelist", large[3]);
	} else if (!strcmp(how, "read")) {
		free(b[10]);
		free(large[3]);
		off = b[10][0] + large[3][0];
		said("none", NULL);
	}
	return 2;
}
