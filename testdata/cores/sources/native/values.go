// values calls a chain of functions with variables of all kinds of Go, each of which writes down what
// its variables hold, as JSON, before it calls the next; the last one panics. A goroutine besides them
// stays in a system call. Of what JSON has no word for: a complex number and a time are texts, a
// function is its name, a pointer its address, a channel what is in its buffer.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/url"
	"os"
	"reflect"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

type color uint8

const (
	red color = iota + 1
	green
	blue
)

const (
	limit  = 4096
	prompt = "a constant text"
)

type celsius float64
type words []string
type point struct{ X, Y int32 }
type base struct {
	ID   int64
	Name string
}
type middle struct {
	base
	*point
	Depth int8
}
type derived struct {
	middle
	Extra  [2]point
	Inner  struct{ A, B bool }
	hidden string
	_      [0]func()
}
type empty struct{}
type padded struct {
	Small int8
	Large int64
	Last  bool
}
type node struct {
	Value int
	Next  *node
}
type shape interface{ area() float64 }
type square struct{ Side float64 }
type pair[K comparable, V any] struct {
	Key K
	Val V
}
type stack[T any] struct {
	Items []T
	Top   *T
}
type tree[T any] struct {
	Left, Right *tree[T]
	Val         T
}
type failure struct {
	Code int
	Err  error
}

func (s square) area() float64   { return s.Side * s.Side }
func (p *point) area() float64   { return float64(p.X) * float64(p.Y) }
func (c celsius) area() float64  { return float64(c) }
func (f *failure) Error() string { return "failure " + strconv.Itoa(f.Code) }

var (
	Int     = -42
	Uint    = uint64(math.MaxUint64)
	Ratio   = -0.125
	Text    = "global, with \"quotes\" and ümlauts"
	Blank   string
	List    = []int16{1, -2, 3}
	Array   = [2][3]uint8{{1, 2, 3}, {4, 5, 6}}
	Names   = map[string]int{"one": 1, "two": 2, "three": 3}
	ByNum   = map[int32]string{}
	None    map[string]int
	Struct  = derived{middle{base{7, "seven"}, &point{70, 71}, 3}, [2]point{{1, 2}, {3, 4}}, struct{ A, B bool }{true, false}, "hidden", [0]func(){}}
	Pointer = &Struct
	Face    any
	Shape   shape = &point{2, 3}
	Err     error = &failure{5, io.EOF}
	Paint         = blue
	Warm          = celsius(36.6)
	When          = time.Date(2024, 2, 29, 12, 34, 56, 789000000, time.UTC)
	Wait          = 90 * time.Second
	Zero    time.Time
	Pipe    = make(chan string, 3)
	Call    = strings.ToUpper
	Nobody  func()
	Pair    = pair[string, int]{"k", 9}
	Generic = stack[pair[string, int]]{}
	one     = 1 // which the compiler does not know to stay so
	sink    any
)

// plain returns a value as it is written: of each kind what is the same in JSON.
func plain(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Invalid:
		return "null"
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		return number(v.Float(), v.Type().Bits())
	case reflect.Complex64, reflect.Complex128:
		c, bits := v.Complex(), v.Type().Bits()/2
		return strconv.Quote(strings.Trim(number(real(c), bits), `"`) + " + " + strings.Trim(number(imag(c), bits), `"`) + "i")
	case reflect.String:
		return strconv.Quote(v.String())
	case reflect.Slice, reflect.Array:
		list := []string{}
		for i := 0; i < v.Len(); i++ {
			list = append(list, plain(v.Index(i)))
		}
		return "[" + strings.Join(list, ",") + "]"
	case reflect.Map:
		list := []string{}
		for _, k := range v.MapKeys() {
			list = append(list, strconv.Quote(strings.Trim(plain(k), `"`))+":"+plain(v.MapIndex(k)))
		}
		sort.Strings(list)
		if v.IsNil() {
			return "null"
		}
		return "{" + strings.Join(list, ",") + "}"
	case reflect.Struct:
		if v.Type() == reflect.TypeOf(time.Time{}) {
			return strconv.Quote((*(*time.Time)(v.Addr().UnsafePointer())).UTC().Format(time.RFC3339Nano))
		}
		list := []string{}
		for i := 0; i < v.NumField(); i++ {
			list = append(list, strconv.Quote(v.Type().Field(i).Name)+":"+plain(v.Field(i)))
		}
		return "{" + strings.Join(list, ",") + "}"
	case reflect.Interface:
		if e := v.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() {
			return plain(e.Elem()) // of which the value is shown
		}
		return plain(reachable(v.Elem()))
	case reflect.Func:
		if v.IsNil() {
			return "null"
		}
		return strconv.Quote(runtime.FuncForPC(v.Pointer()).Name())
	case reflect.Pointer, reflect.UnsafePointer:
		if v.IsNil() {
			return "null"
		}
		return strconv.Quote(fmt.Sprintf("%#x", v.Pointer()))
	}
	panic("a value of " + v.Type().String())
}

func number(f float64, bits int) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return strconv.Quote(strconv.FormatFloat(f, 'g', -1, bits))
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

// reachable returns a copy of a value that has an address.
func reachable(v reflect.Value) reflect.Value {
	if !v.IsValid() {
		return v
	}
	x := reflect.New(v.Type()).Elem()
	x.Set(v)
	return x
}

// say writes down what a variable holds, queued what is in a channel.
func say(function, name string, value any) {
	fmt.Printf("%s\t%s\t%s\n", function, name, plain(reachable(reflect.ValueOf(value))))
}

func queued(function, name string, values ...any) {
	list := []string{}
	for _, v := range values {
		list = append(list, plain(reachable(reflect.ValueOf(v))))
	}
	fmt.Printf("%s\t%s\t[%s]\n", function, name, strings.Join(list, ","))
}

//go:noinline
func keep(values ...any) { sink = values }

//go:noinline
func numbers(b bool, i8 int8, u8 uint8, i16 int16, u16 uint16, i32 int32, u32 uint32, i64 int64, u64 uint64, f32 float32, f64 float64) {
	i, u, ptr := -one*5, uint(one)<<40, uintptr(one)<<20
	c64, c128 := complex(float32(one)+0.5, -2.25), complex(float64(one)/3, 1e300)
	inf, nan, negative := math.Inf(one), math.Log(float64(-one)), math.Copysign(0, -float64(one))
	letter, byt, hue, warmth := 'ß'+rune(one)-1, byte('A'+one-1), color(one)+1, celsius(one)*1.5
	const f = "main.numbers"
	for _, x := range []struct {
		name  string
		value any
	}{{"b", b}, {"i8", i8}, {"u8", u8}, {"i16", i16}, {"u16", u16}, {"i32", i32}, {"u32", u32}, {"i64", i64}, {"u64", u64},
		{"f32", f32}, {"f64", f64}, {"i", i}, {"u", u}, {"ptr", ptr}, {"c64", c64}, {"c128", c128}, {"inf", inf}, {"nan", nan},
		{"negative", negative}, {"letter", letter}, {"byt", byt}, {"hue", hue}, {"warmth", warmth}} {
		say(f, x.name, x.value)
	}
	texts("text", "", []byte("bytes"), words{"a", "b"}, strings.Repeat("long ", 30*one))
	keep(b, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, i, u, ptr, c64, c128, inf, nan, negative, letter, byt, hue, warmth)
}

//go:noinline
func texts(s, none string, raw []byte, list words, long string) {
	const f = "main.texts"
	runes, odd, part := []rune("aß€"), "tab\tnul\x00quote\"", long[5:9]
	say(f, "s", s)
	say(f, "none", none)
	say(f, "raw", raw)
	say(f, "list", list)
	say(f, "long", long)
	say(f, "runes", runes)
	fmt.Printf("%s\todd\t%s\n", f, `"tab\tnul\u0000quote\""`)
	say(f, "part", part)
	lists([]int{1, 2, 3, 4, 5}[one:one+2], [3]int64{7, 8, 9}, nil, []point{{1, 2}, {3, 4}}, [][]string{{"x"}, {}, {"y", "z"}})
	keep(s, none, raw, list, long, runes, odd, part)
}

//go:noinline
func lists(slice []int, array [3]int64, none []string, points []point, deep [][]string) {
	const f = "main.lists"
	made, bools, nothing, pointers := make([]uint16, 3, 10), [2]bool{false, one == 1}, []empty{{}, {}}, []*int{nil, &one}
	grid := [2][2]point{{{1, 1}, {1, 2}}, {{2, 1}, {2, int32(one) * 2}}}
	made[one] = 99
	say(f, "slice", slice)
	say(f, "array", array)
	say(f, "none", []string{})
	say(f, "points", points)
	say(f, "deep", deep)
	say(f, "made", made)
	say(f, "bools", bools)
	say(f, "nothing", nothing)
	say(f, "pointers", pointers)
	say(f, "grid", grid)
	maps(map[string]int{"a": 1, "b": 2}, map[int]string{}, nil, map[point]*int{{1, 2}: &one}, map[string][]int{"x": {1}, "y": nil})
	keep(slice, array, none, points, deep, made, bools, nothing, pointers, grid)
}

//go:noinline
func maps(small map[string]int, empties map[int]string, none map[string]bool, keyed map[point]*int, lists map[string][]int) {
	const f = "main.maps"
	big, nested, set := map[uint16]int{}, map[string]map[string]color{"out": {"in": color(one)}}, map[string]struct{}{"only": {}}
	faces, floats := map[string]any{"i": one, "s": "text", "n": nil, "p": point{1, 2}}, map[float64]bool{0.5: true, -2: false}
	wide, gone := map[[2]int64][20]int64{{1, 2}: {3, 4}}, map[string]int{}
	for i := 0; i < 90*one; i++ {
		big[uint16(i*7)] = i
		gone[strconv.Itoa(i)] = i
	}
	for i := 0; i < 80; i++ {
		delete(gone, strconv.Itoa(i))
	}
	say(f, "small", small)
	say(f, "empties", empties)
	say(f, "none", none)
	fmt.Printf("%s\tkeyed\t[[{\"X\":1,\"Y\":2},\"%p\"]]\n", f, &one)
	say(f, "lists", lists)
	say(f, "big", big)
	say(f, "gone", gone)
	say(f, "nested", nested)
	say(f, "set", set)
	say(f, "faces", faces)
	say(f, "floats", floats)
	fmt.Printf("%s\twide\t[[[1,2],%s]]\n", f, plain(reflect.ValueOf(wide[[2]int64{1, 2}])))
	structs(Struct, &derived{Depth(one), [2]point{}, struct{ A, B bool }{}, "", [0]func(){}}, empty{}, struct {
		A int
		B string
	}{one, "b"}, square{float64(one)}, padded{int8(one), 1 << 40, true})
	keep(small, empties, none, keyed, lists, big, gone, nested, set, faces, floats, wide)
}

func Depth(n int) middle { return middle{base{int64(n), "made"}, nil, int8(n)} }

//go:noinline
func structs(d derived, to *derived, nothing empty, anonymous struct {
	A int
	B string
}, single square, apart padded) {
	const f = "main.structs"
	local, list := middle{base{int64(one), "local"}, nil, -1}, &node{1, &node{2, nil}}
	say(f, "d", d)
	say(f, "to", to)
	say(f, "*to", *to)
	say(f, "to.middle.base.Name", to.middle.base.Name)
	say(f, "nothing", nothing)
	say(f, "anonymous", anonymous)
	say(f, "single", single)
	say(f, "apart", apart)
	say(f, "local", local)
	say(f, "list", list)
	say(f, "list.Next.Value", list.Next.Value)
	number := one
	pointers(&number, nil, &list, unsafe.Pointer(&number), &[2]string{"p", "q"})
	keep(d, to, nothing, anonymous, single, apart, local, list, number)
}

//go:noinline
func pointers(p, none *int, double **node, raw unsafe.Pointer, array *[2]string) {
	const f = "main.pointers"
	say(f, "p", p)
	say(f, "*p", *p)
	say(f, "none", none)
	say(f, "double", double)
	say(f, "**double", **double)
	say(f, "raw", raw)
	say(f, "array", array)
	say(f, "*array", *array)
	var typed *point
	faces(one, "text", nil, point{5, 6}, &point{7, 8}, square{1.5}, celsius(20), fmt.Errorf("wrapped: %w", os.ErrNotExist), typed, 'x')
	keep(p, none, double, raw, array)
}

//go:noinline
func faces(number, text, nothing, value, pointer any, area, warm shape, err error, typed, letter any) {
	const f = "main.faces"
	list, slice, table, fn := []any{one, "two", nil, 4.5, point{1, 2}}, any([]int{1, one}), any(map[string]int{"k": one}), any(strings.ToLower)
	simple, big, yes := errors.New("simple"), any(uint64(math.MaxUint64)), any(one == 1)
	generic, path := any(pair[int, string]{one, "generic"}), error(&fs.PathError{Op: "open", Path: "/nowhere", Err: syscall.ENOENT})
	urls, whole := any([]url.URL{{Host: "host", Path: "/p"}}), any(map[string]*url.Error{"none": nil})
	say(f, "number", number)
	say(f, "text", text)
	say(f, "nothing", nothing)
	say(f, "value", value)
	say(f, "pointer", *pointer.(*point))
	say(f, "area", area)
	say(f, "warm", warm)
	fmt.Printf("%s\terr\t{\"msg\":\"wrapped: file does not exist\",\"err\":{\"s\":\"file does not exist\"}}\n", f)
	say(f, "typed", nil)
	say(f, "letter", letter)
	say(f, "list", list)
	say(f, "slice", slice)
	say(f, "table", table)
	say(f, "fn", fn)
	fmt.Printf("%s\tsimple\t{\"s\":\"simple\"}\n", f)
	say(f, "big", big)
	say(f, "yes", yes)
	say(f, "generic", generic)
	fmt.Printf("%s\tpath\t{\"Op\":\"open\",\"Path\":\"/nowhere\",\"Err\":2}\n", f)
	say(f, "urls", urls)
	say(f, "whole", whole)
	c := make(chan int, 4)
	c <- one
	<-c
	c <- 2
	c <- 3
	channels(c, make(chan string), nil, make(<-chan point, 1))
	keep(number, text, nothing, value, pointer, area, warm, err, typed, letter, list, slice, table, fn, simple, big, yes, generic, path, urls, whole)
}

//go:noinline
func channels(buffered chan int, bare chan string, none chan bool, receive <-chan point) {
	const f = "main.channels"
	queued(f, "buffered", 2, 3)
	queued(f, "bare")
	say(f, "none", nil)
	queued(f, "receive")
	count, name := one, "captured"
	functions(strings.ToUpper, nil, func() int { count++; return count + len(name) }, square{2}.area, (&point{2, 2}).area)
	keep(buffered, bare, none, receive, count, name)
}

//go:noinline
func functions(top func(string) string, none func(), closure func() int, method, bound func() float64) {
	const f = "main.functions"
	table := []func(string) string{strings.ToLower, nil}
	say(f, "top", top)
	say(f, "none", none)
	say(f, "closure", closure)
	say(f, "method", method)
	say(f, "bound", bound)
	say(f, "table", table)
	times(time.Unix(1700000000, 123456789), time.Time{}, 1500*time.Millisecond, time.March, []time.Duration{1, time.Hour})
	keep(top, none, closure, method, bound, table)
}

//go:noinline
func times(unix, zero time.Time, wait time.Duration, month time.Month, waits []time.Duration) {
	const f = "main.times"
	old := time.Date(1066, 10, 14, 9, 0, 0, 5, time.UTC)
	zone := time.Date(2024, 7, 1, 8, 0, 0, 0, time.FixedZone("here", 7200*one))
	now := time.Now()
	say(f, "unix", unix)
	say(f, "zero", zero)
	say(f, "wait", wait)
	say(f, "month", month)
	say(f, "waits", waits)
	say(f, "old", old)
	say(f, "zone", zone)
	say(f, "now", now)
	sum([]int64{1, 2, int64(one)}, pair[int64, string]{int64(one), "first"}, "extra")
	late := []int{one * 77}
	keep(unix, zero, wait, month, waits, old, zone, now, late)
}

//go:noinline
func sum[T int64 | float64, U any](list []T, first pair[T, U], extra U) (total T) {
	const f = "main.sum"
	for _, x := range list {
		total += x
	}
	leaf := &tree[T]{nil, nil, list[one]}
	say(f, "list", list)
	say(f, "first", first)
	say(f, "extra", extra)
	say(f, "total", total)
	say(f, "leaf.Val", leaf.Val)
	(&stack[string]{[]string{"bottom", "top"}, nil}).push("pushed", one)
	keep(list, first, extra, total, leaf)
	return total
}

//go:noinline
func (s *stack[T]) push(item T, times int) {
	const f = "main.(*stack).push"
	for i := 0; i < times; i++ {
		s.Items = append(s.Items, item)
	}
	say(f, "item", item)
	say(f, "times", times)
	say(f, "*s", *s)
	square{3}.measure("metres", one)
	keep(s, item, times)
}

//go:noinline
func (s square) measure(unit string, scale int) (size float64, err error) {
	const f = "main.square.measure"
	size = s.area() * float64(scale)
	say(f, "s", s)
	say(f, "unit", unit)
	say(f, "scale", scale)
	say(f, "size", size)
	inner := func(label string) int {
		const f = "main.square.measure.func1"
		doubled := scale * 2
		say(f, "label", label)
		say(f, "doubled", doubled)
		say(f, "unit", unit)
		small(doubled, label)
		keep(label, doubled, unit)
		return doubled
	}
	sink = inner
	sink.(func(string) int)("label")
	keep(s, unit, scale, size, err)
	return size, err
}

// small is what the compiler puts in the place of its call.
func small(n int, label string) {
	twice := n * 2
	last(twice, label)
}

//go:noinline
func last(twice int, label string) {
	const f = "main.last"
	say(f, "twice", twice)
	say(f, "label", label)
	say("main.small", "twice", twice)
	say("main.small", "n", twice/2)
	say("main.small", "label", label)
	os.Stdout.Sync()
	var p *int
	*p = twice
	keep(twice, label)
}

//go:noinline
func waiting(fd int, name string, list []int, ready chan bool) {
	runtime.LockOSThread()
	const f = "main.waiting"
	doubled := fd * 2
	say(f, "fd", fd)
	say(f, "name", name)
	say(f, "list", list)
	say(f, "doubled", doubled)
	ready <- true
	syscall.Read(fd, make([]byte, 1))
	keep(fd, name, list, doubled, ready)
}

//go:noinline
func parked(name string, number int, done chan int, ready chan bool) {
	const f = "main.parked"
	say(f, "name", name)
	say(f, "number", number)
	ready <- true
	<-done
	keep(name, number)
}

func globals() {
	for i := 0; i < 20*one; i++ {
		ByNum[int32(i)] = strconv.Itoa(i)
	}
	Face = square{float64(one)}
	Generic.Items = []pair[string, int]{{"g", one}}
	Generic.Top = &Generic.Items[0]
	Pipe <- "in"
	Pipe <- "the pipe"
	for _, x := range []struct {
		name  string
		value any
	}{{"Int", Int}, {"Uint", Uint}, {"Ratio", Ratio}, {"Text", Text}, {"Blank", Blank}, {"List", List}, {"Array", Array}, {"Names", Names},
		{"ByNum", ByNum}, {"None", None}, {"Struct", Struct}, {"Pointer", Pointer}, {"*Pointer", *Pointer}, {"Face", Face}, {"Shape", Shape.(*point).copy()},
		{"Paint", Paint}, {"Warm", Warm}, {"When", When}, {"Wait", Wait}, {"Zero", Zero}, {"Call", Call}, {"Nobody", Nobody},
		{"Pair", Pair}, {"Generic", Generic}, {"red", red}, {"green", green}, {"blue", blue}, {"limit", limit}} {
		star := strings.HasPrefix(x.name, "*")
		name := "main." + strings.TrimPrefix(x.name, "*")
		if star {
			name = "*" + name
		}
		say("-", name, x.value)
	}
	queued("-", "main.Pipe", "in", "the pipe")
	sink = Err
	fmt.Printf("-\tmain.Err\t{\"Code\":5,\"Err\":{\"s\":\"EOF\"}}\n")
}

func (p *point) copy() point { return *p }

func main() {
	globals()
	var fds [2]int
	if err := syscall.Pipe(fds[:]); err != nil {
		panic(err)
	}
	ready := make(chan bool)
	go waiting(fds[0], "a goroutine", []int{1, one}, ready)
	<-ready
	go parked("a parked one", 12345*one, make(chan int), ready)
	<-ready
	time.Sleep(50 * time.Millisecond)
	numbers(one == 1, -8, 200, -1600, 60000, -32000000, 4000000000, math.MinInt64, math.MaxUint64, 1.25, math.Pi)
	keep(fds, prompt)
}
