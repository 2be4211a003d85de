// Types that two units share. What each value is is written in a.cc and b.cc.
namespace app {
enum class Colour : unsigned char { red = 1, green = 5, blue = 9 };
struct Point { int x; short y; unsigned flags : 3; signed low : 5; };
struct Named { const char *name; Colour colour; };
struct Shape : Named {
  Point corner[2];
  union { long whole; double part; } size;
  Shape *next;
  struct Extra { unsigned char bytes[4]; Point *at; } extra;
};
template <typename T, int N> struct Box { T list[N]; T *first; };
}
