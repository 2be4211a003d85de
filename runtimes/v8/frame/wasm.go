package frame

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/wasm"
)

// A frame of WebAssembly holds its instance where one of JavaScript holds its
// function (execution/frame-constants.h: WasmFrameConstants). From there
// WasmTrustedInstanceData (WasmInstanceObject until V8 12) → WasmModuleObject →
// Managed<NativeModule> → NativeModule, which has the module's bytes and the
// WasmCode of every compiled function; a WasmCode has its function's index and
// its position table (wasm/wasm-code-manager.h). Neither objects nor C++
// structures have constants: they are recognised by their pointers.

const (
	wasmInstanceFP     = -16
	maxWasmObject      = 640 // bytes of an instance
	maxNativeModule    = 0x800
	maxWireBytes       = 1 << 30
	maxWasmCodeTree    = 64 // depth
	maxSharedPtrHolder = 8  // words of a ManagedPtrDestructor
)

// A nativeModule is a compiled module of WebAssembly.
type nativeModule struct {
	addr   core.Addr
	module *wasm.Module
	script layout.Tagged
}

// wasm decodes a frame of a function of WebAssembly, and of the functions
// inlined in it.
func (a *activation) wasm() []runtimes.SourceFrame {
	dec := a.v
	f := runtimes.SourceFrame{Kind: runtimes.Wasm, Name: "wasm-function", Tier: "wasm"}
	w, ok := dec.Word(a.fp.Add(wasmInstanceFP))
	if !ok {
		return []runtimes.SourceFrame{f}
	}
	m, ok := dec.nativeModuleOf(dec.Full(w))
	if !ok {
		f.Note = "the module of this wasm function was not found"
		return []runtimes.SourceFrame{f}
	}
	f.Unit = object.AddrOf(m.script)
	f.File = dec.objects.ScriptTitle(m.script)
	c, ok := dec.wasmCodeAt(m, a.pc)
	if !ok {
		f.Note = "the code of this wasm function was not found"
		return []runtimes.SourceFrame{f}
	}
	places := c.places(dec, a.pc)
	out := make([]runtimes.SourceFrame, 0, len(places))
	for i, p := range places {
		f := f
		where := fmt.Sprintf("wasm-function[%d]", p.index)
		if f.Name = dec.wasmName(m.module, p.index); f.Name == "" {
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

// wasmName names a function as Error.stack does: with the name of the module,
// if that has one (objects/call-site-info.cc: SerializeWasmStackFrame). V8 8
// takes the name of an export for want of another.
func (dec *Decoder) wasmName(m *wasm.Module, index int) string {
	name := m.Names[index]
	if name == "" && dec.Layout.ErrorStack.WasmExports == 1 {
		name = m.Exports[index]
	}
	if m.Name == "" || name == "" {
		return m.Name + name
	}
	return m.Name + "." + name
}

// nativeModuleOf finds the module of an instance.
func (dec *Decoder) nativeModuleOf(instance layout.Tagged) (*nativeModule, bool) {
	dec.wasmMu.Lock()
	m, ok := dec.wasmModules[instance]
	dec.wasmMu.Unlock()
	if ok {
		return m, m != nil
	}
	m = dec.findNativeModule(instance, 2)
	dec.wasmMu.Lock()
	if dec.wasmModules == nil {
		dec.wasmModules = map[layout.Tagged]*nativeModule{}
	}
	dec.wasmModules[instance] = m
	dec.wasmMu.Unlock()
	return m, m != nil
}

// findNativeModule looks for the WasmModuleObject among the fields of o, and of
// what they refer to: it has a Script and a Managed<NativeModule>.
func (dec *Decoder) findNativeModule(o layout.Tagged, depth int) *nativeModule {
	if _, ok := dec.InstanceType(o); !ok {
		return nil
	}
	var fields []layout.Tagged
	var script layout.Tagged
	for i := 1; dec.Slots(i) < maxWasmObject; i++ {
		w, ok := dec.Field(o, dec.Slots(i))
		if !ok {
			break
		}
		if w&3 != 1 {
			continue
		}
		fields = append(fields, w)
		if script == 0 && i < 16 && dec.Is(w, dec.Types.Script) {
			script = w
		}
	}
	if script != 0 {
		for _, f := range fields {
			if m := dec.managedModule(f); m != nil {
				m.script = script
				return m
			}
		}
	}
	if depth == 0 {
		return nil
	}
	for _, f := range fields {
		if !dec.IsReceiver(f) && !dec.TypeNamed(f, "WASM") {
			continue
		}
		if m := dec.findNativeModule(f, depth-1); m != nil {
			return m
		}
	}
	return nil
}

// managedModule follows a Managed<NativeModule>: a Foreign with the address of a ManagedPtrDestructor,
// one of whose words points to the shared_ptr, or from V8 15 on an object of the heap of C++, one of
// whose words is the shared_ptr (objects/managed.h).
func (dec *Decoder) managedModule(o layout.Tagged) *nativeModule {
	if _, ok := dec.InstanceType(o); !ok {
		return nil
	}
	for _, far := range []bool{true, false} {
		for holder := range dec.ExternalPointers(o, dec.Slots(1)) {
			if m := dec.heldModule(holder, far); m != nil {
				return m
			}
		}
	}
	return nil
}

// heldModule returns the module that one of the words of holder is, or with far points to.
func (dec *Decoder) heldModule(holder core.Addr, far bool) *nativeModule {
	for i := range maxSharedPtrHolder {
		native, ok := dec.Word(holder + core.Addr(8*i))
		if !ok || holder&7 != 0 {
			return nil
		}
		if far {
			native, _ = dec.Word(core.Addr(native))
		}
		if native&7 != 0 || native == 0 {
			continue
		}
		if bytes, ok := dec.wireBytes(core.Addr(native)); ok {
			m, _ := wasm.Parse(bytes)
			return &nativeModule{addr: core.Addr(native), module: m}
		}
	}
	return nil
}

// wireBytes finds the module's bytes among the words of a NativeModule: after
// a pointer to their address and length.
func (dec *Decoder) wireBytes(native core.Addr) ([]byte, bool) {
	for off := core.Addr(0); off < maxNativeModule; off += 8 {
		w, ok := dec.Word(native + off)
		if !ok {
			return nil, false
		}
		if w == 0 || w&7 != 0 {
			continue
		}
		start, ok1 := dec.Word(core.Addr(w))
		size, ok2 := dec.Word(core.Addr(w) + 8)
		if !ok1 || !ok2 || size < 8 || size > maxWireBytes {
			continue
		}
		var magic [4]byte
		if !dec.Bytes(magic[:], core.Addr(start)) || string(magic[:]) != wasm.Magic {
			continue
		}
		b, err := dec.Space.Slice(core.Addr(start), int(size))
		return b, err == nil
	}
	return nil, false
}
