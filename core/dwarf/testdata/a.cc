#include "shape.h"
namespace app {
extern Shape other;
Shape shape = {{"circle", Colour::green}, {{3, -4, 5, -6}, {70000, 8, 1, 2}}, {0x123456789a}, &other, {{1, 2, 3, 4}, &shape.corner[1]}};
Box<Point, 2> box = {{{11, 12, 3, 4}, {15, 16, 7, -1}}, &box.list[1]};
}
static int quiet = 42;
extern int twice(app::Shape *s, int n);
extern "C" void _start() {
  int local = twice(&app::shape, quiet);
  app::Point here = {local, 9, 6, -7};
  quiet = here.x;
  __builtin_trap();
}
