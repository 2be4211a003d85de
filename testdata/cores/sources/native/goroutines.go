// goroutines: some hundred goroutines, each kind of which waits for something else, runs, can run or is
// in a call. The process then dies as its first argument says, "panic", "quit" or "late": with
// GOTRACEBACK=crash Go's runtime writes the stacks of all goroutines before, which is the truth. After
// "late" most have waited for more than a minute. Built from Go 1.16 on.
package main

import (
	"context"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const each = 9

var (
	never     = make(chan int)
	full      = make(chan string)
	mutex     sync.Mutex
	readWrite sync.RWMutex
	group     sync.WaitGroup
	cond      = sync.NewCond(&sync.Mutex{})
	once      sync.Once
	begun     int32
	spins     int64
	none      chan int
	pipes     [2]int
	listener  net.Listener
	kinds     []func(n int)
	kept      []interface{}
)

type server struct{ name string }

//go:noinline
func (s *server) handle(n int) {
	begin()
	<-never
	use(s, n)
}

func (s server) byValue(n int) { s.deeper(n, s.name) }

//go:noinline
func (s server) deeper(n int, what string) {
	begin()
	select {
	case <-never:
	case full <- what:
	case <-time.After(time.Hour):
	}
	use(s, n)
}

// begin counts the goroutines that have come as far as they go; it is put in the place of its calls.
func begin() { atomic.AddInt32(&begun, 1) }

// keep keeps what would be closed when nothing refers to it any more.
func keep(x interface{}) {
	cond.L.Lock()
	defer cond.L.Unlock()
	kept = append(kept, x)
}

//go:noinline
func use(...interface{}) {}

//go:noinline
func recurse(depth, n int) int {
	if depth == 0 {
		begin()
		<-never
		return n
	}
	return recurse(depth-1, n) + 1
}

//go:noinline
func grow(depth int, room [256]byte) int {
	if depth == 0 {
		begin()
		time.Sleep(time.Hour)
		return 0
	}
	room[depth%256]++
	return grow(depth-1, room) + int(room[0])
}

// inlined waits in what is put in the place of its call.
func inlined(c chan int) int { return within(c) + 1 }

func within(c chan int) int {
	begin()
	return <-c
}

//go:noinline
func deferred(n int) {
	defer func() {
		begin()
		<-never
		use(n)
	}()
	panicking(n)
}

//go:noinline
func panicking(n int) { panic("in goroutine " + strconv.Itoa(n)) }

//go:noinline
func exiting(n int) {
	defer func() {
		begin()
		<-never
		use(n)
	}()
	runtime.Goexit()
}

func spin(n int) {
	begin()
	for {
		spins += int64(n)
	}
}

func read(fd int) {
	begin()
	syscall.Read(fd, make([]byte, 1))
	use(fd)
}

type caller interface{ handle(int) }

func kindsOf() []func(n int) {
	return []func(n int){
		func(n int) { begin(); <-never },
		func(n int) { begin(); full <- "sent" },
		func(n int) { begin(); <-none },
		func(n int) { begin(); none <- n },
		func(n int) { begin(); select {} },
		func(n int) {
			begin()
			for x := range never {
				use(x)
			}
		},
		(&server{"handled"}).handle,
		func(n int) { caller(&server{"by interface"}).handle(n) },
		server{"by value"}.byValue,
		func(n int) { begin(); mutex.Lock() },
		func(n int) { begin(); readWrite.RLock() },
		func(n int) { begin(); readWrite.Lock() },
		func(n int) { begin(); group.Wait() },
		func(n int) { cond.L.Lock(); begin(); cond.Wait() },
		func(n int) { once.Do(func() { begin(); <-never }); begin(); <-never },
		func(n int) { begin(); time.Sleep(time.Hour) },
		func(n int) { begin(); <-time.NewTimer(time.Hour).C },
		func(n int) { recurse(n*7, n) },
		func(n int) { grow(n*20, [256]byte{}) },
		func(n int) { use(inlined(never)) },
		deferred, exiting,
		func(n int) { runtime.LockOSThread(); begin(); <-never },
		func(n int) {
			c, err := net.Dial("tcp", listener.Addr().String())
			must(err)
			keep(c)
			begin()
			c.Read(make([]byte, 1))
		},
		func(n int) {
			r, w, err := os.Pipe()
			must(err)
			keep(w)
			begin()
			r.Read(make([]byte, 1))
		},
		func(n int) {
			pprof.Do(context.Background(), pprof.Labels("kind", "labelled", "number", strconv.Itoa(n)), func(context.Context) { begin(); <-never })
		},
		func(n int) {
			go func() { go func() { begin(); <-never }(); begin(); <-never }()
			begin()
			<-never
		},
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	runtime.GOMAXPROCS(4)
	debug.SetGCPercent(-1)
	var err error
	listener, err = net.Listen("tcp", "127.0.0.1:0")
	must(err)
	must(syscall.Pipe(pipes[:]))
	mutex.Lock()
	readWrite.Lock()
	group.Add(1)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			keep(c)
		}
	}()
	kinds = append(kinds, kindsOf()...)
	for n := 1; n <= each; n++ {
		for _, f := range kinds {
			go f(n)
		}
	}
	for i := 0; i < 3; i++ {
		go read(pipes[0])
	}
	for i := 0; i < 20; i++ { // those that end leave their gs
		go func() { use(i) }()
	}
	// Those of once wait for the first of them, and those of the one before last make two more.
	for want := int32(each*(len(kinds)+2) - (each - 1) + 3); atomic.LoadInt32(&begun) < want; {
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(200 * time.Millisecond)
	runtime.GC() // notes how long they wait
	if os.Args[1] == "late" {
		time.Sleep(64 * time.Second)
		runtime.GC()
	}
	for i := 0; i < 2; i++ {
		go spin(i)
	}
	time.Sleep(200 * time.Millisecond)
	if os.Args[1] == "panic" {
		var p *server
		p.name = "nobody"
	}
	syscall.Kill(syscall.Getpid(), syscall.SIGQUIT)
	time.Sleep(time.Hour)
}
