package vm

import (
	"encoding/binary"
	"testing"
	"time"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/hotspot/vmstructs"
)

// Where the tests have the tables and the counters.
const (
	structsAt  = 0x100000
	namesAt    = 0x200000
	countersAt = 0x300000
	pointerAt  = 0x400000
)

// counterFields are where members of the prologue and of entries are (share/runtime/perfMemory.hpp).
var counterFields = []struct {
	typ, name string
	offset    uint64
}{
	{"PerfDataPrologue", "entry_offset", 24}, {"PerfDataPrologue", "num_entries", 28},
	{"PerfDataEntry", "entry_length", 0},
	{"PerfDataEntry", "name_offset", 4}, {"PerfDataEntry", "vector_length", 8}, {"PerfDataEntry", "data_type", 12},
	{"PerfDataEntry", "data_offset", 16},
}

// withCounters returns a describer of a process whose counters are some bytes.
func withCounters(t testing.TB, counters []byte) *describer {
	t.Helper()
	names := []byte{0}
	name := func(s string) uint64 {
		at := namesAt + uint64(len(names))
		names = append(append(names, s...), 0)
		return at
	}
	words := []uint64{structsAt + 8, name("PerfMemory"), name("_start"), name("char*"), 1, 0, pointerAt}
	for _, f := range counterFields {
		words = append(words, name(f.typ), name(f.name), name("jint"), 0, f.offset, 0)
	}
	words = append(words, 0)
	end := uint64(structsAt + 8*(len(words)-1))
	p := coretest.New(core.AMD64).Words(structsAt, words...).Map(namesAt, names).Map(countersAt,
		counters).Words(pointerAt, countersAt).
		Words(0x500000, end).Process()
	tables, err := vmstructs.Read(p, func(s string) (core.Addr, bool) {
		return map[bool]core.Addr{true: structsAt, false: 0x500000}[s == vmstructs.SymStructs], true
	})
	if err != nil {
		t.Fatal(err)
	}
	return &describer{Tables: tables}
}

// counter returns an entry of a 64-bit counter.
func counter(name string, v uint64) []byte {
	o := binary.LittleEndian
	n := (20 + len(name) + 1 + 7) &^ 7
	b := o.AppendUint32(nil, uint32(n+8))
	b = o.AppendUint32(b, 20)
	b = o.AppendUint32(b, 0)
	b = append(b, 'J', 0, 0, 0)
	b = o.AppendUint32(b, uint32(n))
	b = append(b, name...)
	b = append(b, make([]byte, n-len(b))...)
	return o.AppendUint64(b, v)
}

func scene() []byte {
	b := []byte{0xca, 0xfe, 0xc0, 0xc0, 0, 2, 0, 1, 23: 0}
	b = binary.LittleEndian.AppendUint32(b, 32)
	b = binary.LittleEndian.AppendUint32(b, 3)
	b = append(b, counter("sun.gc.x", 7)...)
	b = append(b, counter("sun.os.hrt.frequency", 1e9)...)
	return append(b, counter("sun.os.hrt.ticks", 90_500_000_000)...)
}

// TestUptime reads counters as share/runtime/perfMemory.hpp describes them.
func TestUptime(t *testing.T) {
	if got := withCounters(t, scene()).uptime(); got != 90500*time.Millisecond {
		t.Errorf("%v", got)
	}
	if got := withCounters(t, scene()[:100]).uptime(); got != 0 {
		t.Errorf("counters that are cut: %v", got)
	}
}

// FuzzCounters wants an end of any counters.
func FuzzCounters(f *testing.F) {
	f.Add(scene())
	f.Fuzz(func(t *testing.T, b []byte) { withCounters(t, append(b, 0)).uptime() })
}
