// A program whose functions are inlined into each other; see TestMachOInlines.
namespace shapes {
extern int other(int);
template <typename T> struct Box {
  T width, height;
  inline T area() const { return width * height; }
  inline T grow(T by) { return Box{width + by, height + by}.area() + other(by); }
};
static inline __attribute__((always_inline)) int twice(int n) {
  Box<int> b{n, n + 1};
  return b.grow(n) * 2;
}
__attribute__((noinline)) static int hidden(int n) { return twice(n) + twice(n + 3); }
} // namespace shapes

extern "C" int main(int argc, char **) {
  int sum = 0;
  for (int i = 0; i < argc; i++)
    sum += shapes::hidden(i) + shapes::twice(sum);
  auto lambda = [&](int n) __attribute__((noinline)) { return shapes::other(n + sum); };
  return lambda(argc);
}
