package layout

import (
	"fmt"
	"regexp"
	"testing"
)

// A member of a C++ class has the name of its row, if it has one, and a size in each layout.
type member struct {
	name  string
	bytes func(l *Layout) int
}

func word(l *Layout) int { return l.PtrSize }
func four(*Layout) int   { return 4 }
func flag(*Layout) int   { return 1 }

// stdString is std::string: three words, or {data, size, 16 bytes}.
func stdString(l *Layout) int {
	if l.Library == LibCxx {
		return 3 * l.PtrSize
	}
	return 2*l.PtrSize + 16
}

// memMap is art::MemMap (libartbase/base/mem_map.h), or until Android 9 a pointer to it.
func memMap(l *Layout) int {
	if l.SDK < 29 {
		return l.PtrSize
	}
	at, _ := laidOut(l, []member{{"", stdString}, {"", word}, {"", word}, {"", word}, {"", word}, {"", four},
		{"", flag}, {"", flag}, {"", word}})
	return at
}

// bitmap is art::gc::accounting::ContinuousSpaceBitmap (space_bitmap.h), or until Android 10 a pointer to it.
func bitmap(l *Layout) int {
	if l.SDK < 30 {
		return l.PtrSize
	}
	at, _ := laidOut(l, spaceBitmap)
	return at
}

// aligned returns where a member of n bytes may begin, from at on.
func aligned(l *Layout, at, n int) int {
	to := min(n, l.PtrSize)
	if n > 1 && to < 4 {
		to = 4
	}
	return (at + to - 1) / to * to
}

// laidOut lays members out one after the other. It returns where they end, and where the named ones are.
func laidOut(l *Layout, members []member) (end int, at map[string]int) {
	at = map[string]int{}
	for _, m := range members {
		n := m.bytes(l)
		end = aligned(l, end, n)
		if m.name != "" {
			at[m.name] = end
		}
		end += n
	}
	return aligned(l, end, l.PtrSize), at
}

var spaceBitmap = []member{{"", memMap}, {"SpaceBitmap.bitmap_begin_", word}, {"SpaceBitmap.bitmap_size_", word},
	{"SpaceBitmap.heap_begin_", word}, {"", word}, {"", stdString}}

// continuousSpace is ContinuousMemMapAllocSpace with its base classes (runtime/gc/space/space.h): Space {vtable, name,
// policy}, ContinuousSpace {begin, end, limit}, MemMapSpace {map} and AllocSpace {vtable}.
var continuousSpace = []member{{"", word}, {"Space.name_", stdString}, {"", four}, {"ContinuousSpace.begin_", word},
	{"ContinuousSpace.end_", word}, {"ContinuousSpace.limit_", word}, {"", memMap}, {"", word},
	{"ContinuousMemMapAllocSpace.live_bitmap_", bitmap}, {"ContinuousMemMapAllocSpace.mark_bitmap_", bitmap},
	{"", bitmap}}

// TestMembers lays classes out by their declarations in AOSP, with the strings of both libraries.
func TestMembers(t *testing.T) {
	for _, c := range []struct {
		class    string
		from, to int
		members  []member
	}{
		{"SpaceBitmap", 26, 37, spaceBitmap},
		{"ContinuousMemMapAllocSpace", 26, 37, continuousSpace},
		// atomic_stack.h: the index in front comes between.
		{"AtomicStack", 26, 37, []member{{"", stdString}, {"", memMap}, {"AtomicStack.back_index_", four}, {"", four},
			{"AtomicStack.begin_", word}}},
		// intern_table.h: a flag and a ConditionVariable {name, lock, two numbers} come before.
		{"InternTable", 26, 37, []member{{"", flag}, {"", word}, {"", word}, {"", four}, {"", four},
			{"InternTable.strong_interns_", word}}},
		// indirect_reference_table.h: the kind comes before top_index_.
		{"IndirectReferenceTable", 26, 33, []member{{"IndirectReferenceTable.top_index_", four}, {"", memMap},
			{"IndirectReferenceTable.table_", word}}},
		{"IndirectReferenceTable", 34, 36, []member{{"", memMap}, {"IndirectReferenceTable.table_", word}, {"", four},
			{"IndirectReferenceTable.top_index_", word}}},
	} {
		for sdk := c.from; sdk <= c.to; sdk++ {
			for _, width := range []int{8, 4} {
				for _, library := range []Library{LibCxx, LibStdCxx} {
					l := NewLayout(sdk, width, library)
					_, want := laidOut(l, c.members)
					got := column{sdk, width, library}.facts()
					for name, at := range want {
						if got[name] != at {
							t.Errorf("%v: %s is %d, want %d", l, name, got[name], at)
						}
					}
				}
			}
		}
	}
}

// TestNeighbours checks members that are known by the one before or after them, in all versions from one on
// and before another: runtime/runtime.h, runtime/monitor.h, runtime/jni/local_reference_table.h,
// runtime/gc/space/region_space.h, bump_pointer_space.h.
func TestNeighbours(t *testing.T) {
	for _, c := range []struct {
		name, beside string
		from, to     int
		distance     func(l *Layout) int
	}{
		{"Runtime.intern_table_", "Runtime.class_linker_", 26, 37, func(l *Layout) int { return -l.PtrSize }},
		{"BumpPointerSpace.num_blocks_", "BumpPointerSpace.main_block_size_", 29, 33, word},
		{"BumpPointerSpace.block_sizes_", "BumpPointerSpace.main_block_size_", 34, 37, word},
		{"Runtime.jit_code_cache_", "Runtime.jit_", 29, 37, word},
		{"Monitor.lock_count_", "Monitor.owner_", 26, 37, word},
		{"Monitor.obj_", "Monitor.lock_count_", 26, 37, four},
		{"Monitor.wait_set_", "Monitor.obj_", 26, 37, four},
		// wake_set_ comes between
		{"Monitor.hash_code_", "Monitor.wait_set_", 29, 37, func(l *Layout) int { return 2 * l.PtrSize }},
		{"Monitor.locking_method_", "Monitor.hash_code_", 29, 29, word},
		{"Monitor.locking_dex_pc_", "Monitor.locking_method_", 29, 37, word},
		{"Monitor.monitor_id_", "Monitor.locking_dex_pc_", 29, 29, four},
		{"sizeof(ArtMethod)", "ArtMethod.ptr_sized_fields_.entry_point_from_quick_compiled_code_", 26, 37, word},
		{"ArtMethod.ptr_sized_fields_.entry_point_from_quick_compiled_code_",
			"ArtMethod.ptr_sized_fields_.data_", 26, 37, word},
		{"LocalReferenceTable.tables_", "LocalReferenceTable.small_table_", 34, 37, word},
		{"Thread.tlsPtr_.pthread_self", "Thread.tlsPtr_.name", 26, 37, word},
		{"RegionSpace.mark_bitmap_", "RegionSpace.regions_", 30, 37, func(l *Layout) int { return 8 + 15*l.PtrSize }},
	} {
		for sdk := c.from; sdk <= c.to; sdk++ {
			for _, width := range []int{8, 4} {
				facts := column{sdk, width, LibCxx}.facts()
				if got, want := facts[c.name]-facts[c.beside], c.distance(NewLayout(sdk, width, LibCxx)); got != want {
					t.Errorf("SDK %d, %d bit: %s is %d after %s, want %d", sdk, 8*width, c.name, got, c.beside, want)
				}
			}
		}
	}
}

// TestSameWidths checks that numbers are the same in processes of 64 and of 32 bit, in classes without
// pointers: mirror::Object's have references of 32 bit, and art_method.h begins with numbers as well.
func TestSameWidths(t *testing.T) {
	same := regexp.MustCompile(`^(Class|DexCache|ClassStatus)\.|^sizeof\(Class|^Thread\.tls32_|^ArtMethod\.[a-oq-z]`)
	n := 0
	for sdk := OldestSDK; sdk <= NewestSDK; sdk++ {
		narrow := column{sdk, 4, LibCxx}.facts()
		for name, at := range (column{sdk, 8, LibCxx}).facts() {
			if same.MatchString(name) {
				if n++; narrow[name] != at {
					t.Errorf("SDK %d: %s is at %d and %d", sdk, name, at, narrow[name])
				}
			}
		}
	}
	if n < 400 {
		t.Errorf("%d numbers", n)
	}
}

// TestStrings checks what libstdc++ adds to offsets: by each std::string in front 8 bytes, or 12 in processes
// of 32 bit, by each std::map or std::set 24, or 12; in some classes numbers of 8 bytes come after it.
func TestStrings(t *testing.T) {
	for _, c := range []struct {
		name       string
		steps      []step
		counts     [][3]int // since which SDK, strings, maps
		multipleOf int
	}{
		{"oneString", oneString, [][3]int{{26, 1, 0}}, 4},
		{"spaceMap", spaceMap, [][3]int{{26, 1, 0}, {29, 2, 0}}, 4},
		{"spaceMaps", spaceMaps, [][3]int{{26, 1, 0}, {29, 2, 0}, {30, 2 + 3*2, 0}}, 4},
		{"largeSpace", largeSpace, [][3]int{{26, 1, 0}, {29, 1, 0}, {30, 1 + 2*2, 0}}, 8},
		{"freeList", freeList, [][3]int{{26, 1, 0}, {29, 1 + 2, 0}, {30, 1 + 2 + 2*2, 0}}, 8},
		{"markedSpace", markedSpace, [][3]int{{26, 1, 0}, {29, 2, 0}, {30, 2 + 2, 0}}, 4},
		{"regionMark", regionMark, [][3]int{{26, 1, 0}, {29, 2, 0}, {30, 2 + 3*2, 1}}, 4},
		{"runtimeStrings", runtimeStrings, [][3]int{{26, 3, 0}}, 4},
	} {
		var want []step
		for _, n := range c.counts {
			narrow := 12*n[1] + 12*n[2]
			if n[0] > 26 { // no build of 8 or 9 with libstdc++ is known
				narrow = (narrow + c.multipleOf - 1) / c.multipleOf * c.multipleOf
			}
			want = append(want, step{n[0], 8*n[1] + 24*n[2], narrow})
		}
		if fmt.Sprint(c.steps) != fmt.Sprint(want) {
			t.Errorf("%s is %v, want %v", c.name, c.steps, want)
		}
	}
}
