package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"coredbg/cmd/coredbg/schema"
)

// A schemaNode is a JSON Schema; its keys are written in this order.
type schemaNode struct {
	Ref         string       `json:"$ref,omitempty"`
	Type        any          `json:"type,omitempty"`
	Const       string       `json:"const,omitempty"`
	Pattern     string       `json:"pattern,omitempty"`
	Description string       `json:"description,omitempty"`
	AnyOf       []schemaNode `json:"anyOf,omitempty"`
	Items       *schemaNode  `json:"items,omitempty"`
	Properties  *schemaKeys  `json:"properties,omitempty"`
	Values      *schemaNode  `json:"additionalProperties,omitempty"`
	Required    []string     `json:"required,omitempty"`
}

// schemaKeys are properties in the order of their declaration.
type schemaKeys struct {
	names []string
	nodes map[string]schemaNode
}

func (k *schemaKeys) set(name string, n schemaNode) {
	if k.nodes == nil {
		k.nodes = map[string]schemaNode{}
	}
	if _, ok := k.nodes[name]; !ok {
		k.names = append(k.names, name)
	}
	k.nodes[name] = n
}

func (k *schemaKeys) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range k.names {
		if i > 0 {
			b.WriteByte(',')
		}
		node, err := json.Marshal(k.nodes[name])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", name, node)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// A schemaWriter makes the definitions that a schema needs.
type schemaWriter struct {
	*source
	defs map[string]schemaNode
}

// itself are types that write themselves, by how: the types in json.md, and text.
var itself = map[string]schemaNode{
	"core.Addr": {Type: "string", Pattern: "^0x[0-9a-f]+$"}, "core.Prot": {Type: "string"},
	"walk.Trust": {Type: "string"}, "runtimes.CauseKind": {Type: "string"}, "walk/frame.Trust": {Type: "string"},
	"crash/bugs.Confidence": {Type: "string"}, "encoding/json.RawMessage": {}, "runtimes/v8/inspect.Value": {},
	"commands/values/view.Node": {}, "time.Time": {Type: "string"},
}

// object returns the schema of a struct's keys.
func (w *schemaWriter) object(d *declaration) schemaNode {
	n := schemaNode{Type: "object", Properties: &schemaKeys{}}
	w.members(d, &n)
	return n
}

func (w *schemaWriter) members(d *declaration, n *schemaNode) {
	for _, f := range d.fields.List {
		tag := tagOf(f)
		key, options, _ := strings.Cut(tag.Get("json"), ",")
		switch {
		case key == "-" || tag.Get("record") != "":
			continue
		case len(f.Names) == 0 && key == "": // embedded
			if of := w.lookup(d, f.Type); of != nil {
				always := n.Required
				w.members(of, n)
				if _, pointer := f.Type.(*ast.StarExpr); pointer {
					n.Required = always
				}
			}
			continue
		case key == "" || !ast.IsExported(f.Names[0].Name):
			continue
		}
		x := w.value(d, f.Type)
		text := strings.Join(strings.Fields(f.Comment.Text()), " ")
		if text == "" {
			text = strings.Join(strings.Fields(f.Doc.Text()), " ")
		}
		x.Description = text
		if strings.Contains(options, "string") {
			x = schemaNode{Type: "string", Description: text}
		}
		n.Properties.set(key, x)
		if !strings.Contains(options, "omit") && !strings.Contains(text, "absent") {
			n.Required = append(n.Required, key)
		}
	}
}

// value returns the schema of a type's values.
func (w *schemaWriter) value(d *declaration, x ast.Expr) schemaNode {
	switch x := x.(type) {
	case *ast.StarExpr:
		return orNull(w.value(d, x.X))
	case *ast.ArrayType:
		if id, ok := x.Elt.(*ast.Ident); ok && id.Name == "byte" && x.Len == nil {
			return schemaNode{Type: []string{"string", "null"}, Description: "base64"}
		}
		items := w.value(d, x.Elt)
		return schemaNode{Type: []string{"array", "null"}, Items: &items}
	case *ast.MapType:
		values := w.value(d, x.Value)
		return schemaNode{Type: []string{"object", "null"}, Values: &values}
	case *ast.IndexExpr: // out.Object
		values := w.value(d, x.Index)
		return schemaNode{Type: "object", Values: &values}
	case *ast.StructType:
		return w.object(&declaration{pkg: d.pkg, file: d.file, fields: x.Fields})
	case *ast.SelectorExpr:
		return w.reference(w.qualified(d, x))
	case *ast.Ident:
		switch x.Name {
		case "string":
			return schemaNode{Type: "string"}
		case "bool":
			return schemaNode{Type: "boolean"}
		case "float32", "float64":
			return schemaNode{Type: "number"}
		case "byte", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64",
			"uintptr", "rune":
			return schemaNode{Type: "integer"}
		case "any", "error":
			return schemaNode{}
		}
		return w.reference(d.pkg + "." + x.Name)
	}
	return schemaNode{}
}

func orNull(n schemaNode) schemaNode {
	if n.Ref != "" {
		return schemaNode{AnyOf: []schemaNode{n, {Type: "null"}}}
	}
	if t, ok := n.Type.(string); ok {
		n.Type = []string{t, "null"}
	}
	return n
}

// reference returns the schema of a named type.
func (w *schemaWriter) reference(name string) schemaNode {
	if n, ok := itself[name]; ok {
		return n
	}
	if name == "commands.Frames" {
		return schemaNode{Type: []string{"array", "null"}, Items: &schemaNode{Ref: "#/$defs/frame"}}
	}
	if d := w.structs[name]; d != nil {
		if types, ok := d.types(); ok {
			return schemaNode{Ref: "#/$defs/" + types[0]}
		}
		def := strings.ReplaceAll(name, "/", ".")
		if _, ok := w.defs[def]; !ok {
			w.defs[def] = schemaNode{} // it may refer to itself
			w.defs[def] = w.object(d)
		}
		return schemaNode{Ref: "#/$defs/" + def}
	}
	if made := w.made[name]; made != "" {
		pkg, _, _ := strings.Cut(name, ".")
		return w.value(&declaration{pkg: pkg}, ast.NewIdent(made))
	}
	return schemaNode{}
}

// frameKeys are the keys that the commands of a runtime add to a frame (stack.Extra). TestLiveRecords finds
// keys that are missing here.
var frameKeys = []struct {
	key  string
	node schemaNode
}{
	{"this", schemaNode{Description: "of JavaScript: a value"}},
	{"args", schemaNode{Type: "array", Description: "of JavaScript: the values of the arguments"}},
	{"arguments", schemaNode{Type: "object", Description: "of native code: the values of the arguments by their names"}},
	{"locals", schemaNode{Type: "object", Description: "of JavaScript and Java: the values of the variables by their names"}},
	{"locks", schemaNode{Description: "of Java: the monitors that the frame waits for or holds"}},
	{"dex_pc", schemaNode{Description: "of Java: the position in the method's code, in units of the code"}},
	{"signature", schemaNode{Type: "string", Description: "of Java: the types of the method's parameters and its result"}},
	{"frame", schemaNode{Description: "of Java: the address of the frame itself"}},
}

// record returns the schema of a type of record, which several structs may declare.
func (w *schemaWriter) record(name string, of []*declaration) schemaNode {
	var all []schemaNode
	for _, d := range of {
		n := w.object(d)
		n.Properties.names = slices.DeleteFunc(n.Properties.names, func(k string) bool { return k == "type" })
		n.Properties.names = slices.Insert(n.Properties.names, 0, "type")
		n.Properties.nodes = maps.Clone(n.Properties.nodes)
		if n.Properties.nodes == nil {
			n.Properties.nodes = map[string]schemaNode{}
		}
		n.Properties.nodes["type"] = schemaNode{Const: name}
		n.Required = slices.DeleteFunc(n.Required, func(k string) bool { return k == "type" })
		n.Description = d.summary()
		if name == "frame" {
			for _, x := range frameKeys {
				n.Properties.set(x.key, x.node)
			}
		}
		all = append(all, n)
	}
	if len(all) == 1 {
		return all[0]
	}
	return schemaNode{AnyOf: all}
}

// TestSchema compares the schema of coredbg schema with the declarations of the records;
// -update writes it.
func TestSchema(t *testing.T) {
	w := &schemaWriter{source: readSource(t), defs: map[string]schemaNode{}}
	byType := map[string][]*declaration{}
	for _, d := range w.records {
		types, _ := d.types()
		for _, name := range types {
			byType[name] = append(byType[name], d)
		}
	}
	root := struct {
		Schema string                `json:"$schema"`
		Title  string                `json:"title"`
		AnyOf  []schemaNode          `json:"anyOf"`
		Defs   map[string]schemaNode `json:"$defs"`
	}{Schema: "https://json-schema.org/draft/2020-12/schema", Title: "A record of coredbg -json"}
	for _, name := range slices.Sorted(maps.Keys(byType)) {
		root.AnyOf = append(root.AnyOf, schemaNode{Ref: "#/$defs/" + name, Required: []string{"type"}})
		w.defs[name] = w.record(name, byType[name])
	}
	root.Defs = w.defs
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(root); err != nil {
		t.Fatal(err)
	}
	comparePage(t, "schema/records.json", b.String())
}

// recordSchemas returns what validates a record, by its type.
func recordSchemas(t *testing.T) map[string]*jsonschema.Resolved {
	t.Helper()
	types, err := schema.Types()
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]*jsonschema.Resolved{}
	for _, name := range types {
		text, err := schema.For(name)
		if err != nil {
			t.Fatal(err)
		}
		var s jsonschema.Schema
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if of[name], err = s.Resolve(nil); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return of
}

// conform reports the lines that the schema of their type does not match.
func conform(t *testing.T, schemas map[string]*jsonschema.Resolved, line, text string) {
	t.Helper()
	for l := range strings.Lines(text) {
		var v map[string]any
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Errorf("%s: %v in %.200s", line, err, l)
			continue
		}
		name, _ := v["type"].(string)
		s := schemas[name]
		if s == nil {
			t.Errorf("%s: no schema has the type %q", line, name)
			continue
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%s: %v\n%.400s", line, err, l)
		}
	}
}
