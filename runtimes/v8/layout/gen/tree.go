package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/layout/gen/cxx"
	"coredbg/runtimes/v8/layout/gen/torque"
)

// A tree is a checkout of V8, or as much of one as there is.
type tree struct {
	root    string
	version layout.Version
}

// openTree finds V8's sources in a folder: its own, Node's, Chromium's.
func openTree(dir string) (*tree, error) {
	for _, sub := range []string{".", "deps/v8", "v8"} {
		root := filepath.Join(dir, sub)
		text, err := os.ReadFile(filepath.Join(root, "include/v8-version.h"))
		if err != nil {
			continue
		}
		t := &tree{root: root}
		for name, p := range map[string]*int{"V8_MAJOR_VERSION": &t.version.Major, "V8_MINOR_VERSION": &t.version.Minor,
			"V8_BUILD_NUMBER": &t.version.Build, "V8_PATCH_LEVEL": &t.version.Patch} {
			m := regexp.MustCompile(name + ` (\d+)`).FindSubmatch(text)
			if m == nil {
				return nil, fmt.Errorf("%s: include/v8-version.h: no %s", root, name)
			}
			fmt.Sscan(string(m[1]), p)
		}
		return t, nil
	}
	return nil, fmt.Errorf("%s: no include/v8-version.h", dir)
}

// open returns the text of a file of the tree by the name that it is included by.
func (t *tree) open(name string) (string, bool) {
	for _, dir := range []string{"", "include"} {
		text, err := os.ReadFile(filepath.Join(t.root, dir, filepath.FromSlash(name)))
		if err == nil {
			return string(text), true
		}
	}
	return "", false
}

// files returns the names of the files under dir that end in suffix, sorted.
func (t *tree) files(dir, suffix string) []string {
	var out []string
	filepath.WalkDir(filepath.Join(t.root, dir), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, suffix) {
			name, _ := filepath.Rel(t.root, path)
			out = append(out, filepath.ToSlash(name))
		}
		return nil
	})
	slices.Sort(out)
	return out
}

// machine are the macros of a compiler for x86-64 Linux, and the options that the
// embedders known here build V8 with.
var machine = []string{
	"__x86_64__", "__linux__", "__GNUC__=12", "__clang__", "__cplusplus=202002L", "_LP64", "__LP64__", "NDEBUG",
	"__BYTE_ORDER__=1234", "__ORDER_LITTLE_ENDIAN__=1234", "__ORDER_BIG_ENDIAN__=4321",
	"V8_TARGET_ARCH_X64", "V8_HAVE_TARGET_OS", "V8_TARGET_OS_LINUX",
}

// buildOptions are those build options, which Torque knows too.
var buildOptions = []string{
	"V8_INTL_SUPPORT", "V8_ENABLE_WEBASSEMBLY", "V8_ENABLE_SPARKPLUG", "V8_ENABLE_MAGLEV", "V8_ENABLE_TURBOFAN",
	"V8_ENABLE_LEAPTIERING",
	"V8_ENABLE_JAVASCRIPT_PROMISE_HOOKS", "V8_ENABLE_CONTINUATION_PRESERVED_EMBEDDER_DATA", "V8_SHORT_BUILTIN_CALLS",
	"V8_ENABLE_LAZY_SOURCE_POSITIONS", "V8_ATOMIC_OBJECT_FIELD_WRITES", "V8_SCRIPTORMODULE_LEGACY_LIFETIME",
}

// build returns the macros and Torque's conditions of a variant.
func build(v layout.Variant) (defines []string, flags map[string]bool) {
	on := slices.Clone(buildOptions)
	if v.TaggedSize == 4 {
		on = append(on, "V8_COMPRESS_POINTERS", "V8_COMPRESS_POINTERS_IN_SHARED_CAGE", "V8_31BIT_SMIS_ON_64BIT_ARCH",
			"V8_EXTERNAL_CODE_SPACE")
	}
	if v.Sandbox {
		on = append(on, "V8_ENABLE_SANDBOX")
	}
	flags = map[string]bool{"TAGGED_SIZE_8_BYTES": v.TaggedSize == 8, "V8_SFI_NEEDS_PADDING": v.TaggedSize == 8,
		"WASM_CODE_POINTER_NEEDS_PADDING": v.TaggedSize == 8}
	for _, o := range on {
		flags[o] = true
	}
	return slices.Concat(machine, on), flags
}

// A source is a tree that was read for a variant.
type source struct {
	*tree
	variant layout.Variant
	torque  *torque.Program
	types   []torque.InstanceType
	macros  *cxx.Preprocessor
	global  *cxx.Scope
	env     cxx.Env // inside of v8::internal
}

// headers are the files to read in addition to src/objects.
var headers = []string{
	"src/common/globals.h", "src/execution/frame-constants.h", "src/execution/frames.h", "src/interpreter/bytecodes.h",
	"src/interpreter/bytecode-register.h", "src/deoptimizer/translation-opcode.h", "src/deoptimizer/deoptimizer.h",
	"src/roots/roots.h",
	"src/codegen/safepoint-table.h", "src/codegen/handler-table.h", "src/codegen/x64/register-x64.h",
	"src/builtins/builtins-definitions.h",
	"src/execution/isolate-data.h", "src/heap/memory-chunk.h", "src/heap/memory-chunk-layout.h",
	"src/roots/static-roots.h",
	"src/builtins/builtins.h", "src/execution/isolate.h",
}

// read reads a tree as it is built for a variant.
func read(t *tree, v layout.Variant) (*source, error) {
	defines, flags := build(v)
	s := &source{tree: t, variant: v, torque: torque.NewProgram(flags)}
	for _, dir := range []string{"src", "third_party/v8/builtins", "test/torque"} {
		for _, name := range t.files(dir, ".tq") {
			text, _ := t.open(name)
			s.torque.Add(name, text)
		}
	}
	s.types = s.torque.InstanceTypes()
	size := torque.Sizes{Tagged: v.TaggedSize, External: 8, CppHeap: v.TaggedSize, Trusted: v.TaggedSize}
	if v.Sandbox {
		size.External, size.Trusted = 4, 4
	}
	generated := s.torque.Files(size)
	s.macros = cxx.NewPreprocessor(defines, func(name string) (string, bool) {
		if text, ok := generated[name]; ok {
			return text, true
		}
		return t.open(name)
	})
	names := slices.DeleteFunc(t.files("src/objects", ".h"), func(n string) bool {
		return strings.HasSuffix(n, "-inl.h") || strings.Contains(n, "object-macros")
	})
	for _, name := range slices.Concat(headers, names) {
		s.macros.Include(name)
	}
	s.global = cxx.Parse(s.macros.Tokens())
	v8 := s.global.Names["v8"]
	if v8 == nil || v8.Scope.Names["internal"] == nil {
		return nil, fmt.Errorf("%s: no namespace v8::internal in its headers", t.root)
	}
	s.env = cxx.Global(v8.Scope.Names["internal"].Scope)
	return s, nil
}
