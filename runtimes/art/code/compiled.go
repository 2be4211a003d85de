package code

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/art/codeinfo"
)

// Compiled is a piece of compiled code.
type Compiled struct {
	Header codeinfo.MethodHeader
	// Info is nil for code without CodeInfo, as the interpreter and stubs.
	Info *codeinfo.Info
	Size uint64 // of the code, in bytes; 0 if it is unknown
	JIT  bool
	// Methods are the methods that the code serves, as JitCodeCache or the oat file has them: several for a
	// shared JNI stub, and for methods with the same code. The methods of an oat file are not ArtMethods.
	Methods []*Method
	// Align is the unit of native pcs in stack maps, in bytes.
	Align uint32
}

// IsMethod reports whether an ArtMethod of a class is at an address.
func (ix *Index) IsMethod(at core.Addr) bool {
	return at%4 == 0 && !ix.IsRuntimeMethod(at, ix.Layout) && ix.MethodProblem(at, ix.Layout) == ""
}

// JNICode returns the native code that a native method calls: until it is first
// called a stub of the runtime, which looks the code up.
func (ix *Index) JNICode(m *Method) (core.Addr, bool) {
	if !m.Native() || m.Runtime {
		return 0, false
	}
	at, ok := ix.Pointer(m.Addr.Add(int64(ix.Layout.ArtMethod.Data)))
	return ix.CodeAddr(at), ok && at != 0
}

// CompiledOf returns the code of a method that holds pc, or that its entry
// point leads to if pc is 0.
func (ix *Index) CompiledOf(m *Method, pc core.Addr) (*Compiled, error) {
	c, err := ix.FrameInfoOf(m, pc)
	if err != nil {
		return nil, err
	}
	return ix.export(c)
}

// CompiledAt returns the code that holds a pc, of JitCodeCache or of an oat
// file.
func (ix *Index) CompiledAt(pc core.Addr) (*Compiled, error) {
	start := ix.CodeAddr(pc)
	if e, ok := ix.JITAt(start); ok {
		if c, err := ix.FrameInfoAt(e.Start, pc); err == nil {
			return ix.export(c)
		}
	}
	if !ix.InManaged(start) {
		return nil, fmt.Errorf("art: %v is not in compiled code", pc)
	}
	begin, methods := ix.oatMethodsAt(start)
	if begin == 0 {
		begin = start
	}
	c, err := ix.FrameInfoAt(begin, start)
	if err != nil {
		return nil, err
	}
	out, err := ix.export(c)
	if err == nil && len(out.Methods) == 0 {
		out.Methods = methods
	}
	return out, err
}

func (ix *Index) export(c *FrameInfo) (*Compiled, error) {
	h, err := codeinfo.ReadHeader(ix.Space, c.Start, ix.OatVersion())
	if err != nil {
		return nil, err
	}
	out := &Compiled{Header: h, Info: c.Info, Size: uint64(h.CodeSize), JIT: c.jit,
		Align: codeinfo.Alignment(ix.Process.Arch.Name)}
	if out.Size == 0 && c.Info != nil {
		out.Size = uint64(c.Info.CodeSize)
	}
	if e, ok := ix.JITAt(c.Start); ok && e.Start == c.Start {
		for _, m := range e.Methods {
			out.Methods = append(out.Methods, ix.Method(m))
		}
	}
	return out, nil
}

// JITCode returns all code of JitCodeCache by address; the error says why there
// may be more.
func (ix *Index) JITCode() ([]core.Addr, error) {
	j := ix.jitCode()
	var list []core.Addr
	for _, e := range j.codes {
		list = append(list, e.Start)
	}
	return list, j.err
}

// InlinedMethod returns the method that an inlined frame of code of outer is.
func (ix *Index) InlinedMethod(outer *Method, in *codeinfo.Inlined) *Method {
	return ix.MethodByIndex(outer, in)
}
