package golang

import (
	"time"

	"coredbg/core"
)

// No data in a core gives the time when the process ended. The next best is the latest time that the
// runtime's clock has recorded. The thread that watches over the others (runtime/proc.go, sysmon and
// retake) records for each p, which lets a thread run goroutines, when it has last seen it go on. It
// does so at least each 10 ms unless all are idle.

// A clock knows where times are noted in a p.
type clock struct {
	m     core.Addr // the offset in a p of the m that it lets run
	times []core.Addr
}

// newClock finds the descriptor of runtime.p by the name of a field.
func (s *scheduler) newClock() (k clock) {
	const mark, before = "sysmontick", 16
	d := s.types
	var names []core.Addr
	for _, text := range s.texts(string(rune(len(mark))) + mark)[0] {
		names = append(names, text-1, text-2)
	}
	s.references(names, func(at, name core.Addr) {
		defer d.c.Reset()
		if text, ok := d.name(name); len(k.times) > 0 || !ok || text != mark {
			return
		}
		for range before {
			at -= 3 * d.word
			if d.c.Pointer(at+2*d.word)>>d.shift == 0 { // the first field
				break
			}
		}
		p := d.fields(at, maxFields)
		ticks := d.fieldsOf(p[mark].typ)
		if !p.has("id", "m", mark) || !ticks.has("schedwhen") {
			return
		}
		k.m = p["m"].off
		for _, name := range []string{"schedwhen", "syscallwhen"} {
			if f, ok := ticks[name]; ok {
				k.times = append(k.times, p[mark].off+f.off)
			}
		}
	})
	return k
}

// of returns the latest time that a p has; 0 if that cannot be read.
func (k clock) of(c *core.Cursor, p core.Addr) (latest time.Duration) {
	for _, off := range k.times {
		if t := time.Duration(c.U64(p + off)); c.Reset() == nil {
			latest = max(latest, t)
		}
	}
	return latest
}

// latest returns the latest time that the runtime has recorded for any p: the ones that runtime.allp
// lists, and the ones that machines have.
func (s *scheduler) latest(machines []core.Addr) (latest time.Duration) {
	if !s.m.has("p") {
		return 0
	}
	k, c := s.newClock(), s.t.Process.Cursor()
	if a, _, ok := s.global("allp"); ok {
		list, n := c.Pointer(a), c.Word(a+s.word)
		for i := range core.Addr(min(n, maxMachines)) {
			if p := c.Pointer(list + i*s.word); c.Reset() == nil && p != 0 {
				latest = max(latest, k.of(c, p))
			}
		}
		c.Reset()
	}
	for _, m := range machines {
		p := c.Pointer(m + s.m["p"].off)
		if p != 0 && c.Pointer(p+k.m) == m && c.Err() == nil {
			latest = max(latest, k.of(c, p))
		}
		c.Reset()
	}
	return latest
}
