package wasmcode

import (
	"fmt"
	"sync"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/wasm"
)

// InstanceFP is the offset of the instance from a frame's frame pointer, in bytes (execution/frame-constants.h:
// WasmFrameConstants).
const InstanceFP = -16

const (
	maxObject          = 640 // bytes of an instance
	maxNativeModule    = 0x800
	maxWireBytes       = 1 << 30
	maxCodeTree        = 64 // depth
	maxSharedPtrHolder = 8  // words of a ManagedPtrDestructor
)

// A nativeModule is a compiled module of WebAssembly.
type nativeModule struct {
	addr   core.Addr
	module *wasm.Module
	script layout.Tagged
}

// Modules finds the modules of WebAssembly in a process. It is safe for concurrent use.
type Modules struct {
	*layout.Memory
	objects *object.Reader

	mu         sync.Mutex
	byInstance map[layout.Tagged]*nativeModule // nil where there is none
}

// New returns the modules among the objects that r reads.
func New(r *object.Reader) *Modules {
	return &Modules{Memory: r.Memory, objects: r, byInstance: map[layout.Tagged]*nativeModule{}}
}

// Frames decodes a frame of the function of an instance at pc, and of the functions inlined in it.
func (v *Modules) Frames(instance layout.Tagged, pc core.Addr) []runtimes.SourceFrame {
	f := Unknown()
	m, ok := v.nativeModuleOf(instance)
	if !ok {
		f.Note = "the module of this wasm function was not found"
		return []runtimes.SourceFrame{f}
	}
	f.Unit = object.AddrOf(m.script)
	f.File = v.objects.ScriptTitle(m.script)
	c, ok := v.codeAt(m, pc)
	if !ok {
		f.Note = "the code of this wasm function was not found"
		return []runtimes.SourceFrame{f}
	}
	places := c.places(v, pc)
	out := make([]runtimes.SourceFrame, 0, len(places))
	for i, p := range places {
		f := f
		where := fmt.Sprintf("wasm-function[%d]", p.index)
		if f.Name = v.nameOf(m.module, p.index); f.Name == "" {
			f.Name = where
		}
		if body, ok := m.module.Body(p.index); ok && p.at >= 0 {
			f.Line, f.Column = 1, body.Start+p.at+1
			where += fmt.Sprintf(":%#x", body.Start+p.at)
		}
		f.Note = where
		f.Inlined = i < len(places)-1
		out = append(out, f)
	}
	return out
}

// Unknown is the frame of an unknown function of WebAssembly.
func Unknown() runtimes.SourceFrame {
	return runtimes.SourceFrame{Kind: runtimes.Wasm, Name: "wasm-function", Tier: "wasm"}
}

// nameOf names a function as Error.stack does: with the name of the module,
// if that has one (objects/call-site-info.cc: SerializeWasmStackFrame). V8 8
// takes the name of an export for want of another.
func (v *Modules) nameOf(m *wasm.Module, index int) string {
	name := m.Names[index]
	if name == "" && v.Layout.ErrorStack.WasmExports == 1 {
		name = m.Exports[index]
	}
	if m.Name == "" || name == "" {
		return m.Name + name
	}
	return m.Name + "." + name
}

// nativeModuleOf finds the module of an instance.
func (v *Modules) nativeModuleOf(instance layout.Tagged) (*nativeModule, bool) {
	v.mu.Lock()
	m, ok := v.byInstance[instance]
	v.mu.Unlock()
	if ok {
		return m, m != nil
	}
	m = v.findNativeModule(instance, 2)
	v.mu.Lock()
	v.byInstance[instance] = m
	v.mu.Unlock()
	return m, m != nil
}

// findNativeModule looks for the WasmModuleObject among the fields of o, and of
// what they refer to: it has a Script and a Managed<NativeModule>.
func (v *Modules) findNativeModule(o layout.Tagged, depth int) *nativeModule {
	if _, ok := v.InstanceType(o); !ok {
		return nil
	}
	var fields []layout.Tagged
	var script layout.Tagged
	for i := 1; v.Slots(i) < maxObject; i++ {
		w, ok := v.Field(o, v.Slots(i))
		if !ok {
			break
		}
		if w&3 != 1 {
			continue
		}
		fields = append(fields, w)
		if script == 0 && i < 16 && v.Is(w, v.Types.Script) {
			script = w
		}
	}
	if script != 0 {
		for _, f := range fields {
			if m := v.managedModule(f); m != nil {
				m.script = script
				return m
			}
		}
	}
	if depth == 0 {
		return nil
	}
	for _, f := range fields {
		if !v.IsReceiver(f) && !v.TypeNamed(f, "WASM") {
			continue
		}
		if m := v.findNativeModule(f, depth-1); m != nil {
			return m
		}
	}
	return nil
}

// managedModule follows a Managed<NativeModule>: a Foreign with the address of a ManagedPtrDestructor,
// one of whose words points to the shared_ptr, or from V8 15 on an object of the heap of C++, one of
// whose words is the shared_ptr (objects/managed.h).
func (v *Modules) managedModule(o layout.Tagged) *nativeModule {
	if _, ok := v.InstanceType(o); !ok {
		return nil
	}
	for _, far := range []bool{true, false} {
		for holder := range v.ExternalPointers(o, v.Slots(1)) {
			if m := v.heldModule(holder, far); m != nil {
				return m
			}
		}
	}
	return nil
}

// heldModule returns the module that one of the words of holder is, or with far points to.
func (v *Modules) heldModule(holder core.Addr, far bool) *nativeModule {
	for i := range maxSharedPtrHolder {
		native, ok := v.Word(holder + core.Addr(8*i))
		if !ok || holder&7 != 0 {
			return nil
		}
		if far {
			native, _ = v.Word(core.Addr(native))
		}
		if native&7 != 0 || native == 0 {
			continue
		}
		if bytes, ok := v.wireBytes(core.Addr(native)); ok {
			m, _ := wasm.Parse(bytes)
			return &nativeModule{addr: core.Addr(native), module: m}
		}
	}
	return nil
}

// wireBytes finds the module's bytes among the words of a NativeModule: after
// a pointer to their address and length.
func (v *Modules) wireBytes(native core.Addr) ([]byte, bool) {
	for off := core.Addr(0); off < maxNativeModule; off += 8 {
		w, ok := v.Word(native + off)
		if !ok {
			return nil, false
		}
		if w == 0 || w&7 != 0 {
			continue
		}
		start, ok1 := v.Word(core.Addr(w))
		size, ok2 := v.Word(core.Addr(w) + 8)
		if !ok1 || !ok2 || size < 8 || size > maxWireBytes {
			continue
		}
		var magic [4]byte
		if !v.Bytes(magic[:], core.Addr(start)) || string(magic[:]) != wasm.Magic {
			continue
		}
		b, err := v.Space.Slice(core.Addr(start), int(size))
		return b, err == nil
	}
	return nil, false
}
