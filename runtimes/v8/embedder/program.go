package embedder

import (
	"strings"

	"coredbg/core/sym"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Program is a program that embeds V8, with the rooms that read its V8.
type Program struct {
	Name    string // as NameOf returns it
	Objects *object.Reader
	Heaps   *heap.Walker
	Frames  *frame.Decoder
}

// The names of programs that are known.
const (
	Node        = "Node"
	Electron    = "Electron"
	Deno        = "rusty_v8, as Deno has it"
	Workerd     = "workerd"
	Bare        = "Bare"
	Chromium    = "Chromium"
	QtWebEngine = "Qt WebEngine"
)

// known are what programs with V8 in them are known by: what they append to its version
// (include/v8-version.h: V8_EMBEDDER_STRING), or a symbol that no other has.
var known = []struct{ suffix, symbol, name string }{
	{suffix: "-node.", name: Node},
	{suffix: "-electron.", name: Electron},
	{suffix: layout.RustyV8, name: Deno},
	{symbol: "_ZN7workerd", name: Workerd},
	{symbol: "bare_setup", name: Bare},
	{symbol: "ChromeMain", name: Chromium},
	{symbol: "_ZN15QtWebEngineCore", name: QtWebEngine},
}

// NameOf returns the name of the program that embeds V8. For a program that is not known it is the name in V8's
// version string. It is "" if nothing in the image tells.
func NameOf(m *layout.Memory) string {
	for _, e := range known {
		if e.suffix != "" && strings.HasPrefix(m.Image.Embedder, e.suffix) {
			return e.name
		}
		found := false
		if e.symbol != "" {
			_ = m.Symbols.Prefix(m.Image.Module, e.symbol, func(sym.Symbol) bool {
				found = true
				return false
			})
		}
		if found {
			return e.name
		}
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(m.Image.Embedder, "-"), ".")
	return name
}
