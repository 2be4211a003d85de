// values: a chain of functions with variables of C++'s kinds, each of which writes down what its
// variables hold, as JSON, before it calls the next; the last one aborts.
#include <any>
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noinline, noclone))
#endif
#define SAY(v, ...) (std::printf("%s\t%s\t", __func__, #v), std::printf(__VA_ARGS__), std::printf("\n"))

static volatile int sink;
static const void *volatile given;
static void held(const void *p) { given = p; }

namespace shapes {
enum class Kind : unsigned char { Round, Square = 7 };
struct Shape {
	int id = 4;
	virtual ~Shape() = default;
	virtual int area() const = 0;
};
struct Named { std::string name = "named"; };
struct Square : Shape, Named {
	explicit Square(int s) : side(s) {}
	int area() const override { return side * side; }
	int side;
	Kind kind = Kind::Square;
	static int made;
};
int Square::made = 31;
template <class T, int N> struct Box { T content[N]; T sum() const { T s{}; for (auto &x : content) s += x; return s; } };
} // namespace shapes

// figure is known by what it leads to only: no part of its own type has a side.
std::unique_ptr<shapes::Shape> figure;
shapes::Named *second_base;

namespace {
struct Config { std::string host = "localhost"; std::vector<int> ports{80, 443}; bool secure = true; };
Config config;
}

KEEP static void last(const std::string &why, int &&moved, const int &seen) {
	SAY(why, "\"%s\"", why.c_str());
	SAY(moved, "%d", moved);
	SAY(seen, "%d", seen);
	std::fflush(stdout);
	std::abort();
}

struct Adder { int by; int operator()(int x) const { return x + by; } };
struct Joiner { std::string first, second; int operator()(int x) const { return x + (int)(first + second).size(); } };
struct Nothing { int operator()(int x) const { return x; } };

KEEP static void wrappers() {
	std::function<int(int)> adds = Adder{5}, joins = Joiner{"a first", std::string(25, 's')}, none, empty = Nothing{};
	std::any number = 17, text = std::string("held by an any"), list = std::vector<int>{1, 2}, nobody;
	std::bitset<5> few("10110");
	std::bitset<70> many;
	many.set(1), many.set(69);
	std::chrono::milliseconds wait(1500);
	std::chrono::duration<double> part(0.25);
	std::chrono::time_point<std::chrono::system_clock, std::chrono::seconds> then(std::chrono::seconds(1700000000));
	std::queue<int> queue({7, 8});
	std::stack<int, std::vector<int>> stack({3, 4});
	std::priority_queue<int> first;
	first.push(2), first.push(9);
	std::multimap<char, int> twice{{'k', 1}, {'k', 2}};
	std::map<char, char> small{{'a', 'z'}, {'b', 'y'}};
	std::unordered_multimap<int, int> hashed{{6, 60}};
	std::tuple<Nothing, int, std::string> parts{Nothing{}, 6, "with nothing"};
	std::string shorter("0123456789"), fits(15, 'f'), longer(23, 'l');
	std::reference_wrapper<std::string> wrapped = longer;
	std::vector<std::function<int(int)>> all{Adder{1}, Adder{2}};
	held(&adds), held(&joins), held(&none), held(&empty), held(&number), held(&text), held(&list), held(&nobody), held(&few), held(&many), held(&wait), held(&part), held(&then);
	held(&queue), held(&stack), held(&first), held(&twice), held(&small), held(&hashed), held(&parts), held(&shorter), held(&fits), held(&longer), held(&wrapped), held(&all);
	SAY(adds, "{\"by\":5}");
	SAY(joins, "{\"first\":\"a first\",\"second\":\"%s\"}", std::string(25, 's').c_str());
	SAY(none, "null");
	SAY(empty, "{}");
	SAY(number, "%d", std::any_cast<int>(number));
	SAY(text, "\"%s\"", std::any_cast<std::string>(text).c_str());
	SAY(list, "[1,2]");
	SAY(nobody, "null");
	SAY(few, "[false,true,true,false,true]");
	std::printf("%s\tmany\t[", __func__);
	for (int i = 0; i < 70; i++) std::printf("%s%s", i ? "," : "", many[i] ? "true" : "false");
	std::printf("]\n");
	SAY(wait, "%d", (int)wait.count());
	SAY(part, "%g", part.count());
	SAY(then, "\"2023-11-14T22:13:20Z\"");
	SAY(queue, "[7,8]");
	SAY(stack, "[3,4]");
	SAY(first, "[9,2]");
	SAY(small, "[[%d,%d],[%d,%d]]", 'a', 'z', 'b', 'y');
	SAY(twice, "[[%d,1],[%d,2]]", 'k', 'k');
	SAY(hashed, "[[6,60]]");
	SAY(parts, "[{},6,\"with nothing\"]");
	SAY(shorter, "\"%s\"", shorter.c_str());
	SAY(fits, "\"%s\"", fits.c_str());
	SAY(longer, "\"%s\"", longer.c_str());
	SAY(wrapped, "\"%s\"", wrapped.get().c_str());
	SAY(all, "[{\"by\":1},{\"by\":2}]");
	int seen = 3;
	last("because", 9, seen);
	sink += seen + adds(1) + joins(1) + empty(1) + (int)few.count() + (int)many.count() + (int)queue.size() + (int)first.size();
}

KEEP static void pointers(std::unique_ptr<int> &one, std::shared_ptr<shapes::Box<int, 2>> shared) {
	std::unique_ptr<std::string> none;
	std::weak_ptr<int> weak;
	std::optional<int> some = 5, nothing;
	std::optional<std::string> text = "optional text";
	std::variant<int, std::string, double> first = 7, second = std::string("a string"), third = 2.5;
	std::atomic<int> atomic{12};
	std::atomic<bool> flag{true};
	held(&none), held(&weak), held(&some), held(&nothing), held(&text), held(&first), held(&second), held(&third), held(&atomic), held(&flag);
	SAY(one, "%d", *one);
	SAY(shared, "{\"content\":[%d,%d]}", shared->content[0], shared->content[1]);
	SAY(none, "null");
	SAY(weak, "null");
	SAY(some, "%d", *some);
	SAY(nothing, "null");
	SAY(text, "\"%s\"", text->c_str());
	SAY(first, "%d", std::get<int>(first));
	SAY(second, "\"%s\"", std::get<std::string>(second).c_str());
	SAY(third, "%g", std::get<double>(third));
	SAY(atomic, "%d", atomic.load());
	SAY(flag, "true");
	wrappers();
	sink += *one + none.get() - (std::string *)nullptr;
}

KEEP static void maps() {
	std::map<std::string, int> by_name{{"one", 1}, {"two", 2}, {"three", 3}};
	std::map<int, double> by_number;
	for (int i = 0; i < 9; i++) by_number[i * 7 % 9] = i / 4.0;
	std::set<char> letters{'c', 'a', 'b'};
	std::multiset<int> again{3, 1, 3};
	std::unordered_map<int, std::string> one_hash{{5, "five"}};
	std::unordered_map<std::string, short> text_hash{{"key", -3}};
	std::unordered_set<long long> hashes{1234567890123};
	std::map<std::string, std::vector<std::string>> nested{{"list", {"x", "y"}}, {"none", {}}};
	std::map<int, int> empty;
	held(&by_name), held(&by_number), held(&letters), held(&again), held(&one_hash), held(&text_hash), held(&hashes), held(&nested), held(&empty);
	SAY(by_name, "{\"one\":1,\"three\":3,\"two\":2}");
	std::printf("%s\tby_number\t[", __func__);
	const char *comma = "";
	for (auto &[k, v] : by_number) std::printf("%s[%d,%.17g]", comma, k, v), comma = ",";
	std::printf("]\n");
	SAY(again, "[1,3,3]");
	SAY(one_hash, "[[5,\"five\"]]");
	SAY(text_hash, "{\"key\":-3}");
	SAY(hashes, "[1234567890123]");
	SAY(nested, "{\"list\":[\"x\",\"y\"],\"none\":[]}");
	SAY(empty, "[]");
	auto one = std::make_unique<int>(42);
	pointers(one, std::make_shared<shapes::Box<int, 2>>(shapes::Box<int, 2>{{6, 7}}));
	sink += by_name.size() + by_number.size();
}

KEEP static void lists() {
	std::vector<int> numbers{1, -2, 3};
	std::vector<std::string> words{"short", std::string(40, 'w')};
	std::vector<bool> bits{true, false, true, true};
	std::vector<shapes::Kind> kinds{shapes::Kind::Round, shapes::Kind::Square};
	std::vector<std::vector<int>> rows{{1}, {}, {2, 3}};
	std::deque<int> queue;
	for (int i = 0; i < 300; i++) queue.push_back(i);
	for (int i = 0; i < 297; i++) queue.pop_front();
	std::list<double> chain{0.5, -1.5};
	std::forward_list<int> forward{8, 9};
	std::array<short, 3> fixed{-1, 0, 1};
	std::tuple<int, std::string, char> tuple{1, "in a tuple", 2};
	std::pair<int, double> pair{3, 4.5};
	std::string_view view = std::string_view("a long text").substr(2, 4);
	std::u16string wide = u"wide";
	int raw[2][2] = {{1, 2}, {3, 4}};
	held(&numbers), held(&words), held(&bits), held(&kinds), held(&rows), held(&queue), held(&chain), held(&forward), held(&fixed), held(&tuple), held(&pair),
		held(&view), held(&wide), held(&raw);
	SAY(numbers, "[%d,%d,%d]", numbers[0], numbers[1], numbers[2]);
	SAY(words, "[\"%s\",\"%s\"]", words[0].c_str(), words[1].c_str());
	SAY(bits, "[true,false,true,true]");
	SAY(kinds, "[\"Round\",\"Square\"]");
	SAY(rows, "[[1],[],[2,3]]");
	SAY(queue, "[%d,%d,%d]", queue[0], queue[1], queue[2]);
	SAY(chain, "[0.5,-1.5]");
	SAY(forward, "[8,9]");
	SAY(fixed, "[-1,0,1]");
	SAY(tuple, "[1,\"in a tuple\",2]");
	SAY(pair, "{\"first\":3,\"second\":4.5}");
	SAY(view, "\"%.*s\"", (int)view.size(), view.data());
	SAY(wide, "\"wide\"");
	SAY(raw, "[[1,2],[3,4]]");
	maps();
	sink += numbers[0] + words.size() + queue.size();
}

struct Counter {
	int count = 10;
	KEEP void add(int n, const Config &c) {
		int before = count;
		count += n;
		held(&before);
		SAY(n, "%d", n);
		SAY(before, "%d", before);
		SAY(c, "{\"host\":\"%s\",\"ports\":[80,443],\"secure\":true}", c.host.c_str());
		lists();
		sink += before;
	}
};

KEEP static void classes(const shapes::Square &square, shapes::Box<double, 3> box, std::string text, long double wide) {
	shapes::Kind kind = square.kind;
	auto add = [n = square.side](int x) { return x + n; };
	int total = 0;
	for (int i = 0; i < 4; i++) total += add(i);
	Counter counter;
	held(&kind), held(&total), held(&counter);
	SAY(box, "{\"content\":[%g,%g,%g]}", box.content[0], box.content[1], box.content[2]);
	SAY(text, "\"%s\"", text.c_str());
	SAY(wide, "%g", (double)wide);
	SAY(kind, "\"Square\"");
	SAY(total, "%d", total);
	counter.add(5, config);
	sink += total + counter.count + (int)box.sum() + (int)wide;
}

int shapes::Square::*member = &shapes::Square::side, shapes::Square::*nomember = nullptr;

int main() {
	std::printf("-\tmember\t%ld\n-\tnomember\tnull\n", *(long *)&member);
	std::printf("-\tconfig\t{\"host\":\"localhost\",\"ports\":[80,443],\"secure\":true}\n-\tshapes::Square::made\t31\n");
	shapes::Square square(3);
	auto made = std::make_unique<shapes::Square>(9);
	second_base = made.get();
	figure = std::move(made);
	std::printf("-\tfigure->side\t9\n-\tfigure->kind\t\"Square\"\n-\tfigure->name\t\"named\"\n-\tsecond_base->name\t\"named\"\n");
	classes(square, {{0.5, 1, -2}}, std::string(30, 't'), 0.75L);
	return sink;
}
