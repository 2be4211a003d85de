// Values of all shapes of D. kinds-d.values says what each holds. It aborts.
module kinds;
import core.stdc.stdlib : abort;
import std.stdio;
import std.typecons : Tuple, tuple, Nullable;
import std.container.array : Array;
import std.range : iota;
import std.datetime : Duration, seconds, msecs;

enum Tone : string { low = "bass", high = "treble" }
enum Bits : ubyte { none = 0, a = 1, b = 2, all = 3 }
enum Ratio : double { half = 0.5, whole = 1.0 }
struct Box(T, int n = 2) { T[n] items; T spare; }
struct Pair { int a; string b; }
union Word { uint whole; ubyte[4] bytes; float real_; }
interface Shape { double area(); }
class Base { int id = 1; string name = "base"; double area() { return 0; } }
class Circle : Base, Shape
{
    double radius = 2;
    int[string] tags;
    override double area() { return radius; }
}
class Node(T) { T value; Node!T next; this(T v, Node!T n) { value = v; next = n; } }
struct BitField { import std.bitmanip : bitfields; mixin(bitfields!(uint, "x", 3, int, "y", 5)); }
struct Outer
{
    Pair pair; Pair* link; int[] list; Box!(short, 3) box; Tone tone; char[2] two;
    struct Deep { long q; } Deep deep;
}
struct Aligned { align(16) int a; byte b; }
struct Ranged { int cur, end; bool empty() const { return cur >= end; } int front() const { return cur; } void popFront() { cur++; } }

__gshared int counter = 5;
__gshared string label = "global";
__gshared int[3] table = [1, 2, 3];
int tls = 7;
immutable string constant = "immutable";
enum manifest = 12;

extern (C) int c_function(int x) { return x + 1; }
alias Cb = int function(int);
alias Dg = int delegate(int);

void survey(T)(T generic, ref int byRef, out double res, in char[] text, lazy int later, const Pair pair, Shape shape, Base base, int[] rest...)
{
    byte i8 = -8; ubyte u8 = 250; short i16 = -3000; ushort u16 = 65000; int i32 = -5; uint u32 = 4_000_000_000; long i64 = long.min; ulong u64 = ulong.max;
    float f32 = 0.25; double f64 = -1.5; real f80 = 2.75; char c8 = 'c'; wchar c16 = 'w'; dchar c32 = 'd'; bool no = false;
    Tone tone = Tone.high; Bits bits = Bits.b; Ratio ratio = Ratio.half;
    Box!int box; box.items[] = 3; box.spare = 4;
    Box!(string, 1) sbox; sbox.items[0] = "in box";
    Word word; word.whole = 0x01020304;
    Circle circle = new Circle; circle.tags = ["one": 1];
    Base upcast = circle; Base nothing;
    Shape iface = circle;
    auto node = new Node!int(1, new Node!int(2, null));
    Outer outer; outer.pair = Pair(1, "one"); outer.link = &outer.pair; outer.list = [4, 5]; outer.two = "ab"; outer.deep.q = 6; outer.tone = Tone.low;
    Aligned al; al.a = 1; al.b = 2;
    Ranged range = Ranged(1, 4);
    int[string] map = ["x": 10]; string[int] rev = [3: "three"]; double[] emptyD; int[int] noMap;
    int[2][3] matrix; matrix[1][1] = 5; int[][2] jag; jag[0] = [1]; jag[1] = [2, 3];
    string utf = "größe"; const(char)* cstr = "cstring"; void[] blob = new int[1]; void* raw = &i32; int* ptr = &i32;
    Cb fp = (int x) => x; Dg dg = (int x) => x + i32; auto ext = &c_function;
    Tuple!(int, string) tup = tuple(7, "seven"); Nullable!int maybe = 3; Nullable!int never;
    auto r = iota(0, 3); Duration dur = 5.seconds; Array!int arr = Array!int(1, 2, 3);
    immutable int[] imm = [1, 2]; string[] words = ["a", "", "c"]; wstring w = "w16"w; dstring d = "d32"d; char[4] fixed = "four"; ubyte[] slice = [1, 2, 3, 4]; ubyte[] mid = slice[1 .. 3];
    byte[16] vec; creal_ cz = creal_(1, 2); Object o = circle; int[] big = new int[5]; big[4] = 9; Pair[] pairs = [Pair(1, "p"), Pair(2, "q")]; Pair* pp = &pairs[1]; int*[2] ptrs = [ptr, null];
    byRef++; res = 0.5;
    int inner(int k)
    {
        int own = k + i32;
        counter++;
        stdout.flush();
        if (own < 100) abort();
        return own;
    }
    inner(2);
    writeln(i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, f80, c8, c16, c32, no, tone, bits, ratio, box, sbox, word.whole, circle.id, upcast.id, nothing is null, iface.area,
        node.value, outer, al, range, map, rev, emptyD, noMap, matrix, jag, utf, *cstr, blob, *ptr, fp(1), dg(1), ext(1), tup, maybe, never, r, dur, imm, words, w, d, fixed, mid, vec, cz, o, big, pairs, *pp, raw, generic, text, later, pair, shape.area, base.id, rest, ptrs);
}
struct creal_ { double re, im; }
void main()
{
    int x = 5; double y;
    survey!long(77, x, y, "text arg", x + 1, Pair(9, "nine"), new Circle, new Circle, 1, 2, 3);
}
