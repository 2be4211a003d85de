package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A declaration is a struct in the source of the module.
type declaration struct {
	pkg, file string // the folder and the file
	name      string // of the type; may be ""
	doc       string
	fields    *ast.FieldList
}

// source is the declarations of the module: structs by "folder.Name", the underlying types of the others, and
// all structs that declare a record.
type source struct {
	structs map[string]*declaration
	made    map[string]string // "folder.Name" to the name of a basic type
	imports map[string]map[string]string
	records []*declaration
}

func readSource(t *testing.T) *source {
	t.Helper()
	s := &source{structs: map[string]*declaration{}, made: map[string]string{}, imports: map[string]map[string]string{}}
	for _, root := range []string{"commands", "stack", "core", "runtimes", "walk", "triage", "corpus",
		"cmd/coredbg/mcp"} {
		err := filepath.WalkDir("../../"+root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			return s.read(path)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *source) read(path string) error {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	pkg := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../../")
	s.imports[path] = map[string]string{}
	for _, i := range f.Imports {
		to, _ := strconv.Unquote(i.Path.Value)
		name := to[strings.LastIndexByte(to, '/')+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		s.imports[path][name] = strings.TrimPrefix(to, "coredbg/")
	}
	named := map[*ast.StructType]bool{}
	docs := map[*ast.StructType]string{} // of functions that a struct is in
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			for _, spec := range n.Specs {
				if ts, ok := spec.(*ast.TypeSpec); ok && ts.Doc == nil {
					ts.Doc = n.Doc
				}
			}
		case *ast.FuncDecl:
			ast.Inspect(n, func(x ast.Node) bool {
				if st, ok := x.(*ast.StructType); ok && n.Recv != nil {
					docs[st] = receiver(n)
				}
				return true
			})
		case *ast.TypeSpec:
			switch x := n.Type.(type) {
			case *ast.StructType:
				named[x] = true
				s.add(&declaration{pkg, path, n.Name.Name, n.Doc.Text(), x.Fields})
			case *ast.Ident:
				s.made[pkg+"."+n.Name.Name] = x.Name
			}
		case *ast.StructType:
			if !named[n] {
				d := &declaration{pkg: pkg, file: path, fields: n.Fields}
				if of := s.structs[pkg+"."+docs[n]]; of != nil {
					d.doc = of.doc
				}
				s.add(d)
			}
		}
		return true
	})
	return nil
}

func receiver(f *ast.FuncDecl) string {
	x := f.Recv.List[0].Type
	if p, ok := x.(*ast.StarExpr); ok {
		x = p.X
	}
	id, _ := x.(*ast.Ident)
	return id.Name
}

func (s *source) add(d *declaration) {
	if d.name != "" {
		s.structs[d.pkg+"."+d.name] = d
	}
	if _, ok := d.types(); ok && (strings.HasPrefix(d.pkg, "commands") || d.pkg == "stack" || d.pkg == "triage" ||
		d.pkg == "corpus" || d.pkg == "cmd/coredbg/mcp") {
		s.records = append(s.records, d)
	}
}

func tagOf(f *ast.Field) reflect.StructTag {
	if f.Tag == nil {
		return ""
	}
	text, _ := strconv.Unquote(f.Tag.Value)
	return reflect.StructTag(text)
}

// types returns the types of a record.
func (d *declaration) types() ([]string, bool) {
	for _, f := range d.fields.List {
		if types, ok := tagOf(f).Lookup("record"); ok {
			return strings.Split(types, ","), true
		}
	}
	return nil, false
}

// A jsonKey is a line of the page.
type jsonKey struct{ key, kind, text string }

// keys returns the keys of a struct, including nested structs' keys, up to a depth.
func (s *source) keys(d *declaration, prefix string, depth int) []jsonKey {
	var all []jsonKey
	for _, f := range d.fields.List {
		tag := tagOf(f)
		key, options, _ := strings.Cut(tag.Get("json"), ",")
		if key == "-" || tag.Get("record") != "" {
			continue
		}
		if len(f.Names) == 0 && key == "" { // embedded
			if of := s.lookup(d, f.Type); of != nil {
				all = append(all, s.keys(of, prefix, depth)...)
			}
			continue
		}
		if key == "" {
			continue
		}
		kind, of := s.kind(d, f.Type)
		text := strings.TrimSpace(strings.Join(strings.Fields(f.Comment.Text()), " "))
		if text == "" {
			text = strings.Join(strings.Fields(f.Doc.Text()), " ")
		}
		if options != "" {
			kind += "?"
		}
		all = append(all, jsonKey{prefix + key, kind, text})
		if _, record := typesOf(of); of != nil && depth > 0 && !record {
			sub := prefix + key + "."
			if strings.HasPrefix(kind, "list") {
				sub = prefix + key + "[]."
			}
			all = append(all, s.keys(of, sub, depth-1)...)
		}
	}
	return all
}

func typesOf(d *declaration) ([]string, bool) {
	if d == nil {
		return nil, false
	}
	return d.types()
}

// lookup returns the struct that a type names.
func (s *source) lookup(d *declaration, x ast.Expr) *declaration {
	switch x := x.(type) {
	case *ast.StarExpr:
		return s.lookup(d, x.X)
	case *ast.Ident:
		return s.structs[d.pkg+"."+x.Name]
	case *ast.SelectorExpr:
		return s.structs[s.qualified(d, x)]
	}
	return nil
}

func (s *source) qualified(d *declaration, x *ast.SelectorExpr) string {
	id, _ := x.X.(*ast.Ident)
	return s.imports[d.file][id.Name] + "." + x.Sel.Name
}

// kind returns the JSON form of a type, and the struct in it, if any.
func (s *source) kind(d *declaration, x ast.Expr) (string, *declaration) {
	switch x := x.(type) {
	case *ast.StarExpr:
		return s.kind(d, x.X)
	case *ast.ArrayType:
		kind, of := s.kind(d, x.Elt)
		if kind == "byte" {
			return "string", nil
		}
		return "list of " + kind, of
	case *ast.MapType:
		kind, _ := s.kind(d, x.Value)
		return "object of " + kind, nil
	case *ast.IndexExpr: // out.Object
		kind, _ := s.kind(d, x.Index)
		return "object of " + kind, nil
	case *ast.StructType:
		return "object", &declaration{pkg: d.pkg, file: d.file, fields: x.Fields}
	case *ast.SelectorExpr:
		return s.named(d, s.qualified(d, x))
	case *ast.Ident:
		switch x.Name {
		case "string", "bool", "byte":
			return x.Name, nil
		case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr",
			"float32", "float64":
			return "number", nil
		case "any", "error":
			return "value", nil
		}
		return s.named(d, d.pkg+"."+x.Name)
	}
	return "value", nil
}

// written are types that write themselves.
var written = map[string]string{"core.Addr": "address", "core.Prot": "string", "walk.Trust": "string",
	"runtimes.CauseKind": "string", "commands.Frames": "list of frame",
	"encoding/json.RawMessage": "value", "runtimes/v8/inspect.Value": "value"}

func (s *source) named(d *declaration, name string) (string, *declaration) {
	if w := written[name]; w != "" {
		return w, nil
	}
	if of := s.structs[name]; of != nil {
		if types, ok := of.types(); ok {
			return types[0], of
		}
		return "object", of
	}
	if made := s.made[name]; made != "" {
		return s.kind(d, ast.NewIdent(made))
	}
	return "value", nil
}

var article = regexp.MustCompile(`^(?:An? |The )?\w+ (?:is|declares|are) `)

// summary is the comment of a declaration without the name of the type.
func (d *declaration) summary() string {
	text := strings.Join(strings.Fields(d.doc), " ")
	text = article.ReplaceAllString(text, "")
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

const jsonIntroduction = `# The records of -json

<!-- written by go test ./cmd/coredbg -run TestJSONPage -update -->

` + "`-json`" + ` prints one object a line, whose first key is ` + "`type`" + `. This page is made of the declarations of the records. An
*address* is a string in hexadecimal, ` + "`\"0x7f…\"`" + `; sizes are bytes where nothing else is said. A key with *?* is absent
where the fact is absent, empty, zero or false. Keys may be added to any record: read those that you know. The version
of all of them is ` + "`schema`" + ` in the record of ` + "`::version`" + `. How values of JavaScript and Java look is in
[records.md](records.md).
`

// TestJSONPage compares docs/json.md with the declarations of the records;
// -update writes it.
func TestJSONPage(t *testing.T) {
	s := readSource(t)
	byType := map[string][]*declaration{}
	for _, d := range s.records {
		types, _ := d.types()
		for _, name := range types {
			byType[name] = append(byType[name], d)
		}
	}
	var b strings.Builder
	b.WriteString(jsonIntroduction)
	for _, name := range slices.Sorted(maps.Keys(byType)) {
		fmt.Fprintf(&b, "\n## `%s`\n", name)
		for _, d := range byType[name] {
			if text := d.summary(); text != "" {
				fmt.Fprintf(&b, "\n%s\n", text)
			}
			keys := s.keys(d, "", 3)
			if len(keys) > 0 {
				b.WriteString("\n| key | | |\n|---|---|---|\n")
			}
			for _, k := range keys {
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k.key, k.kind, strings.ReplaceAll(k.text, "|", "\\|"))
			}
		}
	}
	comparePage(t, "../../docs/json.md", b.String())
	t.Logf("%d types", len(byType))
}

// TestJSONPageKnowsAll: the types and keys of the records in the script tests are
// in docs/json.md.
func TestJSONPageKnowsAll(t *testing.T) {
	page, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob("../../testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts", err)
	}
	inScripts := regexp.MustCompile(`"type":"(\w+)"`)
	seen := 0
	for _, path := range scripts {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range inScripts.FindAllSubmatch(text, -1) {
			seen++
			if !strings.Contains(string(page), fmt.Sprintf("\n## `%s`\n", m[1])) {
				t.Errorf("%s: docs/json.md has no record of type %s", filepath.Base(path), m[1])
			}
		}
	}
	if seen == 0 {
		t.Error("no records in scripts")
	}
}
