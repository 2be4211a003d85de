package minidumptest

import (
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
)

// Context returns the context of a thread.
func Context(arch *core.Arch, regs core.Regs) []byte {
	at := map[string]int{}
	size, word := 0, 8
	flags, given := 0, uint32(0) // where they are; control and integer registers
	run := func(off, step int, names ...string) {
		for _, n := range names {
			at[n] = off
			off += step
		}
	}
	switch arch {
	case core.AMD64:
		size, flags, given = 1232, 48, 0x100003
		run(120, 8, "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13",
			"r14", "r15", "rip")
	case core.I386:
		size, word, given = 716, 4, 0x10003
		run(156, 4, "edi", "esi", "ebx", "edx", "ecx", "eax", "ebp", "eip")
		run(196, 4, "esp")
	case core.ARM64:
		size, given = 912, 0x400003
		run(8, 8, arch.RegNames...)
	case core.ARM:
		size, word, given = 368, 4, 0x40000002
		run(4, 4, arch.RegNames...)
	}
	b := make([]byte, size)
	le.PutUint32(b[flags:], given)
	for name, off := range at {
		v, _ := regs.Get(arch.SlotOf(name))
		if word == 4 {
			le.PutUint32(b[off:], uint32(v))
		} else {
			le.PutUint64(b[off:], v)
		}
	}
	return b
}

// Of has the options for writing a process.
type Of struct {
	Full  bool // all memory that the core has, as Memory64List; else stacks
	Maps  bool // LinuxMaps; else nothing says what was mapped
	Stack int  // bytes of each stack; 0 for 256 KiB
}

// FromProcess writes a process of Linux as a minidump: its threads, modules, memory and the
// signal.
func FromProcess(p *core.Process, of Of) ([]byte, error) {
	d, err := Begin(p, of)
	if err != nil {
		return nil, err
	}
	return d.Bytes(), nil
}

// Begin is FromProcess for a dump that gets more.
func Begin(p *core.Process, of Of) (*Dump, error) {
	cpu, ok := map[*core.Arch]uint16{core.AMD64: CPUAMD64, core.I386: CPUX86, core.ARM64: CPUARM64,
		core.ARM: CPUARM}[p.Arch]
	if !ok || p.OS != "linux" {
		return nil, fmt.Errorf("a process of %s on %s cannot be written", p.OS, p.Machine)
	}
	d := New(cpu, Linux)
	d.Stream(ProcStatus, fmt.Appendf(nil, "Name:\t%s\nTgid:\t%d\nPid:\t%d\nPPid:\t%d\nUid:\t%d\t0\t0\t0\nGid:\t%d\t0\t0\t0\n",
		p.Name, p.PID, p.PID, p.PPID, p.UID, p.GID))
	d.Stream(CmdLine, []byte(strings.ReplaceAll(p.CommandLine(), " ", "\x00")+"\x00"))
	d.Stream(Auxv, auxvBytes(p))
	if of.Maps {
		d.Stream(Maps, mapsText(p))
	}
	names := map[int]string{}
	for i, t := range p.Threads {
		context := Context(p.Arch, t.Regs)
		if i == 0 && p.Signal != nil {
			d.Died(uint32(t.TID), uint32(p.Signal.Number), uint32(int32(p.Signal.Code)), p.Signal.Addr, context)
		}
		var at core.Addr
		var data []byte
		if sp, ok := t.Regs.Get(p.Arch.SP); ok && !of.Full {
			at = core.Addr(sp) &^ 0xf
			n := of.Stack
			if n == 0 {
				n = 256 << 10
			}
			if seg, ok := p.Space.Find(at); ok {
				data, _ = p.Space.Slice(at, int(min(uint64(n), uint64(seg.End-at))))
			}
		}
		d.Thread(uint32(t.TID), context, uint64(t.TLS), at, data)
		if t.Name != "" {
			names[t.TID] = t.Name
		}
	}
	d.names(p, names)
	for _, m := range p.Modules {
		end := m.End
		for _, part := range m.Parts {
			if part.Start >= m.Start && part.Start < m.End {
				end = max(end, part.End)
			}
		}
		d.Module(m.Path, m.Start, uint32(end-m.Start), ELF(m.Facts().BuildID))
	}
	if of.Full {
		d.whole(p.Space)
	}
	return d, nil
}

// names adds ThreadNames, in the order of the threads.
func (d *Dump) names(p *core.Process, names map[int]string) {
	b := Words(0)
	n := uint32(0)
	for _, t := range p.Threads {
		if name := names[t.TID]; name != "" {
			b = le.AppendUint64(append(b, Words(uint32(t.TID))...), uint64(d.UTF16(name)))
			n++
		}
	}
	le.PutUint32(b, n)
	d.Stream(ThreadNames, b)
}

// whole adds the memory that is in the core. The largest cores have hundreds of
// megabytes, which are copied once.
func (d *Dump) whole(space *core.Space) {
	size := 0
	for _, s := range space.Segments() {
		if s.Kind == core.SegCore {
			size += int(s.Size())
		}
	}
	d.bytes = slices.Grow(d.bytes, size)
	for _, s := range space.Segments() {
		if s.Kind == core.SegCore {
			at := len(d.bytes)
			n, _ := space.ReadAt(d.bytes[at:at+int(s.Size())], s.Start)
			d.bytes = d.bytes[:at+n]
			d.full = append(d.full, [2]uint64{uint64(s.Start), uint64(n)})
		}
	}
}

func auxvBytes(p *core.Process) (b []byte) {
	for _, e := range append(p.Auxv[:len(p.Auxv):len(p.Auxv)], core.AuxEntry{}) {
		if p.Arch.PtrSize == 4 {
			b = append(b, Words(uint32(e.Type), uint32(e.Value))...)
		} else {
			b = le.AppendUint64(le.AppendUint64(b, e.Type), e.Value)
		}
	}
	return b
}

// mapsText is /proc/PID/maps.
func mapsText(p *core.Process) (b []byte) {
	for _, m := range p.Mappings {
		b = fmt.Appendf(b, "%x-%x %vp %08x 00:00 0 %20s %s\n", uint64(m.Start), uint64(m.End), m.Prot,
			m.Off, "", m.Path)
	}
	return b
}
