package main

// goKinds are bugs of Go.
var goKinds = []kind{
	{"nil", "type t^ struct { pad [#]int; v int }\n//go:noinline\nfunc @(n int) int { var p *t^; if zero != 0 { p = new(t^) }; return p.v + n }"},
	{"nil-map", "//go:noinline\nfunc @(n int) int { var m map[string]int; if zero != 0 { m = map[string]int{} }; m[\"@\"] = n + #; return 1 }"},
	{"index", "//go:noinline\nfunc @(n int) int { v := make([]int, # + zero); return v[n + 1000] }"},
	{"slice", "//go:noinline\nfunc @(n int) int { v := make([]int, # + zero); return len(v[n + 1000:]) }"},
	{"divide", "//go:noinline\nfunc @(n int) int { return (n + #) / zero }"},
	{"assertion", "//go:noinline\nfunc @(n int) int { var x any = n + #; if zero != 0 { x = \"@\" }; return len(x.(string)) }"},
	{"closed", "//go:noinline\nfunc @(n int) int { c := make(chan int, #); close(c); c <- n; return 1 }"},
	{"close-nil", "//go:noinline\nfunc @(n int) int { var c chan int; if zero != 0 { c = make(chan int, #) }; close(c); return n }"},
	{"panic", "//go:noinline\nfunc @(n int) int { if zero == 0 { panic(\"cannot @\") }; return n + # }"},
	{"error", "type e^ struct { n int }\nfunc (e e^) Error() string { return \"^\" }\n//go:noinline\nfunc @(n int) int { if zero == 0 { panic(e^{n}) }; return # }"},
	{"nil-func", "var f@ func(int) int\n//go:noinline\nfunc @(n int) int { return f@(n + #) + 1 }"},
	{"recursion", "//go:noinline\nfunc @(n int) int { var room [# + 60]int; room[n%50] = 1; return @(n+1) + room[n%7] }"},
	{"method", "type t^ struct { pad [#]int; v int }\n//go:noinline\nfunc (t *t^) @(n int) int { return t.v + n }\n//go:noinline\nfunc call@(n int) int { var p *t^; if zero != 0 { p = new(t^) }; return p.@(n) + 1 }"},
	{"sort", "//go:noinline\nfunc @(n int) int { v := make([]*int, # + 20); sort.Slice(v, func(i, j int) bool { return *v[i] < *v[j] }); return n }"},
	{"goroutine", "//go:noinline\nfunc @(n int) int { if zero == 0 { panic(\"in a goroutine\") }; return n + # }\n//go:noinline\nfunc start@(n int) int { done := make(chan int); go func() { done <- @(n) }(); return <-done }"},
	{"generic", "//go:noinline\nfunc @[T any](v []T, n int) T { return v[n+1000] }\n//go:noinline\nfunc call@(n int) int { return @(make([]int, #), n) }"},
	{"interface", "type i^ interface { Get(int) int }\nvar v^ i^\n//go:noinline\nfunc @(n int) int { return v^.Get(n) + # }"},
	{"closure", "//go:noinline\nfunc @(n int) int { f := func(p *int) int { return *p + # }; if zero != 0 { f = nil }; return f(nil) + n }"},
	{"negative", "//go:noinline\nfunc @(n int) int { return len(make([]int, zero - n - #)) }"},
	{"atoi", "//go:noinline\nfunc @(n int) int { x, err := strconv.Atoi(\"no number\"); if err != nil { panic(err) }; return x + n + # }"},
}

const goHead = `package main

import (
	"os"
	"runtime/debug"
	"sort"
	"strconv"
	"time"
)

var zero int
var _ = sort.Ints

//go:noinline
func descend(f func(int) int, n int) (r int) {
	if n > 0 {
		r = descend(f, n-1)
	} else {
		r = f(n)
	}
	return r + 1
}

//go:noinline
func fromTimer(f func(int) int, n int) int { return descend(f, n) + 1 }

`

const goTail = `
func main() {
	debug.SetMaxStack(1 << 18)
	depth, _ := strconv.Atoi(os.Args[2])
	threads, _ := strconv.Atoi(os.Args[3])
	for range threads {
		go func() { time.Sleep(time.Hour) }()
	}
	f := map[string]func(int) int{
%s	}[os.Args[1]]
	switch os.Args[4] {
	case "0":
		println(fromTimer(f, depth))
	case "1":
		defer println("done")
		println(func(n int) int { return descend(f, n) + 1 }(depth))
	case "2":
		done := make(chan int)
		go func() { done <- descend(f, depth) }()
		println(<-done)
	default:
		println(f(depth))
	}
}
`
