// Package coretest builds fake processes for the tests of other packages.
package coretest

import (
	"encoding/binary"

	"coredbg/core"
)

// A Builder collects the parts of a fake process.
type Builder struct {
	arch *core.Arch
	segs []core.Segment
	proc *core.Process
}

// New returns a builder for a process of the given architecture.
func New(arch *core.Arch) *Builder {
	return &Builder{arch: arch, proc: &core.Process{
		Format: "fake", OS: "linux", Arch: arch, PID: 1, Name: "fake",
	}}
}

// Map puts bytes at a, readable and writable.
func (b *Builder) Map(a core.Addr, data []byte) *Builder {
	return b.MapProt(a, data, core.Read|core.Write)
}

// MapProt puts bytes at a with the given protection.
func (b *Builder) MapProt(a core.Addr, data []byte, prot core.Prot) *Builder {
	b.segs = append(b.segs, core.Segment{
		Start: a, End: a + core.Addr(len(data)), Kind: core.SegCore, Prot: prot, Src: core.Bytes(data),
	})
	return b
}

// MapSource puts the bytes of a source at a.
func (b *Builder) MapSource(a core.Addr, src core.Source, prot core.Prot) *Builder {
	b.segs = append(b.segs, core.Segment{Start: a, End: a + core.Addr(src.Size()), Kind: core.SegCore,
		Prot: prot, Src: src})
	return b
}

// Words puts words of the architecture's pointer size at a.
func (b *Builder) Words(a core.Addr, words ...uint64) *Builder {
	data := make([]byte, 0, len(words)*8)
	for _, w := range words {
		if b.arch.PtrSize == 4 {
			data = b.arch.Order.(binary.AppendByteOrder).AppendUint32(data, uint32(w))
		} else {
			data = b.arch.Order.(binary.AppendByteOrder).AppendUint64(data, w)
		}
	}
	return b.Map(a, data)
}

// Gap marks n bytes at a as absent for a reason.
func (b *Builder) Gap(a core.Addr, n uint64, prot core.Prot, why core.Gap) *Builder {
	b.segs = append(b.segs, core.Segment{Start: a, End: a + core.Addr(n), Prot: prot, Gap: why})
	return b
}

// Thread adds a thread with the given registers by name.
func (b *Builder) Thread(tid int, regs map[string]uint64) *Builder {
	t := &core.Thread{TID: tid, Crashed: len(b.proc.Threads) == 0, State: "Native",
		Registers: func() []core.Register { return nil }}
	for name, v := range regs {
		t.Regs.Set(b.arch.SlotOf(name), v)
	}
	b.proc.Threads = append(b.proc.Threads, t)
	return b
}

// Module adds a module with known facts; parts cover its whole extent.
func (b *Builder) Module(path string, start, end core.Addr, facts core.ModuleFacts) *Builder {
	m := core.Module{Path: path, Start: start, End: end}
	b.proc.Modules = append(b.proc.Modules, core.NewModule(m, func(*core.Module) core.ModuleFacts { return facts }))
	return b
}

// Process returns the process with everything that was added. Later mappings
// override earlier ones.
func (b *Builder) Process() *core.Process {
	b.proc.Space = core.NewSpace(b.segs, nil)
	b.proc.Mappings = nil
	for _, s := range b.proc.Space.Segments() {
		b.proc.Mappings = append(b.proc.Mappings, core.Mapping{Start: s.Start, End: s.End, Prot: s.Prot,
			Dumped: s.Size()})
	}
	return b.proc
}
