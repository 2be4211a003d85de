package page

import (
	"encoding/binary"
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/machine"
	"coredbg/runtimes/v8/code"
)

// SymHeapStatistics is the function that fills in V8's statistics of a heap.
const SymHeapStatistics = "_ZN2v87Isolate17GetHeapStatisticsEPNS_14HeapStatisticsE"

// HeapOffset returns how far after its isolate a Heap lies, in bytes, as far as V8's
// own code says.
func (hs *Reader) HeapOffset() (core.Addr, bool) {
	hs.offsetOnce.Do(func() { hs.offset = hs.findHeapOffset() })
	return hs.offset, hs.offset != 0
}

// findHeapOffset looks for the member whose functions Isolate::GetHeapStatistics calls.
func (hs *Reader) findHeapOffset() core.Addr {
	if hs.Process.Arch == core.ARM64 {
		return hs.heapOffsetARM64()
	}
	// This address is unmapped: the code goes on with unknown values.
	const isolate = 0x0000_6000_0000_0000
	var at core.Addr
	m, fn, err := hs.Machine(SymHeapStatistics, func(_ core.Addr, x machine.Value) {
		if off := x.N - isolate; at == 0 && x.Known && off != 0 && off < code.MaxIsolate {
			at = core.Addr(off)
		}
	}, nil)
	if err != nil {
		return 0
	}
	_, _ = m.Call(fn, isolate, uint64(machine.Scratch))
	return at
}

// heapOffsetARM64 is findHeapOffset on aarch64: it follows x0, the isolate, through
// copies and additions of constants up to the first call with another address of the
// isolate (Arm Architecture Reference Manual, C6.2).
func (hs *Reader) heapOffsetARM64() core.Addr {
	s, ok := hs.Symbols.Find(hs.Image.Module.Path, SymHeapStatistics)
	if !ok {
		return 0
	}
	const most = 64 // instructions
	instructions, _ := core.ReadBytes(hs.Space, s.Addr, 4*most)
	offset := map[uint32]uint64{0: 0} // by register that holds the isolate: the offset it has added
	number := map[uint32]uint64{}     // of registers that hold a constant
	for i := 0; i+4 <= len(instructions); i += 4 {
		w := binary.LittleEndian.Uint32(instructions[i:])
		rd, rn, rm := w&31, w>>5&31, w>>16&31
		from, known := offset[rn]
		switch {
		case w&0xfc000000 == 0x94000000: // BL
			if off, ok := offset[0]; ok && off != 0 && off < code.MaxIsolate {
				return core.Addr(off)
			}
			for r := range uint32(19) {
				delete(offset, r)
				delete(number, r)
			}
			continue
		case w&0xff800000 == 0x91000000: // ADD (immediate)
			from += uint64(w >> 10 & 0xfff << (w >> 22 & 1 * 12))
		case w&0xffe0ffe0 == 0xaa0003e0: // MOV (register)
			from, known = offset[rm]
		case w&0x7f800000 == 0x52800000: // MOVZ, of 32 bits too
			delete(offset, rd)
			number[rd] = uint64(w>>5&0xffff) << (w >> 21 & 3 * 16)
			continue
		case w&0xffe0fc00 == 0x8b000000: // ADD (shifted register), by nothing
			n, ok := number[rm]
			from, known = from+n, known && ok
		default:
			if w&0x1c000000 == 0x10000000 || w&0x0e000000 == 0x0a000000 { // data processing: rd is something else
				delete(offset, rd)
				delete(number, rd)
			}
			continue
		}
		delete(number, rd)
		if delete(offset, rd); known {
			offset[rd] = from
		}
	}
	return 0
}

// treated are functions that are not run, by symbol: they would wait for other
// threads, or end the process.
var treated = map[string]machine.Treatment{
	"_ZN2v88internal7Isolate10SetCurrentEPS1_": machine.Skip,
	"_ZN2v84base5Mutex4LockEv":                 machine.Skip,
	"_ZN2v84base5Mutex6UnlockEv":               machine.Skip,
	"_ZN2v84base5Mutex7TryLockEv":              machine.Skip,
	"_ZN2v84base14RecursiveMutex4LockEv":       machine.Skip,
	"_ZN2v84base14RecursiveMutex6UnlockEv":     machine.Skip,
	"pthread_mutex_lock":                       machine.Skip,
	"pthread_mutex_trylock":                    machine.Skip,
	"pthread_mutex_unlock":                     machine.Skip,
	"pthread_rwlock_rdlock":                    machine.Skip,
	"pthread_rwlock_wrlock":                    machine.Skip,
	"pthread_rwlock_unlock":                    machine.Skip,
	"_Z8V8_FatalPKcz":                          machine.End,
	"_Z8V8_FatalPKciS0_z":                      machine.End,
	"__assert_fail":                            machine.End,
	"__cxa_throw":                              machine.End,
	"abort":                                    machine.End,
}

// Machine returns a machine that runs code of V8 over the process, and the address of the function with a symbol.
// The machine calls calls and loads, which may be nil, as its fields Calls and Loads say.
func (hs *Reader) Machine(symbol string, calls func(core.Addr, machine.Value),
	loads func(core.Addr, uint64)) (*machine.Machine, core.Addr, error) {
	if hs.Process.Arch != core.AMD64 {
		return nil, 0, fmt.Errorf("v8: its code can be followed on %s alone, not on %s", core.AMD64.Name,
			hs.Process.Arch.Name)
	}
	s, ok := hs.Symbols.Find(hs.Image.Module.Path, symbol)
	if !ok {
		return nil, 0, fmt.Errorf("v8: %s has no symbol %s", hs.Image.Module.Path, symbol)
	}
	var tls core.Addr
	if t := hs.Process.Threads; len(t) > 0 {
		tls = t[0].TLS
	}
	m := machine.New(hs.Space, tls)
	m.Calls, m.Loads = calls, loads
	m.How = func(fn core.Addr) machine.Treatment {
		if s, off, ok := hs.Symbols.Lookup(fn); ok && off == 0 {
			return treated[s.Name]
		}
		return machine.Follow
	}
	return m, s.Addr, nil
}
