package v8

import (
	"strings"

	"coredbg/core/sym"
	"coredbg/runtimes/v8/layout"
)

// embedders are what programs with V8 in them are known by: what they append to its version
// (include/v8-version.h: V8_EMBEDDER_STRING), or a symbol that no other has.
var embedders = []struct {
	suffix, symbol, name string
	noBlink              bool // it has no documents
}{
	{suffix: "-node.", name: "Node", noBlink: true},
	{suffix: "-electron.", name: "Electron"},
	{suffix: layout.RustyV8, name: "rusty_v8, as Deno has it", noBlink: true},
	{symbol: "_ZN7workerd", name: "workerd", noBlink: true},
	{symbol: "bare_setup", name: "Bare", noBlink: true},
	{symbol: "ChromeMain", name: "Chromium"},
	{symbol: "_ZN15QtWebEngineCore", name: "Qt WebEngine"},
}

// Embedder returns the name of the program that embeds V8. For an unknown embedder it is the name in V8's
// version string. It is "" if nothing in the image tells.
func (v *V8) Embedder() string {
	for _, e := range embedders {
		if e.suffix != "" && strings.HasPrefix(v.Image.Embedder, e.suffix) {
			return e.name
		}
		found := false
		if e.symbol != "" {
			_ = v.Symbols.Prefix(v.Image.Module, e.symbol, func(sym.Symbol) bool {
				found = true
				return false
			})
		}
		if found {
			return e.name
		}
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(v.Image.Embedder, "-"), ".")
	return name
}

// MayHaveBlink reports whether V8 may be part of a browser: its embedder is one, or is not known.
func (v *V8) MayHaveBlink() bool {
	name := v.Embedder()
	for _, e := range embedders {
		if e.name == name {
			return !e.noBlink
		}
	}
	return true
}
