package code

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/art/codeinfo"
)

// Compiled is a piece of compiled code.
type Compiled struct {
	Header codeinfo.MethodHeader
	// Info is nil if the code has none, as the interpreter and stubs.
	Info *codeinfo.Info
	Size uint64 // of the code, in bytes; 0 if it is unknown
	JIT  bool
	// Methods are those that it is for, as JitCodeCache or the oat file has
	// them: several of a shared JNI stub, and of methods with the same code.
	// Those of an oat file are no ArtMethods.
	Methods []*Method
	// Align is the unit of native pcs in stack maps, in bytes.
	Align uint32
}

// IsMethod reports whether an ArtMethod of a class is at an address.
func (a *Index) IsMethod(at core.Addr) bool {
	return at%4 == 0 && !a.IsRuntimeMethod(at, a.Layout) && a.MethodProblem(at, a.Layout) == ""
}

// JNICode returns the native code that a native method calls: until it is first
// called a stub of the runtime, which looks the code up.
func (a *Index) JNICode(m *Method) (core.Addr, bool) {
	if !m.Native() || m.Runtime {
		return 0, false
	}
	at, ok := a.Pointer(m.Addr.Add(int64(a.Layout.ArtMethod.Data)))
	return a.CodeAddr(at), ok && at != 0
}

// CompiledOf returns the code of a method that holds pc, or that its entry
// point leads to if pc is 0.
func (a *Index) CompiledOf(m *Method, pc core.Addr) (*Compiled, error) {
	c, err := a.FrameInfoOf(m, pc)
	if err != nil {
		return nil, err
	}
	return a.export(c)
}

// CompiledAt returns the code that holds a pc, of JitCodeCache or of an oat
// file.
func (a *Index) CompiledAt(pc core.Addr) (*Compiled, error) {
	start := a.CodeAddr(pc)
	if e, ok := a.JITAt(start); ok {
		if c, err := a.FrameInfoAt(e.Start, pc); err == nil {
			return a.export(c)
		}
	}
	if !a.InManaged(start) {
		return nil, fmt.Errorf("art: %v is not in compiled code", pc)
	}
	begin, methods := a.oatMethodsAt(start)
	if begin == 0 {
		begin = start
	}
	c, err := a.FrameInfoAt(begin, start)
	if err != nil {
		return nil, err
	}
	out, err := a.export(c)
	if err == nil && len(out.Methods) == 0 {
		out.Methods = methods
	}
	return out, err
}

func (a *Index) export(c *FrameInfo) (*Compiled, error) {
	h, err := codeinfo.ReadHeader(a.Space, c.Start, a.OatVersion())
	if err != nil {
		return nil, err
	}
	out := &Compiled{Header: h, Info: c.Info, Size: uint64(h.CodeSize), JIT: c.jit, Align: codeinfo.Alignment(a.Process.Arch.Name)}
	if out.Size == 0 && c.Info != nil {
		out.Size = uint64(c.Info.CodeSize)
	}
	if e, ok := a.JITAt(c.Start); ok && e.Start == c.Start {
		for _, m := range e.Methods {
			out.Methods = append(out.Methods, a.Method(m))
		}
	}
	return out, nil
}

// JITCode returns all code of JitCodeCache by address; the error says why there
// may be more.
func (a *Index) JITCode() ([]core.Addr, error) {
	j := a.jitCode()
	var list []core.Addr
	for _, e := range j.codes {
		list = append(list, e.Start)
	}
	return list, j.err
}

// InlinedMethod returns the method that an inlined frame of code of outer is.
func (a *Index) InlinedMethod(outer *Method, in *codeinfo.Inlined) *Method {
	return a.MethodByIndex(outer, in)
}
