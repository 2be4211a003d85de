package frame

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/codeinfo"
	"coredbg/runtimes/art/layout"
)

// Symbols of libart that are exported, or kept in its reduced symbol table.
const (
	// OatQuickMethodHeader* (runtime/oat_quick_method_header.h)
	symNterp = "_ZN3art20OatQuickMethodHeader17NterpMethodHeaderE"
	// ArrayRef<const uint8_t>, newer versions
	symNterpImpl   = "_ZN3art20OatQuickMethodHeader9NterpImplE"
	symNterpClinit = "_ZN3art20OatQuickMethodHeader19NterpWithClinitImplE"
)

// nterpSpans returns where the code of the nterp interpreter lies: a static
// member of OatQuickMethodHeader points to its method header, or from oat
// version 239 on two are ranges of its code (runtime/oat_quick_method_header.h).
// There are none if that is not known.
func (d *Decoder) nterpSpans() []layout.Span {
	if d.Module == nil || d.Symbols == nil || d.Layout.SDK < 30 {
		return nil
	}
	var out []layout.Span
	for _, name := range []string{symNterpImpl, symNterpClinit} {
		if s, ok := d.Symbols.Find(d.Module.Path, name); ok {
			start, ok1 := d.Pointer(s.Addr)
			size, ok2 := d.Word(s.Addr + core.Addr(d.PtrSize))
			if start = d.CodeAddr(start); ok1 && ok2 && d.InLibart(start) && d.InLibart(start+core.Addr(size)) {
				out = append(out, layout.Span{Start: start, End: start + core.Addr(size)})
			}
		}
	}
	s, ok := d.Symbols.Find(d.Module.Path, symNterp)
	if !ok || len(out) > 0 {
		return out
	}
	header, ok := d.Pointer(s.Addr)
	if !ok || header == 0 {
		return nil
	}
	v := codeinfo.OfSDK(d.Layout.SDK)
	code := header + 4
	if v < 192 {
		code = header + 8
	}
	h, err := codeinfo.ReadHeader(d.Space, code, v)
	if err != nil || h.CodeSize == 0 {
		return nil
	}
	return []layout.Span{{Start: code, End: code + core.Addr(h.CodeSize)}}
}

// inNterp reports whether a pc is in the code of nterp, as far as that is known.
func (d *Decoder) inNterp(pc core.Addr) bool {
	return slices.ContainsFunc(d.nterp(), func(s layout.Span) bool { return s.Has(pc) })
}

// mayBeNterp reports whether a pc is one of nterp's. Where the extent of its
// code is not known, any of libart's may be: no other code there has frames of
// methods that are neither native nor the runtime's own.
func (d *Decoder) mayBeNterp(pc core.Addr) bool {
	if d.Layout.SDK < 30 || d.Layout.SDK == 30 && d.Process.Arch != core.AMD64 {
		return false // runtime/interpreter/mterp/nterp.cc: IsNterpSupported
	}
	if len(d.nterp()) > 0 {
		return d.inNterp(pc)
	}
	return d.InLibart(pc)
}

// nterpFrame is where things are in a frame of nterp, in bytes from its lower
// end (runtime/nterp_helpers.cc): the method, the out registers, the dex pc, the
// caller's frame pointer, references, registers, and at its end what was saved.
type nterpFrame struct {
	dexPC, references, registers, size uint64
}

// nterpLayout returns the frame of a method; false if its code item is not
// known. Android 11 did not align the dex pc.
func (d *Decoder) nterpLayout(m *code.Method) (nterpFrame, bool) {
	if m.Code == nil {
		return nterpFrame{}, false
	}
	ptr, regs := uint64(d.PtrSize), 4*uint64(m.Code.Registers)
	outs := 4 * uint64(max(m.Code.Outs, d.isa.minOuts))
	if d.Layout.SDK > 30 {
		outs = roundUp(outs, ptr)
	}
	var f nterpFrame
	f.dexPC = ptr + outs
	f.references = f.dexPC + 2*ptr
	f.registers = f.references + regs
	f.size = roundUp(ptr+4*uint64(max(m.Code.Outs, d.isa.minOuts))+2*ptr+2*regs+d.isa.nterpEntry, code.StackAlignment)
	return f, true
}

// nterpEnd finds the end of a frame of nterp without the method's code item. Below its references nterp keeps
// the stack pointer from after it saved registers; the saved registers are at the frame's end
// (runtime/nterp_helpers.cc, NterpGetFrameEntrySize).
func (d *Decoder) nterpEnd(q *Activation) bool {
	word := core.Addr(d.PtrSize)
	for at := q.At + 2*word; at < q.At+code.MaxFrame; at += 4 { // behind the method and the dex pc
		saved, ok := d.Pointer(at)
		if !ok {
			return false
		}
		end := saved + core.Addr(d.isa.nterpEntry)
		if saved < at+word || end-q.At > code.MaxFrame || end%code.StackAlignment != 0 {
			continue
		}
		if pc, ok := d.Pointer(end - word); ok && d.returnsTo(end, d.CodeAddr(pc)) {
			q.Size, q.ReturnPC = uint64(end-q.At), d.CodeAddr(pc)
			return true
		}
	}
	return false
}
