package note

import (
	stdelf "debug/elf"
	"encoding/binary"
	"testing"
	"time"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// TestTimes: the times of threads from struct elf_prstatus, of words of 4 and 8 bytes.
func TestTimes(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name  string
		id    stdelf.Machine
		wide  bool
		order binary.ByteOrder
		at    int // of pr_utime
		put   func(d []byte, order binary.ByteOrder)
		want  *core.CPUTime
	}{
		{"x86-64", stdelf.EM_X86_64, true, binary.LittleEndian, 48, func(d []byte, o binary.ByteOrder) {
			o.PutUint64(d, 3)
			o.PutUint64(d[8:], 250_000)
			o.PutUint64(d[24:], 8000)
		}, &core.CPUTime{User: 3250 * ms, System: 8 * ms}},
		{"i386", stdelf.EM_386, false, binary.LittleEndian, 40, func(d []byte, o binary.ByteOrder) {
			o.PutUint32(d, 1)
			o.PutUint32(d[12:], 4000)
		}, &core.CPUTime{User: time.Second, System: 4 * ms}},
		{"sparc64", stdelf.EM_SPARCV9, true, binary.BigEndian, 48, func(d []byte, o binary.ByteOrder) {
			o.PutUint64(d, 2)
			o.PutUint32(d[8:], 20_000)
		}, &core.CPUTime{User: 2020 * ms}},
		{"m68k", stdelf.EM_68K, false, binary.BigEndian, 38,
			func(d []byte, o binary.ByteOrder) { o.PutUint32(d[4:], 12_000) },
			&core.CPUTime{User: 12 * ms}},
		{"no microseconds", stdelf.EM_X86_64, true, binary.LittleEndian, 48,
			func(d []byte, o binary.ByteOrder) { o.PutUint64(d[8:], 1_000_000) }, nil},
		{"forever", stdelf.EM_X86_64, true, binary.LittleEndian, 48,
			func(d []byte, o binary.ByteOrder) { o.PutUint64(d, 1<<63) }, nil},
	} {
		class := format.Class{Wide: c.wide, Order: c.order}
		g, ok := gregsOf(c.id, class, 0)
		if !ok {
			t.Fatalf("%s: no registers", c.name)
		}
		m := &machine{Class: class, id: c.id, gregs: g}
		d := make([]byte, g.status())
		c.put(d[c.at:], c.order)
		got := m.cpuTime(d)
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		if got := m.cpuTime(d[:g.off-1]); got != nil {
			t.Errorf("%s, cut: %+v", c.name, got)
		}
	}
}

// TestSettleTimes: the leader's record has the times of all; zeros are none.
func TestSettleTimes(t *testing.T) {
	at := func(user, system time.Duration) *core.CPUTime { return &core.CPUTime{User: user, System: system} }
	dec := &Decoder{p: &core.Process{PID: 7, Threads: []*core.Thread{{TID: 8, CPU: at(3, 1)},
		{TID: 7, CPU: at(10, 1)}, {TID: 9}}}}
	dec.settleTimes()
	if lead := dec.p.Threads[1].CPU; *lead != (core.CPUTime{User: 7, Most: true}) ||
		*dec.p.Threads[0].CPU != *at(3, 1) {
		t.Errorf("%+v", lead)
	}
	dec = &Decoder{p: &core.Process{PID: 7, Threads: []*core.Thread{{TID: 7, CPU: at(0, 0)}, {TID: 8, CPU: at(0, 0)}}}}
	if dec.settleTimes(); dec.p.Threads[0].CPU != nil || dec.p.Threads[1].CPU != nil {
		t.Error("zeros are times")
	}
}
