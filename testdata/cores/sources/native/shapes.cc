// shapes MODE: C++ names and C++ endings.
//
// main -> app::run -> app::Visitor<...>::visit -> a virtual call -> a template
// -> a lambda, and then the mode's own death. Nothing is inlined.
#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#define FRAME __attribute__((noinline, noipa))

namespace {
volatile int *volatile nowhere;
FRAME int poke(volatile int *p, int v) { *p = v; return v + 1; }
}  // namespace

namespace app {

struct bad_shape : std::runtime_error {
	using std::runtime_error::runtime_error;
};

inline namespace v2 {
FRAME int die_segv(int v) { return poke(nowhere, v) + 1; }
}  // namespace v2

FRAME int thrower(int v) { if (v) throw bad_shape("no such shape"); return 1; }

// The exception is caught and alive while the handler crashes.
FRAME int die_catch(int v)
{
	try {
		return thrower(v) + 1;
	} catch (const bad_shape &e) {
		return poke(nowhere, e.what()[0]) + 1;
	}
}

// No handler anywhere: std::terminate runs on top of the thrower.
FRAME int die_throw(int v) { return thrower(v) + 1; }

FRAME int promise(int v) noexcept { return thrower(v) + 1; }
FRAME int die_noexcept(int v) { return promise(v) + 1; }

struct Guard {
	int v;
	static volatile int released;
	explicit Guard(int v) : v(v) {}
	FRAME ~Guard() { released = poke(nowhere, v) + 1; }
};
volatile int Guard::released;

// Destroyed in a landing pad, while the exception is in flight.
FRAME int guarded(int v)
{
	Guard g(v);
	return thrower(v) + g.v;
}
FRAME int die_dtor(int v)
{
	try {
		return guarded(v) + 1;
	} catch (const bad_shape &) {
		return 0;
	}
}

FRAME bool before(int a, int b) { return poke(nowhere, a) < b; }
FRAME int die_sort(int v)
{
	std::vector<int> w{v, 3, 2, 1};
	std::sort(w.begin(), w.end(), before);
	return w[0];
}

struct Key {
	int k;
	FRAME bool operator<(const Key &o) const { return poke(nowhere, k) < o.k; }
};
FRAME int die_operator(int v)
{
	std::map<Key, std::string> m;
	m[Key{v}] = "one";
	m[Key{v + 1}] = "two";
	return (int)m.size();
}

FRAME int die_null(int v) { int (*volatile f)(int) = nullptr; return f(v) + 1; }

class Shape {
public:
	virtual ~Shape() = default;
	virtual int area(const std::function<int(int)> &f) const = 0;
};

template <typename T, int N> class Square final : public Shape {
public:
	FRAME int area(const std::function<int(int)> &f) const override { return scale(f, T(N)) + 1; }

private:
	template <typename U> FRAME int scale(const std::function<int(int)> &f, U u) const { return f(int(u)) + 1; }
};

template <typename... Ts> struct Visitor {
	FRAME static int visit(const Shape &s, const std::function<int(int)> &f) { return s.area(f) + int(sizeof...(Ts)); }
};

FRAME int run(int (*mode)(int))
{
	std::unique_ptr<Shape> s(new Square<long, 4>);
	return Visitor<int, char *>::visit(*s, [mode](int v) FRAME { return mode(v) + 1; }) + 1;
}

}  // namespace app

int main(int argc, char **argv)
{
	const std::map<std::string, int (*)(int)> modes{
	    {"segv", app::die_segv}, {"catch", app::die_catch},       {"throw", app::die_throw},
	    {"noexcept", app::die_noexcept}, {"dtor", app::die_dtor}, {"sort", app::die_sort},
	    {"operator", app::die_operator}, {"null", app::die_null},
	};
	auto m = argc > 1 ? modes.find(argv[1]) : modes.end();
	return m == modes.end() ? 2 : app::run(m->second) + 1;
}
