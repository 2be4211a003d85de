package layout

import (
	"context"
	"testing"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// TestSmallLibraries: libraries that cannot hold V8 are not looked into.
func TestSmallLibraries(t *testing.T) {
	for _, c := range []struct {
		module core.Module
		opened bool
	}{
		{core.Module{Path: "/bin/app", Exe: true, Start: 0x1000, End: 0x2000}, true},
		{core.Module{Path: "/lib/libnode.so.115", Start: 0x1000, End: 0x2000}, true},
		{core.Module{Path: "/lib/libengine.so", Start: 0x1000, End: 0x1001000}, true},
		{core.Module{Path: "/lib/libplug1000.so", Start: 0x1000, End: 0x6000}, false},
		{core.Module{Path: "[vdso]", Start: 0x1000, End: 0x3000}, false},
	} {
		opened := false
		p := &core.Process{Modules: []*core.Module{core.NewModule(c.module, func(*core.Module) core.ModuleFacts {
			opened = true
			return core.ModuleFacts{}
		})}}
		if _, err := FindImage(context.Background(),
			runtimes.Target{Process: p, Symbols: sym.NewTable(p, nil)}); err != nil {
			t.Errorf("%s: %v", c.module.Path, err)
		}
		if opened != c.opened {
			t.Errorf("%s: opened %t, want %t", c.module.Path, opened, c.opened)
		}
	}
}
