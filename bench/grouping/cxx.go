package main

// cxxKinds are bugs of C++, each in a namespace with the bug's name. @ is the function's
// name, ^ that of a class, # a number of the bug's own.
var cxxKinds = []kind{
	{"throw", `KEEP int @(long n) { if (zero == 0) throw std::runtime_error("cannot @ " + std::to_string(n)); return #; }`},
	{"throw-int", `KEEP int @(long n) { if (zero == 0) throw static_cast<int>(n + #); return 1; }`},
	{"throw-own", `struct ^Error : std::exception { const char *what() const noexcept override { return "^"; } }; KEEP int @(long n) { if (zero == 0) throw ^Error(); return # + (int)n; }`},
	{"at", `KEEP int @(long n) { std::vector<int> v(#, 1); return v.at(static_cast<size_t>(n + 1000)); }`},
	{"pure", `struct ^ { ^() { @(1); } virtual ~^() {} KEEP void @(long n) { draw(n); sink++; } virtual void draw(long) = 0; }; struct ^Leaf : ^ { void draw(long n) override { sink += (int)n + #; } }; KEEP int make_@(long n) { ^Leaf x; x.@(n); return 1; }`},
	{"virtual-null", `struct ^ { virtual ~^() {} virtual int get(long n) { return (int)n + #; } }; KEEP int @(long n) { ^ *volatile p = nullptr; return p->get(n) + 1; }`},
	{"method-null", `struct ^ { long pad[#]; int v; KEEP int @(long n) { return v + (int)n; } }; KEEP int call_@(long n) { return static_cast<^ *>(none)->@(n) + 1; }`},
	{"sort", `KEEP int @(long n) { std::vector<int *> v(20 + #, nullptr); std::sort(v.begin(), v.end(), [](int *a, int *b) { return *a < *b; }); return (int)v.size() + (int)n; }`},
	{"empty-function", `KEEP int @(long n) { std::function<int(long)> f; if (zero) f = [](long x) { return (int)x + #; }; return f(n); }`},
	{"null-string", `KEEP int @(long n) { std::string s(no_text); return (int)s.size() + (int)n + #; }`},
	{"null-map", `KEEP int @(long n) { auto m = static_cast<std::map<std::string, int> *>(none); return (int)m->size() + (int)n + #; }`},
	{"unique", `struct ^ { long pad[#]; int v; }; KEEP int @(long n) { std::unique_ptr<^> p; if (zero) p = std::make_unique<^>(); return p->v + (int)n; }`},
	{"template", `struct ^ { long pad[#]; int n; }; template <typename T> struct Cache { T *first; KEEP int @(long n) { return first[n].n + 1; } }; KEEP int call_@(long n) { Cache<^> c{static_cast<^ *>(none)}; return c.@(n) + 1; }`},
	{"lambda", `KEEP int apply_@(const std::function<int(long)> &f, long n) { return f(n) + sink; } KEEP int @(long n) { return apply_@([](long x) { return static_cast<int *>(none)[x + #]; }, n) + 1; }`},
	{"noexcept", `KEEP int raise_@(long n) { if (zero == 0) throw std::out_of_range("@"); return (int)n; } KEEP int @(long n) noexcept { int r = raise_@(n); sink++; return r + #; }`},
	{"joinable", `KEEP int @(long n) { std::thread t([] { for (;;) pause(); }); sink += (int)n + #; return 1; }`},
	{"stoi", `KEEP int @(long n) { return std::stoi("no number #") + (int)n; }`},
	{"cast", `struct ^ { virtual ~^() {} }; struct ^Leaf : ^ { int v = #; }; KEEP int @(long n) { ^ x; ^ *volatile p = &x; return dynamic_cast<^Leaf &>(*p).v + (int)n; }`},
	{"for-each", `KEEP int @(long n) { std::vector<int *> v(3, static_cast<int *>(none)); int sum = (int)n; std::for_each(v.begin(), v.end(), [&sum](int *p) { sum += p[#]; }); return sum; }`},
	{"shared", `struct ^ { long pad[#]; std::string name; }; KEEP int @(long n) { std::shared_ptr<^> p; if (zero) p = std::make_shared<^>(); return (int)p->name.size() + (int)n; }`},
}

const cxxHead = cShift + `#include <algorithm>
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
` + cShared

const cxxTail = "\n" + cDescend + `template <typename F> KEEP int from_timer(F f, long n) { int r = descend(f, n); sink++; return r; }
KEEP int from_queue(const std::function<int(long)> &f, long n) { int r = f(n); sink++; return r; }
static const struct { const char *name; entry f; } bugs[] = {
%s};
int main(int argc, char **argv) {
	if (argc < 5) return 2;
	long depth = atol(argv[2]); int threads = atoi(argv[3]), way = atoi(argv[4]);
	for (int i = 0; i < threads; i++) std::thread([] { for (;;) pause(); }).detach();
	for (auto &b : bugs) {
		if (strcmp(b.name, argv[1])) continue;
		entry f = b.f;
		switch (way) {
		case 0: return from_timer(f, depth);
		case 1: return from_queue([f](long n) { return descend(f, n); }, depth);
		case 2: std::thread([f, depth] { sink += descend(f, depth); }).join(); return 0;
		default: return f(depth);
		}
	}
	return 3;
}
`
