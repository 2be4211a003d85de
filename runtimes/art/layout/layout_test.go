package layout

import (
	"testing"

	"coredbg/runtimes/layout"
)

// TestDebianLayouts checks the tables against what a compiler made of Debian's headers
// of Android 10, 11 and 14 with Debian's flags, and of 11 for 32 bit.
func TestDebianLayouts(t *testing.T) {
	for _, c := range []struct {
		name             string
		v10, v11, v14, w int // w: 11 with 32 bit
	}{
		{"Runtime.resolution_method_", 64, 64, 64, 64},
		{"Runtime.imt_conflict_method_", 72, 72, 72, 68},
		{"Runtime.imt_unimplemented_method_", 80, 80, 80, 72},
		{"Runtime.heap_", 424, 416, 536, 272},
		{"Runtime.monitor_pool_", 480, 472, 600, 300},
		{"Runtime.thread_list_", 488, 480, 608, 304},
		{"Runtime.class_linker_", 504, 496, 624, 312},
		{"Runtime.java_vm_", 520, 520, 656, 324},
		{"Runtime.jit_", 528, 528, 664, 328},
		{"Runtime.jit_code_cache_", 536, 536, 672, 332},
		{"ThreadList.list_", 8192, 8192, 8192, 8192},
		{"JitCodeCache.method_code_map_", 384, 864, 864, 532},
		{"JitCodeCache.jni_stubs_map_", 336, 816, 816, 508},
		{"Thread.tls32_.thin_lock_thread_id", 12, 12, 8, 12},
		{"Thread.tls32_.tid", 16, 16, 12, 16},
		{"Thread.tls32_.daemon", 20, 20, 16, 20},
		{"Thread.tls32_.state_and_flags.state.shift", 16, 16, 24, 16},
		{"Thread.tlsPtr_.exception", 160, 168, 160, 164},
		{"Thread.tlsPtr_.stack_end", 168, 176, 168, 168},
		{"Thread.tlsPtr_.managed_stack", 176, 184, 176, 172},
		{"Thread.tlsPtr_.jni_env", 208, 216, 208, 188},
		{"Thread.tlsPtr_.self", 224, 232, 224, 196},
		{"Thread.tlsPtr_.opeer", 232, 240, 232, 200},
		{"Thread.tlsPtr_.stack_begin", 248, 256, 248, 208},
		{"Thread.tlsPtr_.stack_size", 256, 264, 256, 212},
		{"Thread.tlsPtr_.monitor_enter_object", 280, 288, 280, 224},
		{"Thread.tlsPtr_.top_handle_scope", 288, 296, 288, 228},
		{"Thread.tlsPtr_.name", 360, 352, 336, 256},
		{"Thread.tlsPtr_.name.is_c_string", 0, 0, 1, 0},
		{"Thread.tlsPtr_.pthread_self", 368, 360, 344, 260},
		{"Thread.tlsPtr_.held_mutexes", 1944, 1968, 1960, 1064},
		{"ShadowFrame.number_of_vregs_", 48, 48, 48, 24},
		{"ShadowFrame.vregs_", 64, 64, 64, 40},
		{"ArtMethod.dex_code_item_offset_", 8, 8, Unknown, 8},
		{"ArtMethod.dex_method_index_", 12, 12, 8, 12},
		{"ArtMethod.ptr_sized_fields_.data_", 24, 24, 16, 20},
		{"ArtMethod.ptr_sized_fields_.entry_point_from_quick_compiled_code_", 32, 32, 24, 24},
		{"sizeof(ArtMethod)", 40, 40, 32, 28},
		{"DexFile.data_begin_", 24, 24, 24, 12},
		{"DexFile.location_", 40, 40, 40, 20},
		{"DexFile.location_checksum_", 72, 72, 72, 44},
		{"DexFile.oat_dex_file_", 176, 176, 176, 96},
		{"DexCache.location_", 8, 12, 12, 12},
		{"DexCache.dex_file_", 16, 16, 16, 16},
	} {
		for _, x := range []struct{ sdk, ptr, want int }{{29, 8, c.v10}, {30, 8, c.v11}, {34, 8, c.v14}, {30, 4, c.w}} {
			l := NewLayout(x.sdk, x.ptr, LibStdCxx)
			got := -2
			for _, f := range l.Facts() {
				if f.Name == c.name {
					got = f.Value
				}
			}
			if got != x.want {
				t.Errorf("%v: %s is %d, want %d", l, c.name, got, x.want)
			}
		}
	}
}

// TestFacts finds a source for each number of the newest layouts, and none of
// what a version does not have.
func TestFacts(t *testing.T) {
	for _, f := range NewLayout(NewestSDK, 8, LibCxx).Facts() {
		if (f.Supplier == layout.FromNowhere) != (f.Value == Unknown) || f.Supplier == layout.FromTable && f.Source == "" {
			t.Errorf("%+v", f)
		}
	}
	if l := NewLayout(99, 8, LibCxx); l.SDK != NewestSDK {
		t.Errorf("SDK 99 is %v", l)
	}
	if l := NewLayout(29, 4, LibStdCxx); l.JitCodeCache.MethodCodeMap != Unknown {
		t.Errorf("a map that no header told is at %d", l.JitCodeCache.MethodCodeMap)
	}
}
