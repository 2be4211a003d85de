package layout

// The tables hold the numbers of Android's builds, libc++, as of
// OpenCoreAnalysisKit; row.std what libstdc++ adds, as Debian's headers of
// Android 10, 11 and 14 give it when they are compiled, for the versions
// between and around by the same strings and containers in front. "file @ tool"
// is upstream's file that declares the member.

// runtimeRows is art::Runtime and the objects it leads to.
var runtimeRows = []row{
	{"Runtime.callee_save_methods_", "runtime/runtime.h", []step{{26, 0, 0}}, nil},
	{"Runtime.callee_save_methods_.length", "runtime/base/callee_save_type.h", []step{{26, 4, 4}, {28, 6, 6}}, nil},
	{"Runtime.resolution_method_", "runtime/runtime.h", []step{{26, 40, 40}, {28, 56, 56}, {29, 64, 64}}, nil},
	{"Runtime.imt_conflict_method_", "runtime/runtime.h", []step{{26, 48, 48}, {28, 64, 64}, {29, 72, 68}}, nil},
	{"Runtime.imt_unimplemented_method_", "runtime/runtime.h", []step{{26, 56, 56}, {28, 72, 72}, {29, 80, 72}}, nil},
	{"Runtime.heap_", "runtime/runtime.h", []step{{26, 384, 244}, {28, 448, 296}, {29, 400, 240}, {30, 392, 236},
		{31, 416, 248}, {33, 512, 296}}, runtimeStrings},
	{"Runtime.monitor_pool_", "runtime/runtime.h", []step{{26, 440, 272}, {28, 504, 324}, {29, 456, 268},
		{30, 448, 264},
		{31, 472, 276}, {33, 568, 324}, {34, 576, 328}}, runtimeStrings},
	{"Runtime.thread_list_", "runtime/runtime.h", []step{{26, 448, 276}, {28, 512, 328}, {29, 464, 272}, {30, 456, 268},
		{31, 480, 280}, {33, 576, 328}, {34, 584, 332}}, runtimeStrings},
	// In front of class_linker_ in all versions.
	{"Runtime.intern_table_", "runtime/runtime.h", []step{{26, 456, 280}, {28, 520, 332}, {29, 472, 276},
		{30, 464, 272},
		{31, 488, 284}, {33, 584, 332}, {34, 592, 336}}, runtimeStrings},
	{"Runtime.class_linker_", "runtime/runtime.h", []step{{26, 464, 284}, {28, 528, 336}, {29, 480, 280},
		{30, 472, 276},
		{31, 496, 288}, {33, 592, 336}, {34, 600, 340}}, runtimeStrings},
	{"Runtime.java_vm_", "runtime/runtime.h", []step{{26, 504, 304}, {28, 576, 360}, {29, 496, 288}, {31, 520, 300},
		{33, 624, 352}, {34, 632, 356}}, runtimeStrings},
	{"Runtime.jit_", "runtime/runtime.h", []step{{26, 512, 308}, {28, 584, 304}, {29, 504, 292}, {31, 528, 304},
		{33, 632, 356}, {34, 640, 360}}, runtimeStrings},
	// After jit_ since 10, where Runtime took it over from Jit.
	{"Runtime.jit_code_cache_", "runtime/runtime.h", []step{{29, 512, 296}, {31, 536, 308}, {33, 640, 360},
		{34, 648, 364}}, runtimeStrings},
	{"ThreadList.list_", "runtime/thread_list.h", []step{{26, 8192, 8192}, {37, 8232, 8232}}, nil},
	// After log_new_roots_ and a ConditionVariable.
	{"InternTable.strong_interns_", "runtime/intern_table.h", []step{{26, 32, 20}}, nil},
	{"JNIEnvExt.self_", "runtime/jni/jni_env_ext.h", []step{{26, 8, 4}}, nil},
	{"JNIEnvExt.vm_", "runtime/jni/jni_env_ext.h", []step{{26, 16, 8}}, nil},
	{"JavaVMExt.runtime_", "runtime/jni/java_vm_ext.h", []step{{26, 8, 4}}, nil},
	{"JitCodeCache.method_code_map_", "runtime/jit/jit_code_cache.h",
		[]step{{26, 136, 80}, {28, 160, 92}, {29, 336, 192},
			{30, 776, 424}, {35, 784, 428}}, []step{{29, 48, Unknown}, {30, 88, 108}}},
	{"JitCodeCache.jni_stubs_map_", "runtime/jit/jit_code_cache.h", []step{{28, 136, 80}, {29, 312, 180},
		{30, 752, 412}, {35, 760, 416}}, []step{{29, 24, Unknown}, {30, 64, 96}}},
}

// runtimeStrings is the difference that the three std::string in front make:
// 32 bytes instead of 24 each in processes of 64 bit, 24 instead of 12 in those
// of 32.
var runtimeStrings = []step{{26, 24, 36}}

// threadRows is art::Thread, which has no containers inline.
var threadRows = []row{
	{"Thread.tls32_.state_and_flags", "runtime/thread.h", []step{{26, 0, 0}}, nil},
	// A pair of 16-bit words, flags first, until 12; one word with the state
	// in its highest byte from 13 on.
	{"Thread.tls32_.state_and_flags.state.shift", "runtime/thread.h", []step{{26, 16, 16}, {33, 24, 24}}, nil},
	{"Thread.tls32_.state_and_flags.state.bits", "runtime/thread.h", []step{{26, 16, 16}, {33, 8, 8}}, nil},
	{"Thread.tls32_.suspend_count", "runtime/thread.h", []step{{26, 4, 4}}, nil},
	{"Thread.tls32_.thin_lock_thread_id", "runtime/thread.h", []step{{26, 12, 12}, {31, 8, 8}}, nil},
	{"Thread.tls32_.tid", "runtime/thread.h", []step{{26, 16, 16}, {31, 12, 12}}, nil},
	{"Thread.tls32_.daemon", "runtime/thread.h", []step{{26, 20, 20}, {31, 16, 16}}, nil},
	tlsPtr("exception", 8, 4),
	tlsPtr("stack_end", 16, 8),
	tlsPtr("managed_stack", 24, 12),
	tlsPtr("jni_env", 56, 28),
	tlsPtr("self", 72, 36),
	tlsPtr("opeer", 80, 40),
	tlsPtr("stack_begin", 96, 48),
	tlsPtr("stack_size", 104, 52),
	tlsPtr("monitor_enter_object", 128, 64),
	tlsPtr("top_handle_scope", 136, 68),
	{"Thread.tlsPtr_.name", "runtime/thread.h", []step{{26, 336, 232}, {28, 344, 240}, {29, 360, 256}, {30, 352, 256},
		{31, 344, 248}, {33, 336, 240}, {34, 336, 244}, {35, 328, 236}, {36, 320, 232}}, nil},
	{"Thread.tlsPtr_.name.is_c_string", "runtime/thread.h", []step{{26, 0, 0}, {33, 1, 1}}, nil},
	{"Thread.tlsPtr_.pthread_self", "runtime/thread.h", []step{{26, 344, 236}, {28, 352, 244}, {29, 368, 260},
		{30, 360, 260},
		{31, 352, 252}, {33, 344, 244}, {34, 344, 248}, {35, 336, 240}, {36, 328, 236}}, nil},
	{"Thread.tlsPtr_.held_mutexes", "runtime/thread.h", []step{{26, 1896, 1012}, {28, 1912, 1024}, {29, 1944, 1048},
		{30, 1968, 1064}, {31, 1960, 1056}, {33, 1936, 1040}, {34, 1960, 1056}, {35, 1944, 1044}, {36, 1952, 1048},
		{37, 1960, 1052}}, nil},
	{"Thread.wait_monitor_", "runtime/thread.h", []step{{26, 2448, 1288}, {28, 2520, 1328}, {29, 6688, 3432},
		{30, 6752, 3464},
		{31, 6736, 3448}, {33, 6720, 3432}, {34, 6752, 3464}, {35, 6736, 3448}, {36, 6784, 3472}, {37, 6800, 3472}},
		nil},
}

// tlsPtrs is where Thread.tlsPtr_ begins.
var tlsPtrs = []step{{26, 128, 128}, {28, 136, 136}, {29, 152, 152}, {30, 160, 160}, {31, 152, 152}, {33, 144, 144},
	{34, 152, 152}, {35, 144, 144}}

// tlsPtr is the row of a member of Thread.tlsPtr_ that all versions have at the
// same place in it.
func tlsPtr(member string, wide, narrow int) row {
	r := row{name: "Thread.tlsPtr_." + member, source: "runtime/thread.h"}
	for _, s := range tlsPtrs {
		r.steps = append(r.steps, step{s.since, s.wide + wide, s.narrow + narrow})
	}
	return r
}

// frameRows is art::ShadowFrame.
var frameRows = []row{
	{"ShadowFrame.link_", "runtime/interpreter/shadow_frame.h", []step{{26, 0, 0}}, nil},
	{"ShadowFrame.method_", "runtime/interpreter/shadow_frame.h", []step{{26, 8, 4}}, nil},
	{"ShadowFrame.dex_pc_ptr_", "runtime/interpreter/shadow_frame.h",
		[]step{{26, 24, 12}, {36, Unknown, Unknown}}, nil},
	{"ShadowFrame.dex_instructions_", "runtime/interpreter/shadow_frame.h",
		[]step{{26, 32, 16}, {36, Unknown, Unknown}}, nil},
	{"ShadowFrame.lock_count_data_", "runtime/interpreter/shadow_frame.h", []step{{26, 40, 20}, {36, 16, 8}}, nil},
	{"ShadowFrame.number_of_vregs_", "runtime/interpreter/shadow_frame.h", []step{{26, 48, 24}, {36, 24, 12}}, nil},
	{"ShadowFrame.dex_pc_", "runtime/interpreter/shadow_frame.h", []step{{26, 52, 28}, {36, 28, 16}}, nil},
	{"ShadowFrame.vregs_", "runtime/interpreter/shadow_frame.h", []step{{26, 64, 40}, {36, 36, 24}}, nil},
}

// methodRows is art::ArtMethod and the way from it to the dex file.
var methodRows = []row{
	{"ArtMethod.declaring_class_", "runtime/art_method.h", []step{{26, 0, 0}}, nil},
	{"ArtMethod.access_flags_", "runtime/art_method.h", []step{{26, 4, 4}}, nil},
	{"ArtMethod.dex_code_item_offset_", "runtime/art_method.h", []step{{26, 8, 8}, {31, Unknown, Unknown}}, nil},
	{"ArtMethod.dex_method_index_", "runtime/art_method.h", []step{{26, 12, 12}, {31, 8, 8}}, nil},
	{"ArtMethod.method_index_", "runtime/art_method.h", []step{{26, 16, 16}, {31, 12, 12}}, nil},
	{"ArtMethod.hotness_count_", "runtime/art_method.h", []step{{26, 18, 18}, {31, 14, 14}}, nil},
	{"ArtMethod.ptr_sized_fields_.data_", "runtime/art_method.h",
		[]step{{26, 32, 24}, {28, 24, 20}, {31, 16, 16}}, nil},
	{"ArtMethod.ptr_sized_fields_.entry_point_from_quick_compiled_code_", "runtime/art_method.h",
		[]step{{26, 40, 28}, {28, 32, 24}, {31, 24, 20}}, nil},
	{"sizeof(ArtMethod)", "runtime/art_method.h", []step{{26, 48, 32}, {28, 40, 28}, {31, 32, 24}}, nil},
	{"DexFile.begin_", "libdexfile/dex/dex_file.h", []step{{26, 8, 4}}, nil},
	{"DexFile.size_", "libdexfile/dex/dex_file.h", []step{{26, 16, 8}}, nil},
	{"DexFile.data_begin_", "libdexfile/dex/dex_file.h", []step{{26, 8, 4}, {28, 24, 12}}, nil},
	{"DexFile.data_size_", "libdexfile/dex/dex_file.h", []step{{26, 16, 8}, {28, 32, 16}}, nil},
	{"DexFile.location_", "libdexfile/dex/dex_file.h", []step{{26, 24, 12}, {28, 40, 20}}, nil},
	{"DexFile.location_checksum_", "libdexfile/dex/dex_file.h", []step{{26, 48, 24}, {28, 64, 32}},
		[]step{{26, 8, 12}}},
	{"DexFile.oat_dex_file_", "libdexfile/dex/dex_file.h", []step{{26, 152, 76}, {28, 160, 80}, {29, 168, 84}},
		[]step{{26, 8, 12}}},
	{"Class.dex_cache_", "runtime/mirror/class.h", []step{{26, 16, 16}}, nil},
	{"Class.super_class_", "runtime/mirror/class.h", []step{{26, 32, 32}}, nil},
	{"Class.methods_", "runtime/mirror/class.h", []step{{26, 48, 48}}, nil},
	{"Class.dex_class_def_idx_", "runtime/mirror/class.h", []step{{26, 80, 80}, {36, 72, 72}}, nil},
	{"Class.dex_type_idx_", "runtime/mirror/class.h", []step{{26, 84, 84}, {36, 76, 76}}, nil},
	{"Class.status_", "runtime/mirror/class.h", []step{{26, 112, 112}, {36, 104, 104}}, nil},
	{"Class.clinit_thread_id_", "runtime/mirror/class.h", []step{{26, 76, 76}, {36, 68, 68}}, nil},
	{"DexCache.dex_file_", "runtime/mirror/dex_cache.h", []step{{26, 16, 16}}, nil},
	{"DexCache.location_", "runtime/mirror/dex_cache.h", []step{{26, 8, 8}, {30, 12, 12}}, nil},
}
