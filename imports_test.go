package coredbg_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layers lists the packages of the module from the vocabulary up. A package may import packages of its
// own line and of the lines above it, except for the exceptions below. A name that ends in "/" stands
// for a whole folder.
var layers = [][]string{
	{"coredbg/chart"},
	{"coredbg/core"},
	{"coredbg/core/file"},
	{"coredbg/core/find"},
	{"coredbg/core/store/journal"},
	{"coredbg/core/store"},
	{"coredbg/core/debugframe"},
	{"coredbg/core/breakpad"},
	{"coredbg/core/pe"},
	{"coredbg/core/elf/format", "coredbg/core/macho/format"},
	{"coredbg/core/elf/note", "coredbg/core/macho/thread", "coredbg/core/macho/fixup"},
	{"coredbg/core/elf", "coredbg/core/macho"},
	{"coredbg/core/macho/cache"},
	{"coredbg/core/elf/elfcore", "coredbg/core/macho/machocore", "coredbg/core/tls"},
	{"coredbg/core/minidump", "coredbg/core/dwarf", "coredbg/core/dwarf/", "coredbg/core/debuginfod"},
	{"coredbg/core/bundle/span", "coredbg/core/bundle/secret"},
	{"coredbg/core/sym", "coredbg/core/sym/", "coredbg/core/bundle", "coredbg/core/insn", "coredbg/core/jit"},
	{"coredbg/core/bundle/redact"},
	{"coredbg/core/bundle/pack"},
	{"coredbg/walk", "coredbg/walk/"},
	{"coredbg/runtimes/layout", "coredbg/runtimes/heap"},
	{"coredbg/runtimes"},
	{"coredbg/runtimes/"},
	{"coredbg/stack"},
	{"coredbg/crash/"},
	{"coredbg/crash"},
	{"coredbg/commands/lang", "coredbg/commands/out"},
	{"coredbg/commands/foreign"},
	{"coredbg/commands"},
	{"coredbg/commands/"},
	{"coredbg"},
	{"coredbg/triage/lend"},
	{"coredbg/triage", "coredbg/report"},
	{"coredbg/corpus", "coredbg/export", "coredbg/collect"},
	{"coredbg/cmd/"},
	{"coredbg/internal/"},
	{"coredbg/bench/"},
}

// closed names packages that may import, of this module, only what is listed.
var closed = map[string][]string{
	"coredbg/chart":             {},
	"coredbg/core":              {},
	"coredbg/core/file":         {"coredbg/core"},
	"coredbg/core/elf/format":   {"coredbg/core"},
	"coredbg/core/elf/note":     {"coredbg/core", "coredbg/core/elf/format"},
	"coredbg/core/macho/format": {"coredbg/core"},
	"coredbg/core/macho/thread": {"coredbg/core", "coredbg/core/macho/format"},
	"coredbg/core/macho/fixup":  {"coredbg/core", "coredbg/core/macho/format"},
	"coredbg/core/macho/cache":  {"coredbg/core", "coredbg/core/macho", "coredbg/core/macho/format"},
	"coredbg/core/dwarf": {"coredbg/core", "coredbg/core/dwarf/encoded", "coredbg/core/dwarf/format",
		"coredbg/core/dwarf/index", "coredbg/core/dwarf/nametable"},
	"coredbg/core/dwarf/encoded":   {},
	"coredbg/core/dwarf/format":    {"coredbg/core"},
	"coredbg/core/dwarf/nametable": {"coredbg/core", "coredbg/core/dwarf/format", "coredbg/core/dwarf/index"},
	"coredbg/core/bundle/span":     {"coredbg/core"},
	"coredbg/core/bundle/secret":   {},
	"coredbg/core/bundle": {"coredbg/core", "coredbg/core/file", "coredbg/core/find",
		"coredbg/core/bundle/span"},
	"coredbg/runtimes/layout":     {},
	"coredbg/runtimes/heap":       {"coredbg/core"},
	"coredbg/runtimes/juc":        {"coredbg/core", "coredbg/runtimes", "coredbg/runtimes/java"},
	"coredbg/runtimes/java":       {"coredbg/core", "coredbg/runtimes"},
	"coredbg/runtimes/java/leaks": {"coredbg/core", "coredbg/runtimes/heap", "coredbg/runtimes/java"},
	"coredbg/runtimes/java/query": {"coredbg/core", "coredbg/runtimes/heap", "coredbg/runtimes/java"},
	"coredbg/commands/lang":       {"coredbg/core"},
	"coredbg/commands/out":        {"coredbg/core"},
	"coredbg/commands/foreign":    {"coredbg/commands/lang"},
	"coredbg/walk/frame":          {"coredbg/core"},
	"coredbg/walk/kernel":         {"coredbg/core"},
	"coredbg/walk/isa":            {"coredbg/core", "coredbg/walk/frame"},
	"coredbg/walk/isa/x86":        {"coredbg/core", "coredbg/walk/isa"},
	"coredbg/walk/isa/arm64":      {"coredbg/core", "coredbg/walk/isa"},
	"coredbg/walk/isa/m68k":       {"coredbg/core", "coredbg/walk/isa"},
	"coredbg/walk/isa/track":      {"coredbg/core", "coredbg/walk/isa"},
}

// houses lists the rooms of the packages that have several, from the lowest up: a room imports only
// earlier ones. The folder itself, the facade, comes last.
var houses = map[string][]string{
	"coredbg/walk": {"cfi", "compact", "ehabi", "frame", "isa", "isa/x86", "isa/arm64", "isa/m68k",
		"isa/track", "isa/sets", "kernel", "tables", "site", "leave", "step", "signal", "function", "scan", "chain"},
	"coredbg/core/dwarf": {"encoded", "format", "index", "nametable"},
	"coredbg/core/sym":   {"packed", "lines", "pcln"},
	"coredbg/runtimes/v8": {"embedded", "layout", "bytecode", "wasm", "pattern", "syntax", "sourcemap", "code",
		"text", "object", "source", "promise", "wasmcode", "callsite", "reference", "page", "heap", "frame", "getter",
		"ecma", "library", "eval", "embedder", "inspect", "amend", "fit", "original", "leak"},
	"coredbg/runtimes/art": {"dex", "codeinfo", "oat", "property", "layout", "code", "object", "frame", "heap",
		"hprof", "sync", "inspect"},
	"coredbg/runtimes/hotspot": {"vmstructs", "moving", "object", "code", "vm", "frame", "heap", "hprof", "sync"},
	"coredbg/runtimes/deno":    {"sourcemaps"},
	"coredbg/runtimes/node":    {"member", "cxx", "uv", "tasks", "binding", "leak"},
	"coredbg/commands/js":      {"target", "names", "realm", "frames", "console"},
	"coredbg/cmd/coredbg":      {"schema", "ask", "mcp", "dap", "cmdline", "terminal"},
	"coredbg/runtimes/malloc": {"block", "glibc", "gtcmalloc", "jemalloc", "mimalloc", "musl", "oldmalloc", "pymalloc",
		"tcmalloc", "slots", "class", "leaks", "typed", "managed", "graph", "faults"},
	"coredbg/crash": {"bugs", "where", "kernel", "origin", "fault", "wait"},
}

// siblings are folders whose packages do not import each other, except for the packages that serve all
// of them.
var siblings = map[string][]string{
	"coredbg/runtimes/": {"coredbg/runtimes/layout", "coredbg/runtimes/heap", "coredbg/runtimes/heap/heapsnapshot",
		"coredbg/runtimes/heap/hprof/format", "coredbg/runtimes/machine", "coredbg/runtimes/juc",
		"coredbg/runtimes/java", "coredbg/runtimes/java/leaks", "coredbg/runtimes/java/query"},
	"coredbg/commands/": {"coredbg/commands/lang", "coredbg/commands/out", "coredbg/commands/foreign"},
}

// owners names the packages that may import a library: none, where only tests do.
var owners = map[string]string{
	"github.com/ianlancetaylor/demangle":  "coredbg/core/sym",
	"github.com/peterh/liner":             "coredbg/cmd/coredbg/terminal",
	"github.com/fatih/color":              "coredbg/commands/out",
	"golang.org/x/arch":                   "coredbg/core/insn coredbg/runtimes/machine",
	"github.com/klauspost/compress":       "coredbg/core/file coredbg/core/bundle",
	"github.com/ulikunitz/xz":             "coredbg/core/file",
	"github.com/pierrec/lz4":              "coredbg/core/file",
	"github.com/google/pprof":             "coredbg/runtimes/heap/pprof",
	"github.com/landlock-lsm/go-landlock": "coredbg/triage",
	"github.com/modelcontextprotocol":     "coredbg/cmd/coredbg/mcp",
	"github.com/google/go-dap":            "coredbg/cmd/coredbg/dap",
	"github.com/google/jsonschema-go":     "coredbg/cmd/coredbg/mcp",
	"go.starlark.net":                     "coredbg/commands/star",
	"github.com/go-delve/delve":           "",
}

type goPackage struct {
	ImportPath string
	Doc        string
	Imports    []string
	// TestGoFiles are in the package itself; XTestImports are what its external tests import.
	TestGoFiles, XTestImports []string
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,TestGoFiles,XTestImports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var pkgs []goPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p goPackage
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	return pkgs
}

func layerOf(path string) int {
	for i, names := range layers {
		for _, n := range names {
			if path == n || strings.HasSuffix(n, "/") && strings.HasPrefix(path, n) {
				return i
			}
		}
	}
	return -1
}

// TestImportDirection checks the packages against layers.
func TestImportDirection(t *testing.T) {
	for _, p := range listPackages(t) {
		if strings.HasSuffix(p.ImportPath, "test") {
			continue // fakes for tests serve every layer
		}
		layer := layerOf(p.ImportPath)
		if layer < 0 {
			t.Errorf("%s is in no layer", p.ImportPath)
		}
		for _, imp := range p.Imports {
			checkOwner(t, p.ImportPath, imp)
			if !strings.HasPrefix(imp+"/", "coredbg/") {
				continue
			}
			if l := layerOf(imp); l > layer {
				t.Errorf("%s imports %s, a later layer", p.ImportPath, imp)
			}
			if only, ok := closed[p.ImportPath]; ok && !slices.Contains(only, imp) {
				t.Errorf("%s may not import %s", p.ImportPath, imp)
			}
			for folder, shared := range siblings {
				of, other := below(folder, p.ImportPath), below(folder, imp)
				if of != "" && other != "" && of != other && !slices.Contains(shared, imp) &&
					(of != "node" && of != "deno" && of != "blink" || other != "v8" || imp == "coredbg/runtimes/v8") &&
					(of != "deno" || other != "node") {
					t.Errorf("%s imports %s, which is beside it", p.ImportPath, imp)
				}
			}
		}
	}
}

// below returns the folder right below another one that a package is in; "" if it
// is not in there.
func below(folder, path string) string {
	rest, ok := strings.CutPrefix(path, folder)
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

// TestRooms checks the rooms of each house against their order, and finds rooms that are in no list.
func TestRooms(t *testing.T) {
	pkgs := listPackages(t)
	for house, rooms := range houses {
		found := map[string]bool{}
		rank := func(path string) int {
			if path == house {
				return len(rooms)
			}
			return slices.Index(rooms, strings.TrimPrefix(path, house+"/"))
		}
		for _, p := range pkgs {
			if !strings.HasPrefix(p.ImportPath+"/", house+"/") || strings.HasSuffix(p.ImportPath, "test") {
				continue
			}
			found[p.ImportPath] = true
			if rank(p.ImportPath) < 0 {
				t.Errorf("%s is not a room of %s", p.ImportPath, house)
			}
			for _, imp := range p.Imports {
				if strings.HasPrefix(imp+"/", house+"/") && rank(imp) >= rank(p.ImportPath) {
					t.Errorf("%s imports %s, a later room", p.ImportPath, imp)
				}
			}
		}
		for _, r := range rooms {
			if !found[house+"/"+r] {
				t.Errorf("%s/%s does not exist", house, r)
			}
		}
	}
}

func checkOwner(t *testing.T, pkg, imp string) {
	t.Helper()
	for lib, owner := range owners {
		if strings.HasPrefix(imp, lib) && !slices.Contains(strings.Fields(owner), pkg) {
			t.Errorf("%s imports %s, which only %s may", pkg, imp, owner)
		}
	}
}

// printers are the files that may write to standard output: the main files of commands.
var printers = []string{"cmd/coredbg/main.go", "fleet/main.go", "internal/hostile/main.go", "internal/live/main.go",
	"internal/mutate/main.go", "internal/rooms/main.go", "runtimes/v8/layout/gen/main.go", "bench/grouping/main.go"}

// TestOnlyTheCommandPrints finds fmt.Print and its like, and standard output and
// error outside of main, which makes out.Terminals of them: commands emit
// records, and nothing is written that has not been escaped.
func TestOnlyTheCommandPrints(t *testing.T) {
	eachSelector(t, func(path string, pos token.Position, pkg, name string) {
		if pkg == "fmt" && strings.HasPrefix(name, "Print") ||
			pkg == "os" && (name == "Stdout" || name == "Stderr") && !slices.Contains(printers, path) {
			t.Errorf("%v: %s.%s", pos, pkg, name)
		}
	})
}

// eachSelector calls visit with each name that the module's code, without its
// tests, takes from a package.
func eachSelector(t *testing.T, visit func(path string, pos token.Position, pkg, name string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.HasPrefix(path, "testdata/") {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if pkg, ok := sel.X.(*ast.Ident); ok {
					visit(path, fset.Position(n.Pos()), pkg.Name, sel.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestOnlyFileWrites finds code that makes files without core/file: it would lack core/file's care for
// existing files and for access rights.
func TestOnlyFileWrites(t *testing.T) {
	makers := []string{"Create", "CreateTemp", "OpenFile", "WriteFile", "Rename", "Truncate"}
	eachSelector(t, func(path string, pos token.Position, pkg, name string) {
		if pkg == "os" && slices.Contains(makers, name) && !strings.HasPrefix(path, "core/file/") &&
			path != "cmd/coredbg/terminal/editor.go" && // the prompt's history
			!strings.HasPrefix(path, "internal/mutate/") && // a folder of its own, for go build
			!strings.HasPrefix(path, "internal/hostile/") { // copies that are damaged
			t.Errorf("%v: os.%s", pos, name)
		}
	})
}

// TestOnlySystemAsks finds what asks the environment or the clock, or starts
// programs, outside of commands.System: tests could not answer for it. The commands
// below internal, and the helper that finds live cores, are not part of the program.
func TestOnlySystemAsks(t *testing.T) {
	eachSelector(t, func(path string, pos token.Position, pkg, name string) {
		asks := pkg == "exec" && name == "CommandContext" || pkg == "exec" && name == "Command" ||
			pkg == "os" && (name == "Getenv" || name == "LookupEnv" || name == "Environ") ||
			pkg == "time" && (name == "Now" || name == "Since")
		if asks && path != "commands/system.go" && path != "core/coretest/live.go" &&
			!strings.HasPrefix(path, "bench/") && !strings.HasPrefix(path, "internal/") {
			t.Errorf("%v: %s.%s", pos, pkg, name)
		}
	})
}
