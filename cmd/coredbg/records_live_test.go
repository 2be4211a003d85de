package main

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coredbg"
	"coredbg/cmd/coredbg/schema"
	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core/coretest"
)

// Bounds for each line of TestLiveRecords.
const (
	mostRecords = 200
	mostTime    = 5 * time.Second
)

// walked are commands that take objects of a walker, whose addresses the examples of other cores cannot have.
var walked = []string{
	"::walk thread | ::stack -v", "::walk thread | ::locals", "::walk frame | ::whatis",
	"::walk jsobject | ::head -n 100 | ::jsprint -d 2", "::walk jsfunction | ::head -n 50 | ::jsclosure",
	"::walk jsobject | ::head -n 50 | ::v8print", "::walk promise | ::asyncstack",
	"::walk javaobject | ::head -n 100 | ::javaprint -d 2", "::walk javathread | ::javastack -v",
	"::walk artmethod | ::head -n 50 | ::codeinfo", "::walk goroutine | ::goroutine",
	"::walk chunk | ::head -n 100 | ::chunk", "::walk symbol | ::head -n 50 | ::whatis",
	"::walk mapping | ::head -n 50 | ::whatis", "::walk jsobject | ::head -n 5 | ::gcroot",
	"::walk javaobject | ::head -n 5 | ::gcroot", "<sp::whatis -v", "<pc::dis", "<sp,20/nap", "<pc,10/i",
}

// TestLiveRecords runs every command on cores of twenty kinds: each record fits the schema of its type, and
// has no key that the schema lacks.
func TestLiveRecords(t *testing.T) {
	dirs := coretest.Live(t)
	schemas, keys := recordSchemas(t), declaredKeys(t)
	lines := walked
	for _, c := range everyCommand() {
		if !slices.Contains([]string{"quit", "log", "!", "load", "eval"}, c.Name) &&
			!strings.ContainsAny(c.Example, "!$") {
			lines = append(lines, c.Example)
		}
		if c.Addr != commands.AddrRequired && c.Args == "" {
			lines = append(lines, "::"+c.Name)
		}
	}
	t.Chdir(t.TempDir())
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			path := filepath.Join(dir, "core")
			if dump := filepath.Join(dir, "dump.dmp"); fileThere(dump) {
				path = dump
			}
			var o coredbg.Options
			if root := filepath.Join(dir, "root"); fileThere(root) {
				o.Sysroot, o.Search = root, []string{root}
			}
			s, err := coredbg.Open(path, o)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			s.Confined = true
			types, n := map[string]int{}, 0
			for _, line := range lines {
				for _, text := range recordsOf(t, s, line) {
					conform(t, schemas, line, text)
					var v map[string]json.RawMessage
					json.Unmarshal([]byte(text), &v)
					var kind string
					json.Unmarshal(v["type"], &kind)
					types[kind]++
					n++
					for k := range v {
						if known := keys[kind]; known != nil && !known[k] {
							t.Errorf("%s: the schema of %s has no key %q", line, kind, k)
						}
					}
				}
			}
			t.Logf("%d records of %d types", n, len(types))
			if n < 300 || len(types) < 30 {
				t.Errorf("%d records of %d types, want 300 of 30: %v", n, len(types), slices.Sorted(maps.Keys(types)))
			}
		})
	}
}

func fileThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// recordsOf returns the first records of a line as JSON.
func recordsOf(t *testing.T, s *coredbg.Session, line string) (list []string) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), mostTime)
	defer stop()
	s.Ask(ctx, line, func(r commands.Record) error {
		b, err := out.Marshal(r)
		if err != nil {
			return errors.Join(errors.New("a record has no JSON"), err)
		}
		if list = append(list, string(b)); len(list) >= mostRecords {
			return lang.ErrStop
		}
		return nil
	})
	return list
}

// declaredKeys returns the keys of records that the schema has, by type. A type that others share, or that
// takes any key, has a nil.
func declaredKeys(t *testing.T) map[string]map[string]bool {
	t.Helper()
	types, err := schema.Types()
	if err != nil {
		t.Fatal(err)
	}
	defs, err := schema.Defs(types...)
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]map[string]bool{}
	for _, name := range types {
		var d struct {
			AnyOf                []json.RawMessage
			Properties           map[string]json.RawMessage
			AdditionalProperties json.RawMessage
		}
		if err := json.Unmarshal(defs[name], &d); err != nil {
			t.Fatal(err)
		}
		if d.AnyOf != nil || d.AdditionalProperties != nil {
			continue
		}
		of[name] = map[string]bool{}
		for k := range d.Properties {
			of[name][k] = true
		}
	}
	return of
}
