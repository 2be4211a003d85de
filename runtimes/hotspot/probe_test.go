package hotspot

import (
	"errors"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
)

// TestProbeWithoutFile: a libjvm whose symbols are neither in the core nor in a file is a Java virtual
// machine all the same, and the reason names the file that is missing.
func TestProbeWithoutFile(t *testing.T) {
	missing := errors.New("/opt/jdk/lib/server/libjvm.so: no such file")
	p := coretest.New(core.AMD64).Process()
	p.Modules = []*core.Module{core.NewModule(core.Module{Path: "/opt/jdk/lib/server/libjvm.so",
		Start: 0x10000, End: 0x20000},
		func(*core.Module) core.ModuleFacts { return core.ModuleFacts{Err: missing, InMemory: true} })}
	r, err := Probe(t.Context(), runtimes.Target{Process: p})
	if err != nil {
		t.Fatal(err)
	}
	u, ok := r.(runtimes.UndecodedJava)
	if !ok || !u.RunsJava() {
		t.Fatalf("%T is no undecoded Java", r)
	}
	if why := u.Undecoded(); !strings.Contains(why, missing.Error()) || !strings.Contains(why, "-sysroot") {
		t.Errorf("reason %q", why)
	}
}
