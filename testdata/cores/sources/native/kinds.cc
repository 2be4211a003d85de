// Values of the containers of a library of C++. kinds-cc.values says what each holds. It aborts.
#include <any>
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <complex>
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
#include <span>
#include <thread>
#include <mutex>
#include <filesystem>
#include <cstdlib>
enum class E : unsigned char { a, b = 7 };
enum F { f1 = 1, f2 = 2, f4 = 4 };
struct P { int x; std::string s; };
struct B { virtual ~B() {} int b = 1; };
struct D : B { int d = 2; };
struct V : virtual B { int v = 3; };
int free_fn(int x) { return x + 1; }
__attribute__((noinline)) int run(const std::string& ref, std::string&& rr, int n, const char* cs, ...) {
  std::string shorts = "short", longs(40, 'x'), empty, u8 = "gr\xc3\xb6\xc3\x9f" "e", nul("a\0b", 3);
  std::wstring ws = L"wide"; std::u16string u16 = u"u16"; std::u32string u32 = U"u32";
  std::string_view sv = "view"; std::span<int> sp; int arr[3] = {1, 2, 3}; sp = arr; std::span<int, 3> fsp(arr);
  std::vector<int> vi = {1, 2, 3}, ve; std::vector<bool> vb = {true, false, true}; std::vector<std::string> vs = {"a", "bb"};
  std::deque<int> dq; for (int i = 0; i < 300; i++) dq.push_back(i); for (int i = 0; i < 295; i++) dq.pop_front();
  std::list<int> li = {4, 5}; std::forward_list<int> fl = {6, 7};
  std::map<std::string, int> m = {{"one", 1}, {"two", 2}}; std::multimap<int, int> mm = {{1, 2}, {1, 3}}; std::set<int> s = {3, 1, 2};
  std::unordered_map<std::string, int> um = {{"k", 9}}; std::unordered_set<int> us = {42}; std::map<int, std::vector<int>> deep = {{1, {2, 3}}};
  std::optional<int> oi = 5, on; std::optional<std::string> os = "opt"; std::variant<int, std::string, double> va = "variant", vd = 2.5;
  std::any an = 7, ae, as = std::string("any string that is long enough");
  std::tuple<int, std::string, char> tu = {1, "t", 'c'}; std::pair<int, double> pa = {1, 2.5};
  std::unique_ptr<P> up(new P{1, "up"}), un; std::shared_ptr<P> shp = std::make_shared<P>(P{2, "sp"}); std::weak_ptr<P> wp = shp; std::unique_ptr<int[]> ua(new int[2]{8, 9});
  std::function<int(int)> fn = free_fn, fl2 = [n](int x) { return x + n; }, fe; int (*fp)(int) = free_fn;
  std::array<int, 3> ar = {1, 2, 3}; std::bitset<10> bs(5); std::complex<double> cx(1, 2); std::atomic<int> at(3);
  std::chrono::milliseconds ms(1500); std::chrono::seconds sec(3); std::chrono::system_clock::time_point tp(std::chrono::seconds(1700000000));
  std::stack<int> st; st.push(1); std::queue<int> qu; qu.push(2); std::priority_queue<int> pq; pq.push(3);
  E e = E::b; F fl3 = F(3); D d; B* bp = &d; V v; int P::*mp = &P::x; std::reference_wrapper<int> rw(arr[1]); std::mutex mu; std::filesystem::path path = "/srv/x";
  std::initializer_list<int> il = {1, 2}; std::vector<std::pair<int, std::string>> vp = {{1, "x"}}; std::unordered_multimap<int, int> umm = {{1, 1}}; std::nullptr_t np = nullptr; __int128 i128 = -5; long double ld = 1.5L; char16_t c16 = u'x'; bool bo = true;
  auto lam = [&n, s2 = shorts](int x) { return x + n + (int)s2.size(); };
  if (n) abort();
  return ref.size() + rr.size() + longs.size() + empty.size() + u8.size() + nul.size() + ws.size() + u16.size() + u32.size() + sv.size() + sp.size() + fsp.size() + vi.size() + ve.size() + vb.size() + vs.size() + dq.size() + li.size() + m.size() + mm.size() + s.size() + um.size() + us.size() + deep.size() + *oi + on.has_value() + os->size() + va.index() + vd.index() + an.has_value() + ae.has_value() + as.has_value() + std::get<0>(tu) + pa.first + up->x + !un + shp->x + wp.use_count() + ua[0] + fn(1) + fl2(2) + !fe + fp(1) + ar[0] + bs.count() + cx.real() + at + ms.count() + sec.count() + tp.time_since_epoch().count() + st.top() + qu.front() + pq.top() + int(e) + fl3 + d.d + bp->b + v.v + (up.get()->*mp) + rw + mu.try_lock() + path.native().size() + il.size() + vp.size() + umm.size() + (np == nullptr) + i128 + ld + c16 + bo + lam(1) + cs[0] + fl.front();
}
int main() { std::string r = "referred"; return run(r, std::string("moved"), 3, "c string"); }
