#include <bits/stdc++.h>
namespace UNIT_ {
template<class T, int N> struct Box { T v[N]; std::map<int,T> m; T get(int i) const { return v[i]; } };
struct Session { std::string name; std::vector<int> hits; std::unordered_map<std::string, std::unique_ptr<Box<long,3>>> boxes; int id; };
struct Base { virtual ~Base(); virtual int run(Session&) = 0; };
Base::~Base() {}
#define D(N) struct Derived##N : Base { Box<int,N> b; std::set<std::string> s##N; std::function<int(int)> f; \
  int run(Session& s) override { int sum = N; for (auto& h : s.hits) { auto g = [&](int q){ int t = q * N; return t + sum; }; sum += g(h); b.m[h] = sum; } \
  std::sort(s.hits.begin(), s.hits.end(), [](int a, int c){ return a % N < c % N; }); s##N.insert(s.name); f = [this](int x){ return b.get(0) + x; }; return sum + f(3); } };
D(1) D(2) D(3) D(4) D(5) D(6) D(7) D(8) D(9) D(10)
Session global_session;
static int counter = 5;
int work(Session& s, int n) {
  std::unique_ptr<Base> all[] = { std::make_unique<Derived1>(), std::make_unique<Derived2>(), std::make_unique<Derived3>(), std::make_unique<Derived4>(), std::make_unique<Derived5>(), std::make_unique<Derived6>(), std::make_unique<Derived7>(), std::make_unique<Derived8>(), std::make_unique<Derived9>(), std::make_unique<Derived10>() };
  int total = n + counter++;
  for (auto& a : all) total += a->run(s);
  std::regex re("a+b"); std::smatch m; if (std::regex_search(s.name, m, re)) total++;
  std::deque<Session> dq; dq.emplace_back(); std::list<std::string> l{"a","b"}; std::optional<std::variant<int,std::string>> ov; ov = std::string("x");
  std::stringstream ss; ss << total << s.name; std::future<int> fu = std::async(std::launch::deferred, [&]{ return total; });
  return total + fu.get() + (int)l.size() + (int)dq.size();
}
}
extern "C" int part_UNIT_(int n) { UNIT_::Session s; s.name = "UNIT_"; s.hits = {3,1,2}; s.id = n; int local = UNIT_::work(s, n); if (n < 0) { abort(); } return local; }
