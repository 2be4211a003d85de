// Package schema has the JSON Schema (draft 2020-12) of the records that coredbg
// prints with -json. A test of cmd/coredbg writes records.json from the declarations
// of the records, as it writes docs/json.md.
//
// LIMITATIONS: values of programs, whose shape the program decides, have no schema of
// their own: they match anything.
package schema

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed records.json
var text []byte

// Text returns the schema of all records as it is committed.
func Text() []byte { return slices.Clone(text) }

const refPrefix = "#/$defs/"

// A document is a schema with the parts that Of and Defs hand out.
type document struct {
	Schema string                     `json:"$schema"`
	Title  string                     `json:"title"`
	Any    []reference                `json:"anyOf"`
	Defs   map[string]json.RawMessage `json:"$defs"`
}

type reference struct {
	Ref      string   `json:"$ref"`
	Required []string `json:"required"`
}

// whole is the schema, read once.
var whole = sync.OnceValues(func() (*document, error) {
	d := &document{}
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("the schema of the records: %w", err)
	}
	return d, nil
})

// Types returns the types of all records, sorted.
func Types() ([]string, error) {
	d, err := whole()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, r := range d.Any {
		names = append(names, strings.TrimPrefix(r.Ref, refPrefix))
	}
	return names, nil
}

// For returns a schema that matches only records of the given types. An unknown type is an error.
func For(types ...string) (json.RawMessage, error) {
	d, err := whole()
	if err != nil {
		return nil, err
	}
	part := &document{Schema: d.Schema, Title: d.Title, Defs: map[string]json.RawMessage{}}
	for _, name := range types {
		i := slices.IndexFunc(d.Any, func(r reference) bool { return r.Ref == refPrefix+name })
		if i < 0 {
			return nil, fmt.Errorf("there is no record of type %q", name)
		}
		part.Any = append(part.Any, d.Any[i])
		d.follow(name, part.Defs)
	}
	return json.MarshalIndent(part, "", "  ")
}

// Defs returns the definitions that records of the given types need, by name.
func Defs(types ...string) (map[string]json.RawMessage, error) {
	d, err := whole()
	if err != nil {
		return nil, err
	}
	defs := map[string]json.RawMessage{}
	for _, name := range types {
		if _, ok := d.Defs[name]; !ok {
			return nil, fmt.Errorf("there is no record of type %q", name)
		}
		d.follow(name, defs)
	}
	return defs, nil
}

// follow adds a definition and all definitions that it refers to.
func (d *document) follow(name string, into map[string]json.RawMessage) {
	def, ok := d.Defs[name]
	if _, seen := into[name]; seen || !ok {
		return
	}
	into[name] = def
	rest := string(def)
	for {
		_, after, found := strings.Cut(rest, refPrefix)
		if !found {
			return
		}
		to, tail, _ := strings.Cut(after, `"`)
		d.follow(to, into)
		rest = tail
	}
}
