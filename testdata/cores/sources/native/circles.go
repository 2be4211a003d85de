// Command circles has goroutines wait for each other, and one wait for a lock that another will give back. It is killed
// from outside, by SIGABRT. Each waits for this, and has locked that:
//
//	keep     has locked journal in line 24 and waits in enter for ledger
//	report   has locked ledger in line 36 and waits for journal
//	hand     has locked box in line 50 and waits to send on box.c
//	take     waits for box, and would receive from box.c
//	patient  waits for shop, which slow has locked, who sleeps: no circle
package main

import (
	"os"
	"sync"
	"time"
)

var journal, ledger sync.Mutex

var started sync.WaitGroup

//go:noinline
func keep() {
	defer journal.Unlock()
	journal.Lock()
	meet()
	enter()
}

//go:noinline
func enter() {
	ledger.Lock()
	ledger.Unlock()
}

func report() {
	ledger.Lock()
	meet()
	journal.Lock()
	journal.Unlock()
	ledger.Unlock()
}

type box struct {
	name string
	sync.Mutex
	c chan int
}

func (b *box) hand() {
	b.Lock()
	meet()
	b.c <- 1
	b.Unlock()
}

func (b *box) take() {
	meet()
	b.Lock()
	<-b.c
	b.Unlock()
}

type shop struct{ sync.RWMutex }

func (s *shop) slow() {
	s.Lock()
	meet()
	time.Sleep(time.Hour)
	s.Unlock()
}

func (s *shop) patient() {
	meet()
	s.RLock()
	s.RUnlock()
}

// meet waits until all have begun.
func meet() {
	started.Done()
	started.Wait()
}

func main() {
	b, s := &box{name: "letters", c: make(chan int)}, &shop{}
	started.Add(6)
	for _, f := range []func(){keep, report, b.hand, b.take, s.slow, s.patient} {
		go f()
	}
	time.Sleep(300 * time.Millisecond)
	os.Stdout.WriteString("ready\n")
	time.Sleep(time.Hour)
}
