// Command locks has goroutines that wait for locks in many shapes of code. It is killed from outside, by SIGABRT. In these
// functions they wait for each other, or for themselves:
//
//	move                            has locked from, which is the same account as to
//	left, right                     lock two variables in two orders, and never unlock
//	onLeft, onRight                 the same, with lock and unlock on one line
//	(*ring).up, (*ring).down        lock two mutexes of one struct
//	(*cache).get, (*cache).fill     a reader wants to write
//	(*users).join, (*users).leave   two read-write locks of one struct
//	serve.func1, serve.func2        closures with local mutexes
//	eat                             three forks in a slice
//	(*bank).transfer                two embedded mutexes, unlocked by defer
//	(*order).save, (*audit).flush   the locks of callers, which wait in (*audit).note and (*order).sum
//
// In these they wait for a lock whose holder is gone, or sleeps, so that there is no circle:
//
//	worker, (*store).both           has locked another one
//	(*pool).get                     returned an error without unlocking
//	(*row).update, (*table).update  have locked and unlocked others in a loop
//	(*choice).pick, (*choice).other one of two was locked
//	serveLate.func2, first, second  have unlocked another one
//	(*config).write, (*config).show wait for a reader, who sleeps
package main

import (
	"errors"
	"os"
	"sync"
	"time"
)

const turn = 60 * time.Millisecond

type account struct {
	id int
	sync.Mutex
	balance int
}

//go:noinline
func move(from, to *account, n int) {
	from.Lock()
	defer from.Unlock()
	to.Lock()
	defer to.Unlock()
	from.balance -= n
	to.balance += n
}

var a, b, c, d sync.Mutex

//go:noinline
func left() {
	a.Lock()
	time.Sleep(turn)
	b.Lock()
	println("left")
}

//go:noinline
func right() {
	b.Lock()
	time.Sleep(turn)
	a.Lock()
	println("right")
}

//go:noinline
func onLeft() { c.Lock(); time.Sleep(turn); d.Lock(); d.Unlock(); c.Unlock() }

//go:noinline
func onRight() { d.Lock(); time.Sleep(turn); c.Lock(); c.Unlock(); d.Unlock() }

type ring struct {
	head  sync.Mutex
	count int
	tail  sync.Mutex
	size  int
}

//go:noinline
func (r *ring) up() {
	r.head.Lock()
	defer r.head.Unlock()
	time.Sleep(turn)
	r.tail.Lock()
	defer r.tail.Unlock()
	r.size++
}

//go:noinline
func (r *ring) down() {
	r.tail.Lock()
	defer r.tail.Unlock()
	time.Sleep(turn)
	r.head.Lock()
	defer r.head.Unlock()
	r.count++
}

type cache struct {
	mu sync.RWMutex
	m  map[string]int
}

//go:noinline
func (c *cache) get(k string) int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	v, ok := c.m[k]
	if !ok {
		v = c.fill(k)
	}
	return v
}

//go:noinline
func (c *cache) fill(k string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[k] = len(k)
	return len(k)
}

type users struct {
	names, posts sync.RWMutex
	n, p         int
}

//go:noinline
func (u *users) join() {
	u.names.RLock()
	defer u.names.RUnlock()
	time.Sleep(turn)
	u.posts.Lock()
	u.p += u.n
	u.posts.Unlock()
}

//go:noinline
func (u *users) leave() {
	u.posts.RLock()
	defer u.posts.RUnlock()
	time.Sleep(turn)
	u.names.Lock()
	u.n += u.p
	u.names.Unlock()
}

//go:noinline
func serve() {
	var in, out sync.Mutex
	n := 0
	go func() {
		in.Lock()
		time.Sleep(turn)
		out.Lock()
		n++
		out.Unlock()
		in.Unlock()
	}()
	go func() {
		out.Lock()
		time.Sleep(turn)
		in.Lock()
		n--
		in.Unlock()
		out.Unlock()
	}()
	time.Sleep(time.Hour)
	println(n)
}

type fork struct {
	sync.Mutex
	used int
}

//go:noinline
func eat(l, r *fork) {
	for {
		l.Lock()
		time.Sleep(turn)
		r.Lock()
		l.used++
		r.used++
		r.Unlock()
		l.Unlock()
	}
}

type bank struct{ accounts map[int]*account }

func (b *bank) transfer(from, to, n int) error {
	x, y := b.accounts[from], b.accounts[to]
	if x == nil || y == nil {
		return errors.New("no account")
	}
	x.Lock()
	defer x.Unlock()
	time.Sleep(turn)
	y.Lock()
	defer y.Unlock()
	x.balance -= n
	y.balance += n
	return nil
}

type order struct {
	id    int
	mu    sync.Mutex
	total int
	log   *audit
}

type audit struct {
	lines []string
	mu    sync.Mutex
	o     *order
}

//go:noinline
func (o *order) save() {
	o.mu.Lock()
	defer o.mu.Unlock()
	time.Sleep(turn)
	o.log.note("saved")
}

//go:noinline
func (a *audit) note(s string) {
	a.mu.Lock()
	a.lines = append(a.lines, s)
	a.mu.Unlock()
}

//go:noinline
func (a *audit) flush() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	time.Sleep(turn)
	return a.o.sum()
}

//go:noinline
func (o *order) sum() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.total
}

var e, f sync.Mutex

//go:noinline
func gone() { f.Lock() }

//go:noinline
func worker() { e.Lock(); f.Lock(); f.Unlock(); e.Unlock() }

type store struct {
	name        string
	read, write sync.Mutex
	n           int
}

//go:noinline
func (s *store) left() {
	s.write.Lock()
	s.n++
}

//go:noinline
func (s *store) both() {
	s.read.Lock()
	s.write.Lock()
	s.n++
	s.write.Unlock()
	s.read.Unlock()
}

type pool struct {
	mu    sync.Mutex
	items []int
}

//go:noinline
func (p *pool) get() (int, error) {
	p.mu.Lock()
	if len(p.items) == 0 {
		return 0, errors.New("empty")
	}
	v := p.items[0]
	p.items = p.items[1:]
	p.mu.Unlock()
	return v, nil
}

type row struct {
	mu sync.Mutex
	v  int
}

//go:noinline
func (r *row) left() {
	r.mu.Lock()
	r.v++
}

//go:noinline
func (r *row) update(rows []*row) {
	for _, r := range rows {
		r.mu.Lock()
		r.v++
		r.mu.Unlock()
	}
}

type table struct {
	rows []row
	name string
}

//go:noinline
func (t *table) update(from, n int) {
	for i := 0; i < n; i++ {
		k := (from + i) % n
		t.rows[k].mu.Lock()
		t.rows[k].v++
		t.rows[k].mu.Unlock()
	}
}

type choice struct {
	a, b, c sync.Mutex
	n       int
}

//go:noinline
func (s *choice) left() {
	s.b.Lock()
	s.c.Lock()
	s.n--
}

//go:noinline
func (s *choice) pick(second bool) {
	m := &s.a
	if second {
		m = &s.b
	}
	m.Lock()
	s.n++
	s.c.Lock()
	s.n++
	s.c.Unlock()
	m.Unlock()
}

//go:noinline
func (s *choice) other() {
	s.b.Lock()
	s.n--
	s.b.Unlock()
}

//go:noinline
func serveLate() {
	var in, out sync.Mutex
	n := 0
	out.Lock()
	go func() {
		in.Lock()
		n++
		in.Unlock()
		out.Lock()
		n++
		out.Unlock()
	}()
	time.Sleep(turn)
	in.Lock()
	go func() {
		in.Lock()
		n--
		in.Unlock()
	}()
	time.Sleep(time.Hour)
	in.Unlock()
	println(n)
}

var g, h, i sync.Mutex

//go:noinline
func none() { i.Lock() }

//go:noinline
func second() { h.Lock(); time.Sleep(turn); i.Lock(); i.Unlock(); h.Unlock() }

//go:noinline
func first() { g.Lock(); time.Sleep(turn); g.Unlock(); h.Lock(); h.Unlock() }

type config struct {
	mu    sync.RWMutex
	stats sync.Mutex
	n     int
}

//go:noinline
func (c *config) read() {
	c.mu.RLock()
	time.Sleep(time.Hour)
	c.mu.RUnlock()
}

//go:noinline
func (c *config) write() {
	c.stats.Lock()
	c.mu.Lock()
	c.n++
	c.mu.Unlock()
	c.stats.Unlock()
}

//go:noinline
func (c *config) show() {
	c.stats.Lock()
	println(c.n)
	c.stats.Unlock()
}

func main() {
	x := &account{balance: 5}
	go move(x, x, 1)
	go left()
	go right()
	go onLeft()
	go onRight()
	r := &ring{}
	go r.up()
	go r.down()
	k := &cache{m: map[string]int{}}
	go k.get("key")
	u := &users{}
	go u.join()
	go u.leave()
	go serve()
	forks := make([]fork, 3)
	for i := range forks {
		go eat(&forks[i], &forks[(i+1)%3])
	}
	money := &bank{map[int]*account{1: {id: 1}, 2: {id: 2}}}
	go money.transfer(1, 2, 5)
	go money.transfer(2, 1, 7)
	o, l := &order{}, &audit{}
	o.log, l.o = l, o
	go o.save()
	go l.flush()

	gone()
	go worker()
	s := &store{}
	s.left()
	go s.both()
	p := &pool{}
	p.get()
	go p.get()
	one, two := &row{}, &row{}
	two.left()
	go one.update([]*row{one, two})
	go two.update([]*row{two, one})
	t := &table{rows: make([]row, 3)}
	t.rows[1].left()
	go t.update(0, 3)
	go t.update(2, 3)
	some := &choice{}
	some.left()
	go some.pick(false)
	go some.other()
	go serveLate()
	none()
	go second()
	go first()
	all := &config{}
	go all.read()
	time.Sleep(turn)
	go all.write()
	time.Sleep(turn)
	go all.show()
	time.Sleep(4 * turn)
	os.Stdout.WriteString("ready\n")
	time.Sleep(time.Hour)
}
