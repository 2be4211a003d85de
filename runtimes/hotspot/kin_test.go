package hotspot

import (
	"testing"

	"coredbg/core"
)

// TestKin: OpenJ9 has a libjvm.so and libj9vm29.so (its documentation of the layout of an SDK).
func TestKin(t *testing.T) {
	jvm := &core.Module{Path: "/opt/java/lib/server/libjvm.so"}
	if got := kin(&core.Process{Modules: []*core.Module{jvm, {Path: "/opt/java/lib/default/libj9vm29.so"}}},
		jvm); got != "OpenJ9" {
		t.Errorf("%q", got)
	}
	if got := kin(&core.Process{Modules: []*core.Module{jvm}}, jvm); got != "" {
		t.Errorf("%q", got)
	}
	zing := &core.Module{Path: "/opt/zing/zing-jdk17/lib/server/libjvm.so"}
	if got := kin(&core.Process{Modules: []*core.Module{zing}}, zing); got == "" {
		t.Error("Zing is not recognised")
	}
}
