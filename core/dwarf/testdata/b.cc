#include "shape.h"
namespace app {
extern Shape shape;
Shape other = {{"square", Colour::blue}, {{-3, 4, 2, 6}, {9, 10, 0, -16}}, {7}, &shape, {{9, 8, 7, 6}, &shape.corner[0]}};
Box<Shape *, 3> shapes = {{&shape, &other, 0}, &shapes.list[2]};
}
static long quiet = -43;
int twice(app::Shape *s, int n) {
  long sum = n * 2 + s->corner[0].x + quiet - quiet;
  return sum;
}
