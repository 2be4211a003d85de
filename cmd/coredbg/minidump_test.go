package main

import (
	"coredbg/core"
	"coredbg/core/elf/elfcore"
	"coredbg/core/find"
	"coredbg/core/minidump/minidumptest"
)

// tinyMinidumps returns the process of the tiny core as minidumps: tiny.dmp as Breakpad
// would write it, with stacks and what was mapped; crashpad.dmp with annotations and without
// a list of mappings.
func tinyMinidumps() map[string][]byte {
	p, err := elfcore.Open(core.Bytes(tinyCore("/opt/example/bin/tiny")), "core", elfcore.Options{Files: find.Chain{}})
	if err != nil {
		panic(err)
	}
	out := map[string][]byte{}
	for name, of := range map[string]minidumptest.Of{"tiny.dmp": {Maps: true}, "crashpad.dmp": {}} {
		d, err := minidumptest.Begin(p, of)
		if err != nil {
			panic(err)
		}
		if !of.Maps {
			d.Crashpad([][2]string{{"ver", "1.2.3"}, {"prod", "Tiny"}}, 0, [][2]string{{"v8_isolate_address", "0x402000"}, {"bad\x1b[31m", "\x07"}})
		}
		out[name] = d.Bytes()
	}
	return out
}
