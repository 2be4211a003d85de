package code

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/art/codeinfo"
	"coredbg/runtimes/art/layout"
)

// jitCode describes the code in JitCodeCache.
type jitCode struct {
	codes []JITEntry // by address
	err   error
}

// A JITEntry is a piece of compiled code. JNI stubs are shared by all methods of
// the same shorty and kind.
type JITEntry struct {
	Start   core.Addr
	Methods []core.Addr // ArtMethods that it is for
	Stub    bool
}

// maxStubShares bounds the methods of all stubs of JitCodeCache.
const maxStubShares = 1 << 20

// readJITCode reads JitCodeCache.method_code_map_ and jni_stubs_map_
// (runtime/jit/jit_code_cache.h).
func (ix *Index) readJITCode() *jitCode {
	l, j := ix.Layout, &jitCode{}
	if l.Runtime.JitCodeCache == layout.Unknown || l.JitCodeCache.MethodCodeMap == layout.Unknown {
		j.err = fmt.Errorf("art: where JitCodeCache lies is not known for %v", l)
		return j
	}
	cache, ok := ix.Pointer(ix.Runtime.Add(int64(l.Runtime.JitCodeCache)))
	if !ok || cache == 0 {
		return j // no JIT
	}
	word := core.Addr(ix.PtrSize)
	j.err = ix.EachNode(cache.Add(int64(l.JitCodeCache.MethodCodeMap)), func(value core.Addr) {
		code, ok1 := ix.Pointer(value)
		method, ok2 := ix.Pointer(value + word)
		if ok1 && ok2 && code != 0 {
			j.codes = append(j.codes, JITEntry{Start: ix.CodeAddr(code), Methods: []core.Addr{method}})
		}
	})
	if l.JitCodeCache.JNIStubsMap != layout.Unknown {
		// JniStubKey is a pointer and flags, JniStubData the code and a
		// std::vector of methods.
		left := maxStubShares
		err := ix.EachNode(cache.Add(int64(l.JitCodeCache.JNIStubsMap)), func(value core.Addr) {
			data := value + 2*word
			code, ok := ix.Pointer(data)
			if !ok || code == 0 {
				return
			}
			e := JITEntry{Start: ix.CodeAddr(code), Methods: ix.Vector(data+word, left), Stub: true}
			left -= len(e.Methods)
			j.codes = append(j.codes, e)
		})
		if j.err == nil {
			j.err = err
		}
	}
	slices.SortFunc(j.codes, func(x, y JITEntry) int { return cmp.Compare(x.Start, y.Start) })
	return j
}

// at returns the entry whose code may hold pc: the last that begins before it.
func (j *jitCode) at(pc core.Addr) (JITEntry, bool) {
	i, found := slices.BinarySearchFunc(j.codes, pc,
		func(e JITEntry, pc core.Addr) int { return cmp.Compare(e.Start, pc) })
	if !found {
		i--
	}
	if i < 0 {
		return JITEntry{}, false
	}
	return j.codes[i], true
}

// JITAt returns the entry of JitCodeCache whose code may hold pc.
func (ix *Index) JITAt(pc core.Addr) (JITEntry, bool) { return ix.jitCode().at(pc) }

// FrameInfo describes the frames of a piece of compiled code.
type FrameInfo struct {
	Start core.Addr
	Info  *codeinfo.Info // nil if its format is not known
	// frame is the size of its frame in bytes, spills the core registers that
	// it saves.
	Size   uint64
	Spills uint32
	jit    bool
	// shared are the methods that the code is for, if there are several.
	Shared []core.Addr
}

// FrameInfoAt returns the code at a start address if it contains pc. A pc of 0 matches any code.
func (ix *Index) FrameInfoAt(start, pc core.Addr) (*FrameInfo, error) {
	v := ix.OatVersion()
	h, err := codeinfo.ReadHeader(ix.Space, start, v)
	switch {
	case err != nil:
		return nil, err
	case h.CodeInfo == 0 && h.Frame == nil:
		return nil, fmt.Errorf("art: the code at %v has no CodeInfo", start)
	}
	info, err := h.Decode(ix.Space, v)
	if err != nil {
		return nil, err
	}
	c := &FrameInfo{Start: start, jit: ix.InJIT(start), Info: info}
	size := uint64(h.CodeSize)
	switch {
	case h.Frame != nil: // Android 8 and 9
		c.Size, c.Spills = uint64(h.Frame.Size), h.Frame.CoreSpillMask
	default:
		c.Size, c.Spills = uint64(info.FrameSize), info.CoreSpillMask
		size = max(size, uint64(info.CodeSize))
	}
	if c.Size%StackAlignment != 0 || c.Size > MaxFrame || c.Size == 0 && h.Frame != nil {
		return nil, fmt.Errorf("art: code at %v: a frame of %d bytes", start, c.Size)
	}
	return c, c.holds(pc, size)
}

// holds returns an error if pc is not 0 and is outside the code.
func (c *FrameInfo) holds(pc core.Addr, size uint64) error {
	if pc != 0 && (pc < c.Start || uint64(pc-c.Start) > size) {
		return fmt.Errorf("art: the code at %v does not reach to %v", c.Start, pc)
	}
	return nil
}

// MaxFrame bounds the size of a frame in bytes.
const MaxFrame = 1 << 16

// FrameInfoOf returns the compiled code of a method that holds pc, which is 0
// if it is not known: by the method's entry point, or by JitCodeCache.
func (ix *Index) FrameInfoOf(m *Method, pc core.Addr) (*FrameInfo, error) {
	var first error
	if m.EntryPoint != 0 && !ix.InLibart(m.EntryPoint) {
		c, err := ix.FrameInfoAt(m.EntryPoint, pc)
		if err == nil {
			ix.shareStub(c)
			return c, nil
		}
		first = err
	}
	j := ix.jitCode()
	if pc != 0 {
		if e, ok := j.at(pc); ok {
			if c, err := ix.FrameInfoAt(e.Start, pc); err == nil {
				ix.shareStub(c)
				return c, nil
			}
		}
	} else if m.Native() {
		for _, e := range j.codes {
			if e.Stub && slices.Contains(e.Methods, m.Addr) {
				c, err := ix.FrameInfoAt(e.Start, 0)
				if err == nil {
					ix.shareStub(c)
					return c, nil
				}
			}
		}
	}
	if start := ix.oatCode(m, pc); start != 0 {
		if c, err := ix.FrameInfoAt(start, pc); err == nil {
			return c, nil
		}
	}
	if first == nil {
		first = j.err
	}
	if first == nil {
		first = fmt.Errorf("art: %v has no compiled code", m)
		if pc != 0 {
			first = fmt.Errorf("art: no compiled code of %v holds %v", m, pc)
		}
	}
	return nil, first
}

// shareStub notes the methods that a JNI stub is shared by.
func (ix *Index) shareStub(c *FrameInfo) {
	if e, ok := ix.JITAt(c.Start); ok && e.Start == c.Start && len(e.Methods) > 1 {
		c.Shared = e.Methods
	}
}

// InLibart reports whether an address is one of libart's image.
func (ix *Index) InLibart(pc core.Addr) bool { return ix.Module != nil && ix.Module.Contains(pc) }

// InJIT reports whether an address is in memory that JitCodeCache has for code.
func (ix *Index) InJIT(pc core.Addr) bool {
	m, ok := ix.Process.Mapping(pc)
	return ok && (m.Path == "" || jitPath(m.Path))
}

func jitPath(path string) bool {
	return strings.Contains(path, "jit-cache") || strings.Contains(path, "jit-zygote-cache") ||
		strings.Contains(path, "dalvik-jit")
}

// oatPath reports whether a file is made by dex2oat.
func oatPath(path string) bool {
	for _, end := range []string{".oat", ".odex", "@classes.dex"} {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	return false
}

// managedSpans returns the possible extents of methods' compiled code: the JIT's mappings, the mappings of oat
// files, and executable memory without a file. It leaves out memory that may be libart itself, and stacks,
// which may be executable.
func (ix *Index) managedSpans() []layout.Span {
	stacks := map[core.Addr]bool{}
	for _, t := range ix.Process.Threads {
		sp, _ := t.Regs.Get(ix.Process.Arch.SP)
		if m, ok := ix.Process.Mapping(core.Addr(sp)); ok {
			stacks[m.Start] = true
		}
	}
	var out []layout.Span
	for _, m := range ix.Process.Mappings {
		if m.Prot&core.Exec == 0 || stacks[m.Start] {
			continue
		}
		if jitPath(m.Path) || oatPath(m.Path) ||
			m.Path == "" && ix.Module != nil && ix.Process.MappedModule(m.Start) == nil {
			out = append(out, layout.Span{Start: m.Start, End: m.End})
		}
	}
	return out
}

// InManaged reports whether a pc is in compiled code of methods.
func (ix *Index) InManaged(pc core.Addr) bool {
	spans := ix.managed()
	i, _ := slices.BinarySearchFunc(spans, pc, func(s layout.Span, pc core.Addr) int {
		if s.End <= pc {
			return -1
		}
		return 1
	})
	return i < len(spans) && spans[i].Has(pc)
}

// StackAlignment is the unit of the sizes of frames, in bytes (kStackAlignment,
// runtime/globals.h).
const StackAlignment = 16
