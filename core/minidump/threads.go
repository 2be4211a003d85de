package minidump

import (
	"fmt"
	"slices"

	"coredbg/core"
)

// A threadLoader makes the threads of a process.
type threadLoader struct {
	in       *reader
	p        *core.Process
	crash    *crash
	features features // of XSAVE
}

// threads reads ThreadList and ThreadNames. The thread that died comes first, with the registers that
// it died with: the list has the handler's registers.
func (l *threadLoader) threads() {
	names := l.threadNames()
	s, ok := l.in.find(threadList)
	if !ok || l.p.Arch == nil {
		return
	}
	seen := map[uint32]bool{}
	found := false
	for i, e := range l.in.list(s, threadSize) {
		id := le.Uint32(e)
		if seen[id] {
			l.in.warn(s.name(), uint64(s.loc.rva), "thread %d is there twice,", id)
			continue
		}
		seen[id] = true
		loc := locationAt(e[40:])
		context := l.in.slice(uint64(loc.rva), uint64(min(loc.size, maxContext)))
		dead := l.crash.died && id == l.crash.thread
		if dead && len(l.crash.context) > 0 {
			context = l.crash.context
		}
		t := l.thread(id, context)
		if len(context) == 0 && loc.size > 0 {
			l.in.need(uint64(loc.rva)+uint64(loc.size), "registers")
		}
		t.Name = names[id]
		if t.TID == l.p.PID && t.Name == "" {
			t.Name = l.p.Name
		}
		t.TLS = l.in.addr(le.Uint64(e[16:]))
		l.p.Threads = append(l.p.Threads, t)
		if dead {
			found = true
			t.Crashed = !l.p.Snapshot
			if l.p.Signal != nil {
				t.Signal = l.p.Signal.Number
			}
			l.p.Threads = slices.Insert(slices.Delete(l.p.Threads, len(l.p.Threads)-1, len(l.p.Threads)), 0, t)
		}
		if i == 0 && l.p.PID == 0 && l.p.OS == "linux" {
			l.p.PID = t.TID
		}
	}
	if l.crash.died && !found && len(l.crash.context) > 0 {
		t := l.thread(l.crash.thread, l.crash.context)
		t.Crashed = !l.p.Snapshot
		l.p.Threads = slices.Insert(l.p.Threads, 0, t)
		l.p.Warn(s.name(), fmt.Sprintf("it lacks the thread that died, %d", l.crash.thread))
	}
}

// thread makes a thread of a context.
func (l *threadLoader) thread(id uint32, context []byte) *core.Thread {
	y := layoutOf(l.in.cpu, len(context))
	t := &core.Thread{TID: int(id), State: "Native", Regs: y.registers(context),
		Registers: func() []core.Register { return y.all(context) }}
	if x := l.features; l.p.Arch == core.AMD64 && x[cetU].size > 0 {
		t.Registers = func() []core.Register { return append(y.all(context), x.shadowStack(context)...) }
	}
	if len(context) < y.size {
		l.p.Warn(fmt.Sprintf("thread %d", id), fmt.Sprintf("its context has %d of %d bytes: registers are missing",
			len(context), y.size))
	}
	return t
}

// threadNames reads ThreadNames, whose offsets have 64 bits.
func (l *threadLoader) threadNames() map[uint32]string {
	out := map[uint32]string{}
	s, ok := l.in.find(threadNames)
	if !ok {
		return out
	}
	for _, e := range l.in.list(s, threadNameSize) {
		if rva := le.Uint64(e[4:]); rva != 0 {
			out[le.Uint32(e)] = l.in.utf16At(rva, s.name())
		}
	}
	return out
}
