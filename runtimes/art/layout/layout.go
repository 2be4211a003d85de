package layout

import (
	"fmt"
	"reflect"
	"slices"

	"coredbg/runtimes/layout"
)

// Unknown is the value of a fact without a supplier.
const Unknown = layout.Unknown

// SDK numbers are Android's API levels: 29 is Android 10, 34 Android 14.
const (
	OldestSDK = 26
	NewestSDK = 37
)

// A Library is the C++ library that libart was built with: it decides how large
// strings and containers inside ART's objects are.
type Library string

// The C++ libraries.
const (
	LibCxx    Library = "libc++"    // Android
	LibStdCxx Library = "libstdc++" // Debian
)

// Layout is every number that decoding depends on: offsets in bytes from the
// start of the object, sizes in bytes. A number that a version does not have
// is Unknown. The tags hold upstream's names.
type Layout struct {
	SDK     int
	PtrSize int
	Library Library

	Runtime struct {
		CalleeSaveMethods int `art:"Runtime.callee_save_methods_"`
		CalleeSaveCount   int `art:"Runtime.callee_save_methods_.length"`
		ResolutionMethod  int `art:"Runtime.resolution_method_"`
		IMTConflictMethod int `art:"Runtime.imt_conflict_method_"`
		IMTUnimplemented  int `art:"Runtime.imt_unimplemented_method_"`
		Heap              int `art:"Runtime.heap_"`
		MonitorPool       int `art:"Runtime.monitor_pool_"`
		ThreadList        int `art:"Runtime.thread_list_"`
		InternTable       int `art:"Runtime.intern_table_"`
		ClassLinker       int `art:"Runtime.class_linker_"`
		JavaVM            int `art:"Runtime.java_vm_"`
		Jit               int `art:"Runtime.jit_"`
		JitCodeCache      int `art:"Runtime.jit_code_cache_"`
	}
	ThreadList struct {
		List int `art:"ThreadList.list_"`
	}
	Thread struct {
		StateAndFlags  int `art:"Thread.tls32_.state_and_flags"`
		StateShift     int `art:"Thread.tls32_.state_and_flags.state.shift"`
		StateBits      int `art:"Thread.tls32_.state_and_flags.state.bits"`
		SuspendCount   int `art:"Thread.tls32_.suspend_count"`
		ThinLockID     int `art:"Thread.tls32_.thin_lock_thread_id"`
		TID            int `art:"Thread.tls32_.tid"`
		Daemon         int `art:"Thread.tls32_.daemon"`
		Exception      int `art:"Thread.tlsPtr_.exception"`
		StackEnd       int `art:"Thread.tlsPtr_.stack_end"`
		ManagedStack   int `art:"Thread.tlsPtr_.managed_stack"`
		JNIEnv         int `art:"Thread.tlsPtr_.jni_env"`
		Self           int `art:"Thread.tlsPtr_.self"`
		Peer           int `art:"Thread.tlsPtr_.opeer"`
		StackBegin     int `art:"Thread.tlsPtr_.stack_begin"`
		StackSize      int `art:"Thread.tlsPtr_.stack_size"`
		MonitorEnter   int `art:"Thread.tlsPtr_.monitor_enter_object"`
		TopHandleScope int `art:"Thread.tlsPtr_.top_handle_scope"`
		Name           int `art:"Thread.tlsPtr_.name"`
		NameIsCString  int `art:"Thread.tlsPtr_.name.is_c_string"`
		PthreadSelf    int `art:"Thread.tlsPtr_.pthread_self"`
		HeldMutexes    int `art:"Thread.tlsPtr_.held_mutexes"`
		WaitMonitor    int `art:"Thread.wait_monitor_"`
	}
	JNIEnvExt struct {
		Self int `art:"JNIEnvExt.self_"`
		VM   int `art:"JNIEnvExt.vm_"`
	}
	JavaVMExt struct {
		Runtime int `art:"JavaVMExt.runtime_"`
	}
	ShadowFrame struct {
		Link            int `art:"ShadowFrame.link_"`
		Method          int `art:"ShadowFrame.method_"`
		DexPCPtr        int `art:"ShadowFrame.dex_pc_ptr_"`
		DexInstructions int `art:"ShadowFrame.dex_instructions_"`
		LockCount       int `art:"ShadowFrame.lock_count_data_"`
		NumVRegs        int `art:"ShadowFrame.number_of_vregs_"`
		DexPC           int `art:"ShadowFrame.dex_pc_"`
		VRegs           int `art:"ShadowFrame.vregs_"`
	}
	ArtMethod struct {
		DeclaringClass    int `art:"ArtMethod.declaring_class_"`
		AccessFlags       int `art:"ArtMethod.access_flags_"`
		DexCodeItemOffset int `art:"ArtMethod.dex_code_item_offset_"`
		DexMethodIndex    int `art:"ArtMethod.dex_method_index_"`
		MethodIndex       int `art:"ArtMethod.method_index_"`
		Hotness           int `art:"ArtMethod.hotness_count_"`
		Data              int `art:"ArtMethod.ptr_sized_fields_.data_"`
		EntryPoint        int `art:"ArtMethod.ptr_sized_fields_.entry_point_from_quick_compiled_code_"`
		Size              int `art:"sizeof(ArtMethod)"`
	}
	DexFile struct {
		Begin      int `art:"DexFile.begin_"`
		Size       int `art:"DexFile.size_"`
		DataBegin  int `art:"DexFile.data_begin_"`
		DataSize   int `art:"DexFile.data_size_"`
		Location   int `art:"DexFile.location_"`
		Checksum   int `art:"DexFile.location_checksum_"`
		OatDexFile int `art:"DexFile.oat_dex_file_"`
	}
	Class struct {
		DexCache    int `art:"Class.dex_cache_"`
		ClassDefIdx int `art:"Class.dex_class_def_idx_"`
		TypeIdx     int `art:"Class.dex_type_idx_"`
		Status      int `art:"Class.status_"`
		// ClinitThreadID has the kernel's id of the thread that initialises the class.
		ClinitThreadID int `art:"Class.clinit_thread_id_"`
		SuperClass     int `art:"Class.super_class_"`
		Methods        int `art:"Class.methods_"`
	}
	ClassLinker struct {
		DexCaches int `art:"ClassLinker.dex_caches_"`
	}
	DexCache struct {
		DexFile  int `art:"DexCache.dex_file_"`
		Location int `art:"DexCache.location_"`
	}
	JitCodeCache struct {
		MethodCodeMap int `art:"JitCodeCache.method_code_map_"`
		JNIStubsMap   int `art:"JitCodeCache.jni_stubs_map_"`
	}

	InternTable struct {
		Strong int `art:"InternTable.strong_interns_"`
	}

	// Mirror is what objects of the Java heap and the heap itself need.
	Mirror mirrorLayout

	facts []layout.Fact
}

// Facts returns all facts in the order of the Layout's fields.
func (l *Layout) Facts() []layout.Fact { return l.facts }

// String names the layout: "SDK 34, 64 bit, libc++".
func (l *Layout) String() string {
	return fmt.Sprintf("SDK %d, %d bit, %s", l.SDK, 8*l.PtrSize, l.Library)
}

// A row is one fact through all versions.
type row struct {
	name   string // of the Layout's field, its tag
	source string // upstream file, or the tool that the figures are from
	steps  []step
	// std holds what libstdc++ adds to the values of steps.
	std []step
}

// A step is the value of a fact from an SDK on: in processes of 64 and of 32
// bit.
type step struct{ since, wide, narrow int }

// at returns the step for an SDK.
func at(steps []step, sdk int) (step, bool) {
	for _, s := range slices.Backward(steps) {
		if s.since <= sdk {
			return s, true
		}
	}
	return step{}, false
}

// value is the row's value in a layout.
func (r *row) value(l *Layout) layout.Fact {
	f := nobodys(r.name)
	s, ok := at(r.steps, l.SDK)
	pick := func(s step) int {
		if l.PtrSize == 4 {
			return s.narrow
		}
		return s.wide
	}
	if !ok || pick(s) == Unknown {
		return f
	}
	f.Value, f.Supplier = pick(s), layout.FromTable
	f.Source = fmt.Sprintf("%s, since SDK %d", r.source, s.since)
	if l.Library == LibStdCxx {
		if s, ok := at(r.std, l.SDK); ok {
			if pick(s) == Unknown {
				return nobodys(r.name)
			}
			f.Value += pick(s)
			f.Source += fmt.Sprintf("; %+d for libstdc++", pick(s))
		}
	}
	return f
}

// nobodys returns the fact of a name without a supplier.
func nobodys(name string) layout.Fact {
	return layout.Fact{Name: name, Value: Unknown, Supplier: layout.FromNowhere}
}

// rowOf returns the row of a name, which must be there.
func rowOf(rows []row, name string) *row {
	return &rows[slices.IndexFunc(rows, func(r row) bool { return r.name == name })]
}

// NewLayout returns the table's layout for an SDK, clamped to the range of known ones, a pointer size of 4 or 8
// bytes, and a C++ library.
func NewLayout(sdk, ptrSize int, lib Library) *Layout {
	l := &Layout{SDK: min(max(sdk, OldestSDK), NewestSDK), PtrSize: ptrSize, Library: lib}
	byName := map[string]*row{}
	for _, rows := range [][]row{runtimeRows, threadRows, frameRows, methodRows, dexRows, mirrorRows} {
		for i := range rows {
			byName[rows[i].name] = &rows[i]
		}
	}
	l.facts = layout.Fill(l, func(_, field reflect.StructField, _ int) layout.Fact {
		name := field.Tag.Get("art")
		if r := byName[name]; r != nil {
			return r.value(l)
		}
		return nobodys(name)
	})
	return l
}
