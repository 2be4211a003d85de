package art

import (
	"coredbg/core"
	"coredbg/runtimes/art/codeinfo"
)

// nterpSpan returns where the code of the nterp interpreter lies, from its
// method header, to which a static member points; nothing if that is not known.
func (a *ART) nterpSpan() span {
	if a.module == nil || a.symbols == nil || a.layout.SDK < 30 {
		return span{}
	}
	s, ok := a.symbols.Find(a.module.Path, symNterp)
	if !ok {
		return span{}
	}
	header, ok := a.pointer(s.Addr)
	if !ok || header == 0 {
		return span{}
	}
	code := header + 4
	if a.oatVersion() < 192 {
		code = header + 8
	}
	h, err := codeinfo.ReadHeader(a.space, code, a.oatVersion())
	if err != nil || h.CodeSize == 0 {
		return span{}
	}
	return span{code, code + core.Addr(h.CodeSize)}
}

// mayBeNterp reports whether a pc is one of nterp's. Where the extent of its
// code is not known, any of libart's may be: no other code there has frames of
// methods that are neither native nor the runtime's own.
func (a *ART) mayBeNterp(pc core.Addr) bool {
	if a.layout.SDK < 30 || a.layout.SDK == 30 && a.process.Arch != core.AMD64 {
		return false // runtime/interpreter/mterp/nterp.cc: IsNterpSupported
	}
	if a.nterp.end != 0 {
		return a.nterp.has(pc)
	}
	return a.inLibart(pc)
}

// nterpFrame is where things are in a frame of nterp, in bytes from its lower
// end (runtime/nterp_helpers.cc): the method, the out registers, the dex pc, the
// caller's frame pointer, references, registers, and at its end what was saved.
type nterpFrame struct {
	dexPC, references, registers, size uint64
}

// nterpLayout returns the frame of a method; false if its code item is not
// known. Android 11 did not align the dex pc.
func (a *ART) nterpLayout(m *Method) (nterpFrame, bool) {
	if m.Code == nil {
		return nterpFrame{}, false
	}
	ptr, regs := uint64(a.ptr), 4*uint64(m.Code.Registers)
	outs := 4 * uint64(max(m.Code.Outs, a.isa.minOuts))
	if a.layout.SDK > 30 {
		outs = roundUp(outs, ptr)
	}
	var f nterpFrame
	f.dexPC = ptr + outs
	f.references = f.dexPC + 2*ptr
	f.registers = f.references + regs
	f.size = roundUp(ptr+4*uint64(max(m.Code.Outs, a.isa.minOuts))+2*ptr+2*regs+a.isa.nterpEntry, stackAlignment)
	return f, true
}
