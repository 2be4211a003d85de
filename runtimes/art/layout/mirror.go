package layout

import "slices"

// mirrorLayout is the part of the Layout for objects of the Java heap, for the
// heap's spaces, for monitors, and for JNI's tables of references.
type mirrorLayout struct {
	Class struct {
		ClassLoader       int `art:"Class.class_loader_"`
		ComponentType     int `art:"Class.component_type_"`
		IfTable           int `art:"Class.iftable_"`
		Name              int `art:"Class.name_"`
		IFields           int `art:"Class.ifields_"`
		SFields           int `art:"Class.sfields_"`
		Fields            int `art:"Class.fields_"`
		AccessFlags       int `art:"Class.access_flags_"`
		ClassFlags        int `art:"Class.class_flags_"`
		ClassSize         int `art:"Class.class_size_"`
		NumRefInstance    int `art:"Class.num_reference_instance_fields_"`
		NumRefStatic      int `art:"Class.num_reference_static_fields_"`
		ObjectSize        int `art:"Class.object_size_"`
		PrimitiveType     int `art:"Class.primitive_type_"`
		StatusShift       int `art:"Class.status_.shift"`
		Size              int `art:"sizeof(Class)"`
		VerifyingAtRun    int `art:"ClassStatus.kVerifyingAtRuntime"`
		ClassStatusSigned int `art:"ClassStatus.is_signed"`
	}
	Heap struct {
		Continuous    int `art:"Heap.continuous_spaces_"`
		Discontinuous int `art:"Heap.discontinuous_spaces_"`
	}
	Space struct {
		Name       int `art:"Space.name_"`
		Begin      int `art:"ContinuousSpace.begin_"`
		End        int `art:"ContinuousSpace.end_"`
		Limit      int `art:"ContinuousSpace.limit_"`
		LiveBitmap int `art:"ContinuousMemMapAllocSpace.live_bitmap_"`
		MarkBitmap int `art:"ContinuousMemMapAllocSpace.mark_bitmap_"`
	}
	Bitmap struct {
		Inline    int `art:"SpaceBitmap.is_member"`
		Begin     int `art:"SpaceBitmap.bitmap_begin_"`
		Size      int `art:"SpaceBitmap.bitmap_size_"`
		HeapBegin int `art:"SpaceBitmap.heap_begin_"`
	}
	RegionSpace struct {
		NumRegions int `art:"RegionSpace.num_regions_"`
		Regions    int `art:"RegionSpace.regions_"`
		MarkBitmap int `art:"RegionSpace.mark_bitmap_"`
	}
	Region struct {
		Begin     int `art:"Region.begin_"`
		Top       int `art:"Region.top_"`
		End       int `art:"Region.end_"`
		LiveBytes int `art:"Region.live_bytes_"`
		State     int `art:"Region.state_"`
		Type      int `art:"Region.type_"`
		Size      int `art:"sizeof(Region)"`
	}
	BumpPointer struct {
		MainBlockSize int `art:"BumpPointerSpace.main_block_size_"`
		NumBlocks     int `art:"BumpPointerSpace.num_blocks_"`
		BlockSizes    int `art:"BumpPointerSpace.block_sizes_"`
	}
	LargeObject struct {
		BytesAllocated   int `art:"LargeObjectSpace.num_bytes_allocated_"`
		ObjectsAllocated int `art:"LargeObjectSpace.num_objects_allocated_"`
		Begin            int `art:"LargeObjectSpace.begin_"`
		End              int `art:"LargeObjectSpace.end_"`
		Map              int `art:"LargeObjectMapSpace.large_objects_"`
		AllocationInfo   int `art:"FreeListSpace.allocation_info_"`
		FreeEnd          int `art:"FreeListSpace.free_end_"`
	}
	AtomicStack struct {
		Back  int `art:"AtomicStack.back_index_"`
		Begin int `art:"AtomicStack.begin_"`
	}
	ImageHeader struct {
		Size int `art:"sizeof(ImageHeader)"`
	}
	Monitor struct {
		Owner         int `art:"Monitor.owner_"`
		LockCount     int `art:"Monitor.lock_count_"`
		Object        int `art:"Monitor.obj_"`
		WaitSet       int `art:"Monitor.wait_set_"`
		HashCode      int `art:"Monitor.hash_code_"`
		LockingMethod int `art:"Monitor.locking_method_"`
		LockingDexPC  int `art:"Monitor.locking_dex_pc_"`
		ID            int `art:"Monitor.monitor_id_"`
	}
	MonitorPool struct {
		Chunks int `art:"MonitorPool.monitor_chunks_"`
	}
	Thread struct {
		WaitNext int `art:"Thread.tlsPtr_.wait_next"`
	}
	JNI struct {
		Globals     int `art:"JavaVMExt.globals_"`
		WeakGlobals int `art:"JavaVMExt.weak_globals_"`
		Locals      int `art:"JNIEnvExt.locals_"`
		Monitors    int `art:"JNIEnvExt.monitors_"`
		Table       int `art:"IndirectReferenceTable.table_"`
		TopIndex    int `art:"IndirectReferenceTable.top_index_"`
		EntrySize   int `art:"sizeof(IrtEntry)"`
		LRTTop      int `art:"LocalReferenceTable.segment_state_"`
		LRTSmall    int `art:"LocalReferenceTable.small_table_"`
		LRTTables   int `art:"LocalReferenceTable.tables_"`
	}
}

// Differences that libstdc++ makes: its std::string has 32 bytes instead of 24 in 64-bit processes, 24 instead
// of 12 in 32-bit ones. Each MemMap holds one, and so do each SpaceBitmap and each Space.
var (
	oneString   = []step{{26, 8, 12}}
	spaceMap    = []step{{26, 8, 12}, {29, 16, 24}}               // the space's name and its MemMap's
	spaceMaps   = []step{{26, 8, 12}, {29, 16, 24}, {30, 64, 96}} // and three bitmaps with two each
	largeSpace  = []step{{26, 8, 12}, {29, 8, 16}, {30, 40, 64}}  // a name and two bitmaps, then 8-byte words
	freeList    = []step{{26, 8, 12}, {29, 24, 40}, {30, 56, 88}} // and two MemMaps
	markedSpace = []step{{26, 8, 12}, {29, 16, 24}, {30, 32, 48}} // one bitmap in front
	regionMark  = []step{{26, 8, 12}, {29, 16, 24}, {30, 88, 108}}
)

// mirrorRows is the table for mirrorLayout. The numbers of the spaces of Android 10, 11 and 14 come from the
// headers of Debian's source packages, compiled for x86-64, i386 and arm.
var mirrorRows = slices.Concat(classRows, spaceRows, largeRows, monitorRows, jniRows)

// classRows is art::mirror::Class, the same for all pointer sizes.
var classRows = []row{
	mirrorClass("class_loader_", step{26, 8, 8}),
	mirrorClass("component_type_", step{26, 12, 12}),
	mirrorClass("iftable_", step{26, 24, 24}),
	mirrorClass("name_", step{26, 28, 28}),
	mirrorClass("ifields_", step{26, 40, 40}, step{36, Unknown, Unknown}),
	mirrorClass("sfields_", step{26, 56, 56}, step{36, Unknown, Unknown}),
	mirrorClass("fields_", step{36, 40, 40}), // both kinds in one array
	mirrorClass("access_flags_", step{26, 64, 64}, step{36, 56, 56}),
	mirrorClass("class_flags_", step{26, 68, 68}, step{36, 60, 60}),
	mirrorClass("class_size_", step{26, 72, 72}, step{36, 64, 64}),
	mirrorClass("num_reference_instance_fields_", step{26, 88, 88}, step{36, 80, 80}),
	mirrorClass("num_reference_static_fields_", step{26, 92, 92}, step{36, 84, 84}),
	mirrorClass("object_size_", step{26, 96, 96}, step{36, 88, 88}),
	mirrorClass("primitive_type_", step{26, 104, 104}, step{36, 96, 96}),
	// A plain int until 8.1, in the highest four bits from 9 on; numbers below
	// zero are errors in the plain form.
	mirrorClass("status_.shift", step{26, 0, 0}, step{28, 28, 28}),
	{"sizeof(Class)", "runtime/mirror/class.h", []step{{26, 120, 120}, {36, 112, 112}, {37, 108, 108}}, nil},
	{"ClassStatus.kVerifyingAtRuntime", "runtime/class_status.h", []step{{28, 10, 10}, {30, Unknown, Unknown}}, nil},
	{"ClassStatus.is_signed", "runtime/mirror/class.h", []step{{26, 1, 1}, {28, 0, 0}}, nil},
}

func mirrorClass(member string, steps ...step) row {
	return row{"Class." + member, "runtime/mirror/class.h", steps, nil}
}

// spaceRows is art::gc::Heap and its continuous spaces.
var spaceRows = []row{
	{"Heap.continuous_spaces_", "runtime/gc/heap.h", []step{{26, 0, 0}}, nil},
	{"Heap.discontinuous_spaces_", "runtime/gc/heap.h", []step{{26, 24, 12}}, nil},
	{"Space.name_", "runtime/gc/space/space.h", []step{{26, 8, 4}}, nil},
	{"ContinuousSpace.begin_", "runtime/gc/space/space.h", []step{{26, 40, 20}}, oneString},
	{"ContinuousSpace.end_", "runtime/gc/space/space.h", []step{{26, 48, 24}}, oneString},
	{"ContinuousSpace.limit_", "runtime/gc/space/space.h", []step{{26, 56, 28}}, oneString},
	{"ContinuousMemMapAllocSpace.live_bitmap_", "runtime/gc/space/space.h",
		[]step{{26, 80, 40}, {29, 144, 76}}, spaceMap},
	{"ContinuousMemMapAllocSpace.mark_bitmap_", "runtime/gc/space/space.h",
		[]step{{26, 88, 44}, {29, 152, 80}, {30, 272, 144}}, markedSpace},
	// A pointer until 10, a member from 11 on.
	{"SpaceBitmap.is_member", "runtime/gc/space/space.h", []step{{26, 0, 0}, {30, 1, 1}}, nil},
	{"SpaceBitmap.bitmap_begin_", "runtime/gc/accounting/space_bitmap.h", []step{{26, 8, 4}, {29, 72, 40}},
		[]step{{29, 8, 12}}},
	{"SpaceBitmap.bitmap_size_", "runtime/gc/accounting/space_bitmap.h", []step{{26, 16, 8}, {29, 80, 44}},
		[]step{{29, 8, 12}}},
	{"SpaceBitmap.heap_begin_", "runtime/gc/accounting/space_bitmap.h", []step{{26, 24, 12}, {29, 88, 48}},
		[]step{{29, 8, 12}}},
	{"RegionSpace.num_regions_", "runtime/gc/space/region_space.h",
		[]step{{26, 176, 100}, {28, 168, 100}, {29, 216, 128}, {30, 576, 320}}, spaceMaps},
	{"RegionSpace.regions_", "runtime/gc/space/region_space.h",
		[]step{{26, 192, 108}, {28, 200, 116}, {29, 248, 144}, {30, 608, 336}, {31, 616, 348}}, spaceMaps},
	{"RegionSpace.mark_bitmap_", "runtime/gc/space/region_space.h",
		[]step{{26, 304, 164}, {28, 312, 172}, {29, 352, 200}, {30, 736, 404}, {31, 744, 416}}, regionMark},
	{"Region.begin_", "runtime/gc/space/region_space.h", []step{{26, 8, 4}, {29, 16, 8}}, nil},
	{"Region.top_", "runtime/gc/space/region_space.h", []step{{26, 16, 8}, {29, 32, 16}}, nil},
	{"Region.end_", "runtime/gc/space/region_space.h", []step{{26, 24, 12}, {29, 40, 20}}, nil},
	{"Region.live_bytes_", "runtime/gc/space/region_space.h", []step{{26, 56, 28}, {29, 8, 4}}, nil},
	{"Region.state_", "runtime/gc/space/region_space.h", []step{{26, 32, 16}, {29, 62, 34}}, nil},
	{"Region.type_", "runtime/gc/space/region_space.h", []step{{26, 33, 17}, {29, 63, 35}}, nil},
	{"sizeof(Region)", "runtime/gc/space/region_space.h", []step{{26, 80, 40}, {29, 64, 36}}, nil},
	{"BumpPointerSpace.main_block_size_", "runtime/gc/space/bump_pointer_space.h",
		[]step{{29, 224, 136}, {30, 584, 328}}, spaceMaps},
	{"BumpPointerSpace.num_blocks_", "runtime/gc/space/bump_pointer_space.h",
		[]step{{29, 232, 140}, {30, 592, 332}, {34, Unknown, Unknown}}, spaceMaps},
	{"BumpPointerSpace.block_sizes_", "runtime/gc/space/bump_pointer_space.h", []step{{34, 592, 332}}, spaceMaps},
	{"AtomicStack.back_index_", "runtime/gc/accounting/atomic_stack.h", []step{{26, 32, 16}, {29, 96, 52}}, spaceMap},
	{"AtomicStack.begin_", "runtime/gc/accounting/atomic_stack.h", []step{{26, 40, 24}, {29, 104, 60}}, spaceMap},
	{"sizeof(ImageHeader)", "runtime/image.h", []step{{26, 216, 216}, {28, 232, 232}, {29, 248, 248}, {30, 256, 256},
		{31, 248, 248}, {34, 256, 256}, {35, 264, 264}}, nil},
}

// largeRows is the spaces of large objects.
var largeRows = []row{
	{"LargeObjectSpace.num_bytes_allocated_", "runtime/gc/space/large_object_space.h",
		[]step{{26, 64, 32}, {29, 104, 64}, {30, 344, 192}}, largeSpace},
	{"LargeObjectSpace.num_objects_allocated_", "runtime/gc/space/large_object_space.h",
		[]step{{26, 72, 40}, {29, 112, 72}, {30, 352, 200}}, largeSpace},
	{"LargeObjectSpace.begin_", "runtime/gc/space/large_object_space.h",
		[]step{{26, 96, 64}, {29, 136, 96}, {30, 376, 224}}, largeSpace},
	{"LargeObjectSpace.end_", "runtime/gc/space/large_object_space.h",
		[]step{{26, 104, 68}, {29, 144, 100}, {30, 384, 228}}, largeSpace},
	{"LargeObjectMapSpace.large_objects_", "runtime/gc/space/large_object_space.h",
		[]step{{26, 176, 112}, {28, 168, 112}, {29, 152, 104}, {30, 392, 232}}, largeSpace},
	{"FreeListSpace.allocation_info_", "runtime/gc/space/large_object_space.h",
		[]step{{26, 128, 80}, {29, 296, 184}, {30, 536, 312}}, freeList},
	{"FreeListSpace.free_end_", "runtime/gc/space/large_object_space.h",
		[]step{{26, 176, 116}, {29, 304, 188}, {30, 544, 316}}, freeList},
}

// monitorRows is art::Monitor, which has no containers.
var monitorRows = []row{
	{"Monitor.owner_", "runtime/monitor.h", []step{{26, 96, 60}, {28, 88, 60}, {29, 72, 52}, {30, 48, 36}}, nil},
	{"Monitor.lock_count_", "runtime/monitor.h", []step{{26, 104, 64}, {28, 96, 64}, {29, 80, 56}, {30, 56, 40}}, nil},
	{"Monitor.obj_", "runtime/monitor.h", []step{{26, 108, 68}, {28, 100, 68}, {29, 84, 60}, {30, 60, 44}}, nil},
	{"Monitor.wait_set_", "runtime/monitor.h", []step{{26, 112, 72}, {28, 104, 72}, {29, 88, 64}, {30, 64, 48}}, nil},
	{"Monitor.hash_code_", "runtime/monitor.h", []step{{29, 104, 72}, {30, 80, 56}}, nil},
	// lock_owner_method_ and lock_owner_dex_pc_ since 11.
	{"Monitor.locking_method_", "runtime/monitor.h", []step{{29, 112, 76}, {30, 96, 64}}, nil},
	{"Monitor.locking_dex_pc_", "runtime/monitor.h", []step{{29, 120, 80}, {30, 104, 68}}, nil},
	{"Monitor.monitor_id_", "runtime/monitor.h", []step{{29, 124, 84}, {30, 128, 80}}, nil},
	{"MonitorPool.monitor_chunks_", "runtime/monitor_pool.h", []step{{26, 0, Unknown}}, nil},
	tlsPtr("wait_next", 120, 60),
}

// jniRows is JNI's tables of references. Until 12L IrtEntry has three slots, and serial_ names the live one;
// since 13 it has one.
var jniRows = []row{
	{"JavaVMExt.globals_", "runtime/jni/java_vm_ext.h", []step{{26, 64, 32}}, oneString},
	{"JavaVMExt.weak_globals_", "runtime/jni/java_vm_ext.h", []step{{26, 136, 72}, {29, 200, 108}, {34, 192, 100}},
		spaceMap},
	{"JNIEnvExt.locals_", "runtime/jni/jni_env_ext.h", []step{{26, 32, 16}, {35, 24, 12}}, nil},
	{"JNIEnvExt.monitors_", "runtime/jni/jni_env_ext.h", []step{{29, 176, 96}, {34, 128, 68}, {35, Unknown, Unknown}},
		[]step{{29, 8, 12}, {34, 0, 0}}},
	{"IndirectReferenceTable.table_", "runtime/indirect_reference_table.h",
		[]step{{26, 16, 8}, {29, 80, 44}, {34, 72, 40}}, []step{{29, 8, 12}}},
	// In segment_state_ until 13.
	{"IndirectReferenceTable.top_index_", "runtime/indirect_reference_table.h",
		[]step{{26, 0, 0}, {34, 88, 48}, {37, 168, 92}}, []step{{34, 8, 12}}},
	{"sizeof(IrtEntry)", "runtime/indirect_reference_table.h", []step{{26, 16, 16}, {33, 8, 8}}, nil},
	{"LocalReferenceTable.segment_state_", "runtime/jni/local_reference_table.h", []step{{34, 0, 0}, {35, 4, 4}}, nil},
	{"LocalReferenceTable.small_table_", "runtime/jni/local_reference_table.h",
		[]step{{34, 16, 12}, {35, 16, 16}}, nil},
	{"LocalReferenceTable.tables_", "runtime/jni/local_reference_table.h", []step{{34, 24, 16}, {35, 24, 20}}, nil},
}
