package code

import (
	"strings"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes/v8/layout"
)

// The function of the embedder behind an API callback. A FunctionTemplateInfo
// has its address, until V8 11 by way of a CallHandlerInfo and a Foreign
// (objects/templates.tq @ 12.4; objects/api-callbacks.tq @ 7.8). Where the word is
// has changed often, so code is what is looked for.

// Limits for the search.
const (
	maxTemplateWords = 24 // of a FunctionTemplateInfo
	maxHandlerWords  = 6  // of a CallHandlerInfo or a Foreign
)

// CallbackName names the embedder's function that a FunctionTemplateInfo calls:
// its symbol, or its place in its image. It is "" if it is not known.
func (r *Reader) CallbackName(template layout.Tagged) string {
	at, ok := r.callbackOf(template, maxTemplateWords, 2)
	if !ok {
		return ""
	}
	name := r.codeName(at)
	// All functions that are made by way of Node-API have the same callback, which calls
	// the addon's (src/js_native_api_v8.cc: FunctionCallbackWrapper). In a stripped
	// image it has no name: there the addon's is code of another image.
	_, _, named := r.Symbols.Lookup(at)
	if named && !strings.Contains(name, "FunctionCallbackWrapper::Invoke") {
		return name
	}
	cb, ok := r.bundledCallback(template, maxTemplateWords, 3, false)
	if ok && (named || r.Process.Module(cb) != r.Process.Module(at)) {
		return r.codeName(cb)
	}
	return name
}

// callbackOf finds the first address of code among the words of o, or of the
// objects that they refer to.
func (r *Reader) callbackOf(o layout.Tagged, words, depth int) (core.Addr, bool) {
	for i := 1; i < words; i++ {
		w, ok := r.Field(o, r.Slots(i))
		if !ok {
			break
		}
		if w.IsSmi() && r.isEmbedderCode(core.Addr(w)) {
			return core.Addr(w), true
		}
	}
	if depth == 0 {
		return 0, false
	}
	for i := 1; i < words; i++ {
		w, ok := r.Field(o, r.Slots(i))
		if !ok {
			break
		}
		if !r.isPlainStruct(w) {
			continue
		}
		if at, ok := r.callbackOf(w, maxHandlerWords, depth-1); ok {
			return at, true
		}
	}
	return 0, false
}

// isPlainStruct reports whether o is an object of V8's own that may be a
// CallHandlerInfo or a Foreign, whose types have no names in V8 7.8.
func (r *Reader) isPlainStruct(o layout.Tagged) bool {
	typ, ok := r.InstanceType(o)
	if !ok || typ >= r.Types.FirstReceiver || typ < r.Layout.String.FirstNonstringType {
		return false
	}
	switch typ {
	case r.Types.MapType, r.Types.Oddball, r.Types.Symbol, r.Types.HeapNumber, r.Types.Shared,
		r.Types.FunctionTemplateInfo:
		return false
	}
	name := r.Types.Names[typ]
	return !strings.Contains(name, "ARRAY") && !strings.Contains(name, "INTERCEPTOR") &&
		!strings.Contains(name, "RARE_DATA")
}

// isEmbedderCode reports whether a is where a function of an image begins, as
// far as symbols say.
func (r *Reader) isEmbedderCode(a core.Addr) bool {
	if a < 4096 || !r.Process.Executable(a) || r.Process.Module(a) == nil || r.Place(a).Kind != Elsewhere {
		return false
	}
	_, off, ok := r.Symbols.Lookup(a)
	return !ok || off == 0
}

// bundledCallback finds the addon's function in the CallbackBundle that the data
// of a function made by way of Node-API refers to: env, cb_data, cb. The data is
// an External, which keeps the address itself, or until V8 10 a Foreign with it.
func (r *Reader) bundledCallback(o layout.Tagged, words, depth int, external bool) (core.Addr, bool) {
	const cb = 16
	external = external || r.IsReceiver(o)
	for i := 1; i < words; i++ {
		w, ok := r.Field(o, r.Slots(i))
		if !ok {
			break
		}
		switch {
		case w.IsSmi():
			p := core.Addr(w)
			if at, ok := r.Word(p + cb); ok && external && p&7 == 0 && r.isEmbedderCode(core.Addr(at)) {
				return core.Addr(at), true
			}
		case depth > 0 && (r.isPlainStruct(w) || r.IsReceiver(w) && !r.IsFunction(w)):
			if at, ok := r.bundledCallback(w, maxHandlerWords, depth-1, external); ok {
				return at, true
			}
		}
	}
	return 0, false
}

// codeName returns the symbol at a without parameters, else its image and the
// distance from the image's start.
func (r *Reader) codeName(a core.Addr) string {
	if s, _, ok := r.Symbols.Lookup(a); ok {
		return sym.Demangle(s.Name, true)
	}
	if m := r.Process.Module(a); m != nil {
		path := m.Path[strings.LastIndexByte(m.Path, '/')+1:]
		return path + "+" + core.Addr(a-m.Start).String()
	}
	return ""
}
