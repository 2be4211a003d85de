package vm

import (
	"time"

	"coredbg/core"
)

// The counters of the virtual machine (share/runtime/perfMemory.hpp): a prologue, then entries, each with the
// offsets of its name and its data. They are in the core if shared mappings are.
const (
	perfMagic   = 0xcafec0c0 // in the byte order of the machine
	maxCounters = 1 << 14
	perfLong    = 'J'
)

// uptime returns how long the virtual machine had run when it last looked at its clock, which it does each 50
// ms; 0 if it is not known.
func (d *describer) uptime() time.Duration {
	ticks, frequency := int64(0), int64(0)
	d.counters(func(name string, value int64) {
		switch name {
		case "sun.os.hrt.ticks":
			ticks = value
		case "sun.os.hrt.frequency":
			frequency = value
		}
	})
	if ticks <= 0 || frequency <= 0 {
		return 0
	}
	seconds := float64(ticks) / float64(frequency)
	if seconds > 1e9 {
		return 0
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Millisecond)
}

// counters calls do for each counter that is a number.
func (d *describer) counters(do func(name string, value int64)) {
	start := d.PointerAt(0, "PerfMemory._start")
	if start == 0 {
		return
	}
	c := d.Process.Cursor()
	offset := func(name string) int64 {
		n, _ := d.Optional(name)
		return n
	}
	at, n := start+core.Addr(c.U32(start.Add(offset("PerfDataPrologue.entry_offset")))),
		c.U32(start.Add(offset("PerfDataPrologue.num_entries")))
	if c.U32(start) != perfMagic && c.U32(start) != 0xc0c0feca {
		return
	}
	for range min(n, maxCounters) {
		size := c.U32(at.Add(offset("PerfDataEntry.entry_length")))
		name := c.CString(at+core.Addr(c.U32(at.Add(offset("PerfDataEntry.name_offset")))), 256)
		kind, length := c.U8(at.Add(offset("PerfDataEntry.data_type"))),
			c.U32(at.Add(offset("PerfDataEntry.vector_length")))
		data := at + core.Addr(c.U32(at.Add(offset("PerfDataEntry.data_offset"))))
		if c.Err() != nil || size == 0 || size > 1<<20 {
			return
		}
		if kind == perfLong && length == 0 {
			if v := int64(c.U64(data)); c.Err() == nil {
				do(name, v)
			}
		}
		at += core.Addr(size)
	}
}
