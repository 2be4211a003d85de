package golang

import (
	"errors"
	"fmt"
	"strings"

	"coredbg/core"
)

// A scheduler is where the runtime of a process keeps its goroutines, and how they look.
type scheduler struct {
	process
	word core.Addr // bytes of a pointer

	types              *descriptors
	g, stack, gobuf, m structure
	fields             gFields
	sched, called      []savedRegister
	c                  *core.Cursor // reads the list and each g

	all     core.Addr // the array of pointers to each g
	count   uint64
	reasons core.Addr        // the array of texts why goroutines wait, by number; 0 if it was not found
	known   map[uint8]string // the texts read so far
	least   uint8            // how many of them there are at least; 0 if that is not known
}

var (
	errNoFile = errors.New("the file that has Go's runtime is not at hand")
	errNoList = errors.New("runtime.allgs was not found")
	errFields = errors.New("a struct of the scheduler lacks fields that are known")
)

// maxGoroutines bounds how many are read.
const maxGoroutines = 1 << 22

// newScheduler finds the needed variables. In a program without symbols it finds them by their
// contents.
func newScheduler(p process) (*scheduler, error) {
	if p.module == nil {
		return nil, errNoFile
	}
	if p.module.Facts().Image == nil {
		return nil, fmt.Errorf("the program cannot be read: %w", p.module.Facts().Err)
	}
	d, g, err := p.structOfG()
	if err != nil {
		return nil, err
	}
	s := &scheduler{process: p, word: d.word, types: d, g: g, stack: d.fieldsOf(g["stack"].typ),
		gobuf: d.fieldsOf(g["sched"].typ),
		m:     d.fieldsOf(g["m"].typ), known: map[uint8]string{}}
	if !s.stack.has("lo", "hi") || !s.gobuf.has("sp", "pc") || !s.m.has("procid", "curg") {
		return nil, errFields
	}
	s.fields, s.c = fieldsOfG(s.g, s.stack), p.t.Process.Cursor()
	s.sched, s.called = savedInG(p.t.Process.Arch, s.g, s.gobuf)
	if err := s.findList(); err != nil {
		return nil, err
	}
	s.findReasons()
	return s, nil
}

// findList finds the list of all goroutines: the copy that readers without a lock use (runtime/proc.go,
// atomicAllG, from Go 1.16 on), or the slice.
func (s *scheduler) findList() error {
	c := s.t.Process.Cursor()
	if p, _, ok := s.global("allgptr"); ok {
		if n, _, ok := s.global("allglen"); ok {
			s.all, s.count = c.Pointer(p), c.Word(n)
		}
	}
	if a, _, ok := s.global("allgs"); ok && (s.all == 0 || c.Err() != nil || s.count == 0) {
		c.Reset()
		s.all, s.count = c.Pointer(a), c.Word(a+s.word)
	}
	if err := c.Err(); err != nil {
		return fmt.Errorf("the list of goroutines cannot be read: %w", err)
	}
	if s.all != 0 {
		return nil
	}
	s.searchList()
	if s.all == 0 {
		return errNoList
	}
	return nil
}

// searchList looks for the list where the program names no variables: the slice of its data that has nothing
// but goroutines, and the most that are alive.
func (s *scheduler) searchList() {
	best, tried := 0, 0
	s.words(func(list, n, room uint64) {
		at := core.Addr(list)
		if n == 0 || n > room || room > maxGoroutines || at&(s.word-1) != 0 || tried > maxSearched {
			return
		}
		alive := 0
		for i := range core.Addr(n) {
			dead, ok := s.pointerTo(at + i*s.word)
			if !ok {
				tried += int(i)
				return
			}
			if !dead {
				alive++
			}
		}
		if tried += int(n); alive > best {
			best, s.all, s.count = alive, at, n
		}
	})
}

// maxSearched bounds how many goroutines are looked at to find the list of them.
const maxSearched = 4 * maxGoroutines

// pointerTo reports whether a word points to memory that looks like a goroutine, and whether the
// goroutine is dead.
func (s *scheduler) pointerTo(at core.Addr) (dead, ok bool) {
	c := s.t.Process.Cursor()
	g := c.Pointer(at)
	if c.Err() != nil {
		return false, false
	}
	return s.plausible(g)
}

// words yields each three words side by side of the program's data.
func (s *scheduler) words(yield func(x, y, z uint64)) {
	order, size := s.t.Process.Words()
	word := func(b []byte) uint64 {
		if size == 8 {
			return order.Uint64(b)
		}
		return uint64(order.Uint32(b))
	}
	s.windows(s.spans(writable), func(b []byte, at core.Addr) {
		for i := int(-at & core.Addr(size-1)); i+3*size <= len(b); i += size {
			if x := word(b[i:]); x != 0 {
				yield(x, word(b[i+size:]), word(b[i+2*size:]))
			}
		}
	})
}

// plausible reports whether g looks like a goroutine's, and whether the goroutine is dead. One that is
// not dead has an id, a status, and a stack that holds the place where it goes on, if it does not run.
func (s *scheduler) plausible(g core.Addr) (dead, ok bool) {
	if g == 0 || g&(s.word-1) != 0 {
		return false, false
	}
	c := s.t.Process.Cursor()
	lo, hi := c.Pointer(g+s.stack["lo"].off), c.Pointer(g+s.stack["hi"].off)
	status, id := c.U32(g+s.g["atomicstatus"].off), c.U64(g+s.g["goid"].off)
	sp := c.Pointer(g + s.g["sched"].off + s.gobuf["sp"].off)
	if c.Err() != nil || status&^statusScan >= uint32(len(statuses)) {
		return false, false
	}
	switch status &^ statusScan {
	case statusIdle, statusDead, statusDeadExtra:
		return true, lo <= hi
	case statusRunning, statusSyscall: // what it goes on with is old
		return false, id != 0 && lo < hi
	}
	return false, id != 0 && lo < hi && sp >= lo && sp <= hi
}

// findReasons finds the texts why goroutines wait (runtime/runtime2.go, waitReasonStrings).
func (s *scheduler) findReasons() {
	if a, size, ok := s.global("waitReasonStrings"); ok {
		s.reasons, s.least = a, uint8(min(size/uint64(2*s.word), 255))
		return
	}
	// The second reason is the same in all releases; the first is empty.
	const second = "GC assist marking"
	c := s.t.Process.Cursor()
	s.references(s.texts(second)[0], func(at, _ core.Addr) {
		n, before := c.Word(at+s.word), c.Word(at-s.word)
		if c.Reset() == nil && n == uint64(len(second)) && before == 0 && s.reasons == 0 {
			s.reasons = at - 2*s.word
		}
	})
}

// reason returns the text of a number; "" if there is none.
func (s *scheduler) reason(n uint8) string {
	text, ok := s.known[n]
	if !ok {
		text = s.readReason(n)
		s.known[n] = text
	}
	return text
}

func (s *scheduler) readReason(n uint8) string {
	const longest = 64
	if s.reasons == 0 || n == 0 || s.least != 0 && n >= s.least {
		return ""
	}
	c := s.t.Process.Cursor()
	at := s.reasons + core.Addr(n)*2*s.word
	text, size := c.Pointer(at), c.Word(at+s.word)
	if c.Err() != nil || size == 0 || size > longest {
		return ""
	}
	b := make([]byte, size)
	c.Bytes(b, text)
	if c.Err() != nil || strings.ContainsFunc(string(b), func(r rune) bool { return r < ' ' || r > '~' }) {
		return ""
	}
	return string(b)
}

// allReasons returns the texts of all numbers. If their count is not known, it ends at the first number
// without a text.
func (s *scheduler) allReasons() (all []string) {
	const most = 128
	for n := uint8(1); n < most; n++ {
		text := s.reason(n)
		if text == "" {
			break
		}
		all = append(all, text)
	}
	return all
}
