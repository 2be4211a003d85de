package golang

import (
	"errors"
	"fmt"
	"time"

	"coredbg/core"
)

const (
	// maxRoom bounds the room that is made for the number of goroutines that the core claims.
	maxRoom = 1 << 17
	// maxBroken is how many of them may be unreadable before the list is taken for broken.
	maxBroken = 1 << 10
	// easeEvery is the number of goroutines after which the memory read from the core is released, if there is
	// much of it.
	easeEvery = 1 << 12
)

// An allGoroutines is all goroutines of a process, as read once.
type allGoroutines struct {
	list   []*Goroutine
	stacks []span                   // by address
	at     map[core.Addr]*Goroutine // by the address of the g
	last   time.Duration            // the latest time of the runtime's clock that it has noted
}

// A goroutineReader reads goroutines one after the other.
type goroutineReader struct {
	*scheduler
	rooms []goroutineRoom
}

var (
	errBroken = errors.New("the list of goroutines is broken")
	errMany   = errors.New("the list of goroutines is longer than any can be")
)

// read reads all goroutines, and tries whether they can be what they seem, and where there are stacks.
func (s *goroutineReader) read() (all allGoroutines, err error) {
	if s.count > maxGoroutines {
		return all, fmt.Errorf("%w: %d", errMany, s.count)
	}
	c := s.t.Process.Cursor()
	room := min(s.count, maxRoom)
	ids, broken := make(map[uint64]bool, room), 0 // ids of those alive
	all.at = make(map[core.Addr]*Goroutine, room)
	all.list = make([]*Goroutine, 0, room)
	var last time.Duration
	var running []core.Addr
	for i := range core.Addr(s.count) {
		if i%easeEvery == easeEvery-1 {
			s.t.Process.Space.Ease()
		}
		at := c.Pointer(s.all + i*s.word)
		if err := c.Reset(); err != nil {
			return all, fmt.Errorf("of %d goroutines %d are known: %w", s.count, len(all.list), err)
		}
		g, latest, err := s.goroutine(at)
		if err == nil && all.at[at] != nil {
			err = fmt.Errorf("%w: %v is in it twice", errBroken, at)
		}
		if err != nil {
			if broken++; broken > maxBroken || uint64(broken) == s.count {
				return all, err
			}
			g = &Goroutine{Addr: at, Status: "?", Err: err}
			all.list, all.at[at] = append(all.list, g), g
			continue
		}
		if !g.Dead() {
			if ids[g.ID] && g.Err == nil {
				g.Err = fmt.Errorf("another has the id %d, too", g.ID)
			}
			ids[g.ID] = true
		}
		all.at[at] = g
		last = max(last, latest)
		if g.M != 0 {
			running = append(running, g.M)
		}
		all.list = append(all.list, g)
	}
	machines := s.allMachines(running)
	last = max(last, s.latest(machines))
	all.last = last
	for _, g := range all.list {
		if g.Since > 0 && (g.Status == statuses[statusWaiting] || g.Status == statuses[statusSyscall]) {
			g.Waited = last - g.Since
		}
	}
	all.stacks = s.stacksOf(all.list, machines)
	return all, nil
}

// goroutine reads the g at an address. Latest is the latest time that it has noted.
func (s *goroutineReader) goroutine(at core.Addr) (g *Goroutine, latest time.Duration, err error) {
	c, f := s.c, &s.fields
	c.Reset()
	word := func(f slot) core.Addr {
		if !f.known {
			return 0
		}
		return c.Pointer(at + f.off)
	}
	long := func(f slot) uint64 {
		if !f.known {
			return 0
		}
		return c.U64(at + f.off)
	}
	read := Goroutine{Addr: at, Low: word(f.low), High: word(f.high), ID: long(f.id), Creator: word(f.creator),
		Start: word(f.start), Parent: long(f.parent),
		M: word(f.m), LockedM: word(f.lockedM), Panic: word(f.panic), Since: time.Duration(long(f.since))}
	status, reason, labels := c.U32(at+f.status.off), uint8(0), word(f.labels)
	if f.reason.known {
		reason = c.U8(at + f.reason.off)
	}
	latest = max(read.Since, time.Duration(long(f.tracking)), time.Duration(long(f.runnable)))
	if err := c.Reset(); err != nil {
		return nil, 0, err
	}
	read.Scan = status&statusScan != 0
	status &^= statusScan
	if status >= uint32(len(statuses)) || at&(s.word-1) != 0 {
		return nil, 0, fmt.Errorf("%v is not a goroutine: its status is %d", at, status)
	}
	read.Status = statuses[status]
	if status == statusWaiting || status == statusLeaked {
		read.Reason = s.reason(reason)
	}
	if read.Dead() {
		dead := read
		return &dead, latest, nil
	}
	room := s.room()
	room.g, room.thread.Task = read, &room.task
	g = &room.g
	s.machines(g, status)
	g.resume = &room.thread
	s.goesOn(&g.resume.Regs, at, status)
	g.Labels = labelReader{s.t.Process, s.word}.labels(labels)
	if g.Thread == nil && status == statusRunning && g.Err == nil {
		g.Err = fmt.Errorf("its thread, of the m at %v, is not in the core", g.M)
	}
	sp, ok := g.resume.Regs.Get(s.t.Process.Arch.SP)
	if low, high := g.Low, g.High; g.Thread == nil && g.Err == nil && (!ok || low >= high || core.Addr(sp) < low ||
		core.Addr(sp) > high) {
		g.Err = fmt.Errorf("it goes on at %#x, which is not on its stack from %v to %v", sp, low, high)
	}
	return g, latest, nil
}

// machines finds the threads of a goroutine: the m that it has must have it.
func (s *scheduler) machines(g *Goroutine, status uint32) {
	c := s.c
	thread := func(m core.Addr) *core.Thread {
		id := c.U64(m + s.m["procid"].off)
		if c.Reset() != nil || m == 0 || id == 0 || id > 1<<31-1 {
			return nil
		}
		return s.t.Process.Thread(int(id))
	}
	g.Locked = thread(g.LockedM)
	if g.M == 0 {
		return
	}
	cur := c.Pointer(g.M + s.m["curg"].off)
	switch err := c.Reset(); {
	case err != nil:
		g.Err = fmt.Errorf("its m cannot be read: %w", err)
	case cur == g.Addr:
		g.Thread = thread(g.M)
	case status == statusRunning:
		g.Err = fmt.Errorf("its m at %v runs %v", g.M, cur)
	}
}

// goesOn sets the registers that a goroutine goes on with: after the call of the function that let
// another run, or, in a call of the system, that told the runtime of it.
func (s *scheduler) goesOn(regs *core.Regs, g core.Addr, status uint32) {
	set := func(register int, f slot) {
		if !f.known || register < 0 {
			return
		}
		if v := s.c.Pointer(g + f.off); s.c.Reset() == nil && v != 0 {
			regs.Set(register, uint64(v))
		}
	}
	for _, x := range s.sched {
		set(x.register, x.at)
	}
	if status != statusSyscall {
		return
	}
	for _, x := range s.called {
		set(x.register, x.at)
	}
}

// roomsAtOnce is the number of rooms that are made at a time.
const roomsAtOnce = 64

// room returns room for a goroutine.
func (s *goroutineReader) room() *goroutineRoom {
	if len(s.rooms) == 0 {
		s.rooms = make([]goroutineRoom, roomsAtOnce)
	}
	x := &s.rooms[0]
	s.rooms = s.rooms[1:]
	return x
}
