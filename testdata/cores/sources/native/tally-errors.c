/*
 * tally-errors: a daemon of C that reads its configuration line by line, and loses blocks where a line is wrong.
 */
#define _GNU_SOURCE
#include "tally.h"
#include <setjmp.h>

struct option { struct option *next; char *name, *value; };

static struct option *volatile options;
static jmp_buf failed;

MAKE(option, 0)
MAKE(buffer, 1) /* the line, where parsing ends early */
MAKE(grown, 1)  /* its pointer is overwritten by that of a realloc that failed */
MAKE(jumped, 1) /* a longjmp leaves the function that would free it */

APART static char *make_name(const char *s)
{
	char *p = strdup(s);
	note("name", 0, p, strlen(s) + 1);
	return p;
}

APART static char *make_half(const char *s)
{
	char *p = strdup(s);
	note("half", 1, p, strlen(s) + 1);
	return p;
}

APART static char *make_message(const char *s)
{
	char *p = NULL;
	int n = asprintf(&p, "the line \"%s\" is no option, and this message is never freed", s);
	p = realloc(p, (size_t)n + 1);
	note("message", 1, p, (size_t)n + 1);
	return p;
}

/* The C library's list of streams has it. */
APART static void make_stream(void)
{
	FILE *f = fopen("/dev/null", "r");
	note("stream", 1, f, malloc_usable_size(f));
}

APART static void jump(int depth)
{
	char *p = make_jumped(96);
	memset(p, 0, 96);
	if (depth == 0)
		longjmp(failed, 1);
	jump(depth - 1);
	forget(p);
	free(p);
}

/* parse takes a line; on an error it returns without freeing what it has made so far. */
APART static int parse(const char *line)
{
	char *copy = make_buffer(200);
	snprintf(copy, 200, "%s", line);
	char *sign = strchr(copy, '=');
	if (!sign) {
		if (!make_message(line))
			return 2;
		return 1;
	}
	*sign = 0;
	if (!sign[1]) {
		char *half = make_half(copy);
		return half && half[0] ? 1 : 2;
	}
	struct option *o = make_option(sizeof *o);
	o->name = make_name(copy);
	o->value = make_name(sign + 1);
	o->next = options;
	options = o;
	forget(copy);
	free(copy);
	return 0;
}

APART static int grow(void)
{
	volatile size_t huge = SIZE_MAX / 4;
	char *p = memset(make_grown(300), 0, 300);
	p = realloc(p, huge);
	return p == NULL;
}

int main(int argc, char **argv)
{
	(void)argv;
	char line[80];
	int errors = 0;
	for (int i = 0; i < 60; i++) {
		snprintf(line, sizeof line, i % 5 == 1 ? "option %d has no sign" : i % 5 == 3 ? "option%d=" : "option%d=some value", i);
		errors += parse(line);
	}
	for (int i = 0; i < 4; i++)
		errors += grow();
	if (!setjmp(failed))
		jump(5);
	make_stream();
	clean();
	end(argc);
	return errors;
}
