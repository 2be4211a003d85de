package layout

import (
	"testing"

	"coredbg/runtimes/layout"
)

// TestForms checks what is no offset: how members are kept in Android 10, 11 and 14, and in 8, by runtime/thread.h,
// runtime/mirror/class.h, runtime/class_status.h, runtime/base/callee_save_type.h and runtime/gc/space/space.h of each.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		name              string
		v8, v10, v11, v14 int
	}{
		{"Thread.tls32_.state_and_flags.state.shift", 16, 16, 16, 24},
		{"Thread.tls32_.state_and_flags.state.bits", 16, 16, 16, 8},
		{"Thread.tlsPtr_.name.is_c_string", 0, 0, 0, 1},
		{"Runtime.callee_save_methods_.length", 4, 6, 6, 6},
		{"Class.status_.shift", 0, 28, 28, 28},
		{"ClassStatus.kVerifyingAtRuntime", Unknown, 10, Unknown, Unknown},
		{"ClassStatus.is_signed", 1, 0, 0, 0},
		{"SpaceBitmap.is_member", 0, 0, 1, 1},
	} {
		for _, x := range []struct{ sdk, want int }{{26, c.v8}, {29, c.v10}, {30, c.v11}, {34, c.v14}} {
			for _, width := range []int{4, 8} {
				if got := (column{x.sdk, width, LibStdCxx}).facts()[c.name]; got != x.want {
					t.Errorf("SDK %d: %s is %d, want %d", x.sdk, c.name, got, x.want)
				}
			}
		}
	}
}

// TestNone checks that versions do not have numbers of others: JNI keeps no table of monitors since 15, and
// monitors have no pool in processes of 32 bit, where their ids are addresses.
func TestNone(t *testing.T) {
	for sdk := OldestSDK; sdk <= NewestSDK; sdk++ {
		for _, width := range []int{4, 8} {
			facts := column{sdk, width, LibCxx}.facts()
			if at := facts["MonitorPool.monitor_chunks_"]; (at == Unknown) != (width == 4) {
				t.Errorf("SDK %d, %d bit: chunks of monitors at %d", sdk, 8*width, at)
			}
			if at := facts["JNIEnvExt.monitors_"]; (at == Unknown) != (sdk < 29 || sdk >= 35) {
				t.Errorf("SDK %d, %d bit: monitors at %d", sdk, 8*width, at)
			}
		}
	}
}

// TestFacts finds a source for each number of the newest layouts, and none of
// what a version does not have.
func TestFacts(t *testing.T) {
	for _, f := range NewLayout(NewestSDK, 8, LibCxx).Facts() {
		if (f.Supplier == layout.FromNowhere) != (f.Value == Unknown) ||
			f.Supplier == layout.FromTable && f.Source == "" {
			t.Errorf("%+v", f)
		}
	}
	if l := NewLayout(99, 8, LibCxx); l.SDK != NewestSDK {
		t.Errorf("SDK 99 is %v", l)
	}
	if l := NewLayout(29, 4, LibStdCxx); l.JitCodeCache.MethodCodeMap != Unknown ||
		l.JitCodeCache.JNIStubsMap != Unknown {
		t.Errorf("maps that no header told are at %d and %d", l.JitCodeCache.MethodCodeMap, l.JitCodeCache.JNIStubsMap)
	}
}
