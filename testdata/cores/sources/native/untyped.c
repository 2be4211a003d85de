/* untyped: variables of a program without debugging information, one of each size of an integer, and larger ones; a thread-local
 * one, and errno. It is compiled with -g0. The program writes down for each variable its name, its size in bytes, and its value:
 * in decimal and hexadecimal if an integer has the size, else its first 32 bytes. Then it dies. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

signed char one = -3;
short two = 1234;
int four = -70000;
long long eight = 0x123456789abcdef0;
const char *text = "where a pointer leads to";
char three[3] = {1, 2, 0x7f};
struct { int a, b; char name[40]; } large = {7, 8, "a name of forty characters at most"};
static short hidden = 77;
__thread int own = 5;

static void integer(const char *name, const void *at, int size)
{
	long long v = 0;
	unsigned long long u = 0;
	memcpy(&u, at, size);
	v = (long long)(u << 8 * (8 - size)) >> 8 * (8 - size);
	printf("%s %d %lld 0x%llx\n", name, size, v, u);
}

static void bytes(const char *name, const void *at, int size)
{
	int i;
	printf("%s %d", name, size);
	for (i = 0; i < size && i < 32; i++)
		printf(" %02x", ((const unsigned char *)at)[i]);
	printf("\n");
}

int main(void)
{
	own = 4096 + hidden++;
	integer("one", &one, 1);
	integer("two", &two, 2);
	integer("hidden", &hidden, 2);
	integer("four", &four, 4);
	integer("eight", &eight, 8);
	integer("text", &text, sizeof text);
	integer("own", &own, 4);
	bytes("three", three, sizeof three);
	bytes("large", &large, sizeof large);
	errno = 0;
	(void)!chdir("/nonexistent/folder"); /* ENOENT */
	printf("errno %d ENOENT\n", errno);
	fflush(stdout);
	(void)!chdir("/nonexistent/folder");
	*(volatile char *)0 = 1;
}
