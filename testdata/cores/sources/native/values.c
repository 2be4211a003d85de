/*
 * values: calls a chain of functions with variables of all kinds, each of which writes down what
 * its variables hold, as JSON, before it calls the next; the last one aborts.
 */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noinline, noclone))
#endif

/* say: function, variable, value. held: its address was given away, so that it has a place. */
#define SAY(v, format, ...) printf("%s\t%s\t" format "\n", __func__, #v, __VA_ARGS__)
static volatile int sink;
static void *volatile given;
static void held(void *p) { given = p; }

enum color { RED, GREEN = 5, BLUE = -2 };
enum flags { READ = 1, WRITE = 2, RUN = 4 };
struct point { int x, y; };
struct node { struct node *next; short key; char name[10]; };
struct bits { unsigned a : 1, b : 7; int c : 5; unsigned long long d : 40; _Bool e : 1; };
struct inner { union { int number; unsigned char bytes[4]; }; struct { char tag; double weight; }; };
struct outer { struct point from, to[2]; struct inner in; enum color color; const char *title; struct outer *self; };
typedef struct { unsigned long size; struct point *list; int (*compare)(const void *, const void *); } table;

static int order(const void *a, const void *b) { return a < b ? -1 : a > b; }
static table global_table;
static const char *const titles[] = {"zero", "one", "two"};
int global_number = 1234567;
double global_ratio = -0.125;
static short global_list[2][3] = {{1, 2, 3}, {-4, -5, -6}};
static _Thread_local int own_number = 77;

KEEP static void last(int code, const char *why)
{
	static int times = 3;
	times++;
	SAY(code, "%d", code);
	SAY(why, "\"%s\"", why);
	SAY(times, "%d", times);
	own_number++;
	fflush(stdout);
	abort();
}

KEEP static void pointers(struct node *list, void *nothing, const char *text, int (*fn)(const void *, const void *), char **lines)
{
	struct node *second = list->next;
	const char *tail = text + 4;
	held(&second);
	SAY(list, "\"%p\"", (void *)list);
	SAY(nothing, "%s", nothing ? "1" : "null");
	SAY(text, "\"%s\"", text);
	SAY(second, "\"%p\"", (void *)second);
	SAY(tail, "\"%s\"", tail);
	SAY(fn, "\"%p\"", (void *)(size_t)fn);
	SAY(lines, "\"%p\"", (void *)lines);
	last(-7, tail);
	sink += second->key + (fn == order) + (lines != NULL) + (nothing == NULL) + text[0];
}

KEEP static void wholes(struct point p, struct outer *o, const table *t, struct node n)
{
	struct bits b = {1, 100, -9, 1ull << 39, 1};
	struct outer copy = *o;
	union { float f; uint32_t u; } word = {.f = 1.0f};
	struct { int a; struct { int b, c; } d; } nameless = {1, {2, 3}};
	held(&b), held(&copy), held(&word), held(&nameless);
	SAY(p, "{\"x\":%d,\"y\":%d}", p.x, p.y);
	SAY(o, "\"%p\"", (void *)o);
	SAY(t, "\"%p\"", (void *)t);
	SAY(n, "{\"next\":\"%p\",\"key\":%d,\"name\":\"%s\"}", (void *)n.next, n.key, n.name);
	SAY(b, "{\"a\":%d,\"b\":%d,\"c\":%d,\"d\":%llu,\"e\":true}", b.a, b.b, b.c, (unsigned long long)b.d);
	SAY(copy, "{\"from\":{\"x\":%d,\"y\":%d},\"to\":[{\"x\":%d,\"y\":%d},{\"x\":%d,\"y\":%d}],\"in\":{\"number\":%d,\"bytes\":[%d,%d,%d,%d],"
		"\"tag\":%d,\"weight\":%g},\"color\":\"BLUE\",\"title\":\"%s\",\"self\":\"%p\"}",
		copy.from.x, copy.from.y, copy.to[0].x, copy.to[0].y, copy.to[1].x, copy.to[1].y, copy.in.number, copy.in.bytes[0],
		copy.in.bytes[1], copy.in.bytes[2], copy.in.bytes[3], copy.in.tag, copy.in.weight, copy.title, (void *)copy.self);
	SAY(word, "{\"f\":1,\"u\":%u}", word.u);
	SAY(nameless, "{\"a\":1,\"d\":{\"b\":2,\"c\":%d}}", nameless.d.c);
	pointers(n.next, NULL, "the text", order, (char **)(void *)&given);
	sink += p.x + (int)b.d + copy.from.x + (int)word.u + nameless.a + (int)t->size + n.key + o->from.y;
}

KEEP static void arrays(int count, const int *given_list)
{
	int small[4] = {count, -count, 0, 2147483647};
	unsigned char raw[3] = {0, 128, 255};
	char text[12] = "in place";
	double grid[2][2] = {{1.5, -2}, {0.25, 1e10}};
	struct point points[2] = {{1, 2}, {count, -1}};
	wchar_t wide[6] = L"wide";
	const char *names[2] = {"first", "second"};
	int varying[count];
	for (int i = 0; i < count; i++)
		varying[i] = i * i;
	held(small), held(raw), held(text), held(grid), held(points), held(wide), held(names), held(varying);
	SAY(count, "%d", count);
	SAY(small, "[%d,%d,%d,%d]", small[0], small[1], small[2], small[3]);
	SAY(raw, "[%d,%d,%d]", raw[0], raw[1], raw[2]);
	SAY(text, "\"%s\"", text);
	SAY(grid, "[[%g,%g],[%g,%.0f]]", grid[0][0], grid[0][1], grid[1][0], grid[1][1]);
	SAY(points, "[{\"x\":%d,\"y\":%d},{\"x\":%d,\"y\":%d}]", points[0].x, points[0].y, points[1].x, points[1].y);
	SAY(names, "[\"%s\",\"%s\"]", names[0], names[1]), SAY(wide, "\"%ls\"", wide);
	SAY(varying, "[%d,%d,%d]", varying[0], varying[1], varying[2]);
	SAY(given_list, "\"%p\"", (const void *)given_list);
	struct outer o = {{1, -1}, {{2, -2}, {3, -3}}, {{0x01020304}, {'t', 2.5}}, BLUE, titles[2], NULL};
	o.self = &o;
	struct node third = {NULL, 1, "third"}, other = {&third, 12, "other"}, n = {&other, -3, "node"};
	struct point p = {count * 10, -count};
	wholes(p, &o, &global_table, n);
	sink += small[1] + raw[2] + text[0] + (int)grid[0][1] + points[1].x + varying[count - 1] + names[0][0] + given_list[0] + (int)wide[0];
}

KEEP static void floats(float f, double d, long double ld, bool yes)
{
	float third = f / 3;
	double huge = d * 1e300, sum = d + 0.5;
	double _Complex z = d + 2.0 * I;
	bool no = !yes;
	int list[2] = {4, 5};
	held(&third), held(&huge), held(&sum), held(&z);
	SAY(f, "%.9g", f);
	SAY(d, "%.17g", d);
	SAY(ld, "%.17g", (double)ld);
	SAY(yes, "%s", yes ? "true" : "false");
	SAY(no, "%s", no ? "true" : "false");
	SAY(third, "%.9g", third);
	SAY(huge, "%.17g", huge);
	SAY(sum, "%.17g", sum);
	arrays(3, list);
	sink += (int)third + (int)sum + no + yes + (int)creal(z) + (int)f + (int)(d + huge + ld) + list[0];
}

KEEP static void numbers(char c, signed char sc, unsigned char uc, short s, unsigned short us, int i, unsigned u, long l, unsigned long ul,
	long long ll, unsigned long long ull, enum color color, enum flags flags)
{
	int local = i * 3, kept = i + 1;
	int8_t small = (int8_t)(sc - 1);
	uint64_t large = ull - 1;
	size_t size = ul / 2;
	enum color other = RED;
	held(&kept), held(&small), held(&large), held(&other);
	SAY(c, "%d", c);
	SAY(sc, "%d", sc);
	SAY(uc, "%d", uc);
	SAY(s, "%d", s);
	SAY(us, "%d", us);
	SAY(i, "%d", i);
	SAY(u, "%u", u);
	SAY(l, "%ld", l);
	SAY(ul, "%lu", ul);
	SAY(ll, "%lld", ll);
	SAY(ull, "%llu", ull);
	SAY(color, "\"%s\"", "GREEN");
	SAY(flags, "\"%s\"", "READ | RUN");
	SAY(local, "%d", local);
	SAY(kept, "%d", kept);
	SAY(small, "%d", small);
	SAY(large, "%llu", (unsigned long long)large);
	SAY(size, "%zu", size);
	SAY(other, "\"%s\"", "RED");
	floats(1.5f, -2.75, 0.625L, true);
	sink += local + kept + small + (int)large + (int)size + other + c + sc + uc + s + us + i + (int)u + (int)l + (int)ll + color + flags;
}

int main(int argc, char **argv)
{
	static struct point list[2] = {{7, 8}, {9, 10}};
	global_table = (table){2, list, order};
	printf("-\tglobal_number\t%d\n-\tglobal_ratio\t%g\n", global_number, global_ratio);
	printf("-\tglobal_list\t[[1,2,3],[-4,-5,-6]]\n-\ttitles\t[\"zero\",\"one\",\"two\"]\n-\town_number\t78\n");
	printf("-\tglobal_table\t{\"size\":2,\"list\":\"%p\",\"compare\":\"%p\"}\n", (void *)list, (void *)(size_t)order);
	sink += global_list[1][1];
	SAY(argc, "%d", argc);
	numbers('x', -100, 200, -30000, 60000, -2000000000, 4000000000u, -9000000000000000000L, 18000000000000000000UL, -5LL,
		18446744073709551615ULL, GREEN, READ | RUN);
	return sink + argc + (argv != NULL);
}
