package oat

import (
	"encoding/binary"
	"errors"
	"fmt"

	"coredbg/core"
)

// A File is an oat file in memory.
type File struct {
	Begin   core.Addr // oatdata
	Size    uint64    // bytes that offsets may reach
	Version int

	Checksum       uint32
	InstructionSet string
	Features       uint32 // bits, whose meaning depends on the instruction set
	DexFileCount   uint32
	Executable     uint32 // offset of the code
	// Offsets are the header's other words with their upstream names, for trampolines and the like. A missing
	// one is 0; only the boot image has them all.
	Offsets []Offset
	// Store are keys and values: "compiler-filter", "dex2oat-cmdline".
	Store []Pair

	dexFiles uint32 // offset of the list
	mem      core.Memory
}

// An Offset is a word of the header.
type Offset struct {
	Name  string
	Value uint32
}

// A Pair is an entry of the store.
type Pair struct{ Key, Value string }

// ErrNotOat is returned for memory that does not begin as an oat file does.
var ErrNotOat = errors.New("not an oat file")

// Magic reports whether b begins as oatdata does: "oat\n", three digits, NUL.
func Magic(b []byte) bool {
	if len(b) < 8 || string(b[:4]) != "oat\n" || b[7] != 0 {
		return false
	}
	for _, c := range b[4:7] {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// The words of the header after magic and version, with the first version that has them and the first that has
// them no more; 0 is never. For a word with a range the boundary is between two releases, and its exact place
// is unknown.
var words = []struct {
	name       string
	from, upTo int
}{
	{"oat_checksum", 0, 0},
	{"instruction_set", 0, 0},
	{"instruction_set_features_bitmap", 0, 0},
	{"dex_file_count", 0, 0},
	{"oat_dex_files_offset", 131, 0},
	{"bcp_bss_info_offset", 189, 0},
	{"base_oat_offset", 252, 0},
	{"executable_offset", 0, 0},
	{"interpreter_to_interpreter_bridge_offset", 0, 158},
	{"interpreter_to_compiled_code_bridge_offset", 0, 158},
	{"jni_dlsym_lookup_trampoline_offset", 0, 0},
	{"jni_dlsym_lookup_critical_trampoline_offset", 178, 0},
	{"quick_generic_jni_trampoline_offset", 0, 0},
	{"quick_imt_conflict_trampoline_offset", 0, 0},
	{"quick_resolution_trampoline_offset", 0, 0},
	{"quick_to_interpreter_bridge_offset", 0, 0},
	{"nterp_trampoline_offset", 190, 0},
	{"image_patch_delta", 0, 158},
	{"image_file_location_oat_checksum", 0, 158},
	{"image_file_location_oat_data_begin", 0, 158},
}

// releases are the versions of Android's releases, whose words are known: an unknown version is tried as the
// nearest release.
var releases = []int{124, 131, 138, 170, 183, 195, 199, 225, 230, 239, 251, 259, 275}

// Bounds on what a header may ask for.
const (
	maxStore    = 1 << 20
	maxPairs    = 256
	maxDexFiles = 1 << 14
)

// wordsOf lists the words of a version's header.
func wordsOf(version int) []string {
	var names []string
	for _, w := range words {
		if version >= w.from && (w.upTo == 0 || version < w.upTo) {
			names = append(names, w.name)
		}
	}
	return names
}

// Open reads the header at begin; size bounds its offsets, in bytes.
func Open(mem core.Memory, begin core.Addr, size uint64) (*File, error) {
	var b [8]byte
	if _, err := mem.ReadAt(b[:], begin); err != nil {
		return nil, fmt.Errorf("oat: header at %v: %w", begin, err)
	}
	if !Magic(b[:]) {
		return nil, fmt.Errorf("oat: header at %v: %w", begin, ErrNotOat)
	}
	version := int(b[4]-'0')*100 + int(b[5]-'0')*10 + int(b[6]-'0')
	if version < releases[0] {
		return nil, fmt.Errorf("oat: header at %v: version %03d is not known", begin, version)
	}
	var first error
	for _, names := range candidates(version) {
		f := &File{Begin: begin, Size: size, Version: version, mem: mem}
		err := f.read(names)
		if err == nil {
			return f, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, fmt.Errorf("oat: header of version %03d at %v: %w", version, begin, first)
}

// candidates returns the possible words of a version's header, the likeliest first: the table's, then the words
// of the releases around it.
func candidates(version int) [][]string {
	list := [][]string{wordsOf(version)}
	for i, r := range releases {
		if r > version || i == len(releases)-1 {
			list = append(list, wordsOf(r))
			if i > 0 {
				list = append(list, wordsOf(releases[i-1]))
			}
			break
		}
	}
	return list
}

// read reads the header as if it had the given words.
func (f *File) read(names []string) error {
	c := core.NewCursor(f.mem, binary.LittleEndian, 4)
	at := f.Begin + 8
	f.dexFiles = 0
	for _, n := range names {
		v := c.U32(at)
		at += 4
		switch n {
		case "oat_checksum":
			f.Checksum = v
		case "instruction_set":
			f.InstructionSet = instructionSet(f.Version, v)
		case "instruction_set_features_bitmap":
			f.Features = v
		case "dex_file_count":
			f.DexFileCount = v
		case "oat_dex_files_offset":
			f.dexFiles = v
		case "executable_offset":
			f.Executable = v
		default:
			f.Offsets = append(f.Offsets, Offset{n, v})
		}
	}
	size := c.U32(at)
	at += 4
	if err := c.Err(); err != nil {
		return err
	}
	if size > maxStore {
		return fmt.Errorf("key_value_store_size is %#x", size)
	}
	if f.DexFileCount > maxDexFiles {
		return fmt.Errorf("dex_file_count is %d", f.DexFileCount)
	}
	if f.dexFiles == 0 { // before version 131 the list follows
		f.dexFiles = uint32(at-f.Begin) + size
	}
	return f.readStore(at, size)
}

// readStore reads keys and values, each ending with a NUL; from version 259 on
// values may be padded with more of them.
func (f *File) readStore(at core.Addr, size uint32) error {
	b, err := core.ReadBytes(f.mem, at, uint64(size))
	if err != nil {
		return err
	}
	for len(b) > 0 && len(f.Store) < maxPairs {
		if b[0] == 0 {
			b = b[1:]
			continue
		}
		key, rest, ok := cut(b)
		value, after, ok2 := cut(rest)
		if !ok || !ok2 || !isKey(key) {
			return fmt.Errorf("the store of keys and values at %v has no key at %v", at, at+core.Addr(int(size)-len(b)))
		}
		f.Store = append(f.Store, Pair{key, value})
		b = after
	}
	return nil
}

// cut returns the text before the first NUL of b.
func cut(b []byte) (text string, rest []byte, ok bool) {
	for i, c := range b {
		if c == 0 {
			return string(b[:i]), b[i+1:], true
		}
	}
	return "", nil, false
}

// isKey reports whether s is like the keys of the store: small letters, digits
// and hyphens.
func isKey(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return s != ""
}

// Value returns a value of the store.
func (f *File) Value(key string) (string, bool) {
	for _, p := range f.Store {
		if p.Key == key {
			return p.Value, true
		}
	}
	return "", false
}

// instructionSet names an InstructionSet, whose numbers moved when riscv64 came
// in Android 14.
func instructionSet(version int, v uint32) string {
	names := []string{"none", "arm", "arm64", "thumb2", "x86", "x86_64", "mips", "mips64"}
	if version >= 230 {
		names = []string{"none", "arm", "arm64", "thumb2", "riscv64", "x86", "x86_64"}
	}
	if int(v) < len(names) {
		return names[v]
	}
	return fmt.Sprintf("instruction set %d", v)
}
