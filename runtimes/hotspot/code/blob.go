package code

import (
	"strings"

	"coredbg/core"
	"coredbg/runtimes/hotspot/object"
	"coredbg/runtimes/hotspot/vmstructs"
)

// offsets are where members are. Versions differ in what they keep as addresses and what as offsets from the blob.
type offsets struct {
	block, used                                     int64
	name, size, frameSize                           int64
	frameComplete, codeOffset, level                vmstructs.Field
	begin, end                                      int64 // addresses of the code; or
	dataOffset                                      int64 // how far its end is from the blob
	addresses                                       bool  // begin and end are there
	method, entryBCI, origPC                        int64
	deopt, scopesData, scopesPCs, metadata          int64
	deoptAddress, scopesAddress, immutable, mutable bool
	immutableData, mutableData, relocationSize      int64
	pcOffset, scopeOffset, pcDescSize               int64
	oops                                            int64
	oopsAtData                                      bool
}

func newOffsets(t *vmstructs.Tables) (o offsets) {
	o.block, o.used = t.Size("HeapBlock"), t.Offset("HeapBlock::Header._used")
	o.name, o.size = t.Offset("CodeBlob._name"), t.Offset("CodeBlob._size")
	o.frameSize, o.frameComplete = t.Offset("CodeBlob._frame_size"), t.Member("CodeBlob._frame_complete_offset")
	if o.begin, o.addresses = t.Optional("CodeBlob._code_begin"); o.addresses {
		o.end = t.Offset("CodeBlob._code_end")
	} else {
		o.codeOffset = t.Member("CodeBlob._code_offset", "CodeBlob._content_offset")
		o.dataOffset = t.Offset("CodeBlob._data_offset")
	}
	o.method, o.level = t.Offset("nmethod._method", "CompiledMethod._method"), t.Member("nmethod._comp_level")
	o.entryBCI, o.origPC = t.Offset("nmethod._entry_bci"), t.Offset("nmethod._orig_pc_offset")
	var ok bool
	if o.deopt, o.deoptAddress = t.Optional("CompiledMethod._deopt_handler_begin"); !o.deoptAddress {
		o.deopt = t.Offset("nmethod._deopt_handler_offset", "nmethod._deoptimize_offset",
			"nmethod._deopt_handler_entry_offset")
	}
	if o.scopesData, o.scopesAddress = t.Optional("CompiledMethod._scopes_data_begin"); !o.scopesAddress {
		o.scopesData = t.Offset("nmethod._scopes_data_offset")
	}
	o.scopesPCs = t.Offset("nmethod._scopes_pcs_offset")
	o.immutableData, o.immutable = t.Optional("nmethod._immutable_data")
	if o.metadata, ok = t.Optional("nmethod._metadata_offset"); !ok || t.Has("CodeBlob._mutable_data") {
		o.mutableData, o.mutable = t.Offset("CodeBlob._mutable_data"), true
		o.relocationSize = t.Offset("CodeBlob._relocation_size")
	}
	if o.oops, ok = t.Optional("nmethod._oops_offset"); !ok {
		o.oopsAtData = true // JDK 24: the first of a blob's data
	}
	o.pcOffset, o.scopeOffset = t.Offset("PcDesc._pc_offset"), t.Offset("PcDesc._scope_decode_offset")
	o.pcDescSize = t.Size("PcDesc")
	return o
}

// A Blob is a CodeBlob.
type Blob struct {
	Addr core.Addr
	// "nmethod", "native nmethod", "Interpreter", "StubRoutines (1)", "RuntimeStub - _new_array_Java" …
	Name       string
	Begin, End core.Addr
	FrameSize  core.Addr // in bytes; 0 if frames of its code have no size of their own
	// Complete is where in the code the frame has been made; 0 if that is not known.
	Complete core.Addr

	// What follows is of compiled methods and wrappers of native ones.
	Method *object.Method // nil of others
	Native bool           // a wrapper
	OSR    bool
	Level  int // of the compiler: 1 to 3 C1, 4 C2; 0 of wrappers
	// Deopt is where frames return to that are to be deoptimised; OrigPC is how far above its stack pointer
	// such a frame has where it would have returned to.
	Deopt, OrigPC core.Addr
	// Where its descriptions are, as scopes.go has them.
	scopesPCs, scopesData, metadata, oops core.Addr
}

// maxFrame bounds frames of compiled code, in words; maxBlob the blobs, in bytes.
const (
	maxFrame = 1 << 20
	maxBlob  = 1 << 28
)

// read reads the blob of the block at an address; nil if none is there.
func (k *Cache) read(block core.Addr) *Blob {
	c, o := k.Process.Cursor(), &k.o
	if c.U8(block.Add(o.used)) == 0 {
		return nil
	}
	at := block.Add(o.block)
	b := &Blob{Addr: at, Name: c.CString(c.Pointer(at.Add(o.name)), 256)}
	size := core.Addr(c.U32(at.Add(o.size)))
	if o.addresses {
		b.Begin, b.End = c.Pointer(at.Add(o.begin)), c.Pointer(at.Add(o.end))
	} else {
		b.Begin, b.End = at.Add(o.codeOffset.Int(c, at)), at+core.Addr(c.U32(at.Add(o.dataOffset)))
	}
	if n := int32(c.U32(at.Add(o.frameSize))); n > 0 && n < maxFrame {
		b.FrameSize = core.Addr(8 * n)
	}
	if n := o.frameComplete.Int(c, at); n > 0 && n < 1<<15 {
		b.Complete = b.Begin + core.Addr(n)
	}
	if c.Err() != nil || size > maxBlob || b.Begin < at || b.End < b.Begin || b.End > at+size {
		return nil
	}
	if b.Name == "nmethod" || strings.HasPrefix(b.Name, "native nmethod") {
		k.readMethod(c, b)
	}
	return b
}

// readMethod reads what nmethods have.
func (k *Cache) readMethod(c *core.Cursor, b *Blob) {
	o, at := &k.o, b.Addr
	m, err := k.Method(c.Pointer(at.Add(o.method)))
	if err != nil {
		return
	}
	b.Native = b.Name != "nmethod"
	b.OSR = int32(c.U32(at.Add(o.entryBCI))) >= 0
	b.Level = int(o.level.Int(c, at))
	if n := int32(c.U32(at.Add(o.origPC))); n > 0 && core.Addr(n) < b.FrameSize {
		b.OrigPC = core.Addr(n)
	}
	if b.Deopt = c.Pointer(at.Add(o.deopt)); !o.deoptAddress {
		b.Deopt = at.Add(int64(int32(c.U32(at.Add(o.deopt)))))
	}
	base := at
	if o.immutable {
		base = c.Pointer(at.Add(o.immutableData))
	}
	b.scopesPCs = base + core.Addr(c.U32(at.Add(o.scopesPCs)))
	if b.scopesData = c.Pointer(at.Add(o.scopesData)); !o.scopesAddress {
		b.scopesData = base + core.Addr(c.U32(at.Add(o.scopesData)))
	}
	if o.mutable {
		b.metadata = c.Pointer(at.Add(o.mutableData)) + core.Addr(c.U32(at.Add(o.relocationSize)))
	} else {
		b.metadata = at + core.Addr(c.U32(at.Add(o.metadata)))
	}
	if b.oops = at + core.Addr(c.U32(at.Add(o.oops))); o.oopsAtData {
		b.oops = at + core.Addr(c.U32(at.Add(o.dataOffset)))
	}
	if c.Err() == nil {
		b.Method = m
	}
}

// Compiled reports whether the blob is a compiled method.
func (b *Blob) Compiled() bool { return b.Method != nil && !b.Native }

// Tier names the kind of code: "c1", "c2", "native"; "" of stubs.
func (b *Blob) Tier() string {
	switch {
	case b.Method == nil:
		return ""
	case b.Native:
		return "native"
	case b.Level == 4:
		return "c2"
	}
	return "c1"
}
