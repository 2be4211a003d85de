# Variables of Nim. It aborts in a procedure.
type
  Color = enum red, green, blue
  Point = object
    x, y: float
  Shape = ref object of RootObj
    id: int
    name: string
  Circle = ref object of Shape
    radius: float
proc c_abort() {.importc: "abort", header: "<stdlib.h>".}
var counter = 5
var words = @["a", "bc"]
proc ship(n: int, s: string, p: Point, c: Color, xs: seq[int], sh: Shape): int =
  var local = n + 1
  var arr = [1, 2, 3]
  var st = {red, blue}
  var tup = (1, "two")
  var ok = true
  var ch = 'q'
  var f = 0.5
  var i8 = -7'i8
  var u64 = 18446744073709551615'u64
  var nilref: Shape = nil
  var empty: seq[int] = @[]
  counter += local
  if counter > 0: c_abort()
  echo local, arr, st, tup, ok, ch, f, i8, u64, nilref.isNil, empty, s, p, c, xs, sh.id
  result = local
discard ship(3, "hello", Point(x: 1, y: 2), blue, @[7, 8, 9], Circle(id: 4, name: "circ", radius: 2.5))
