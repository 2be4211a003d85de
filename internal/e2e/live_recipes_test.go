package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"coredbg/core/coretest"

	"coredbg"
)

// TestLiveRecipes: with the recipes of docs/recipes.md the containers of home.cc hold what the program has
// written down; without them they are structs.
func TestLiveRecipes(t *testing.T) {
	page, err := os.ReadFile("../../docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, ok := strings.Cut(string(page), "```recipes\n")
	example, _, closed := strings.Cut(example, "```")
	if !ok || !closed {
		t.Fatal("docs/recipes.md has no example")
	}
	path := filepath.Join(t.TempDir(), "recipes")
	if err := os.WriteFile(path, []byte("acme::Vec sequence\n"+example+"acme::Dict bucket ptr=x\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range coretest.Live(t) {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) { checkRecipes(t, filepath.Dir(file), path) })
	}
}

func checkRecipes(t *testing.T, dir, path string) {
	written, err := os.ReadFile(filepath.Join(dir, "out.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	s, err := coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{Recipes: []string{path}, Stdout: &stdout,
		Stderr: &stderr})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := stderr.String(); strings.Count(got, "\n") != 2 || !strings.Contains(got, path+":1: want paths") ||
		!strings.Contains(got, path+":8: want a type, a kind and paths") {
		t.Errorf("it says %q", got)
	}
	s.JSON = true
	for line := range strings.Lines(string(written)) {
		name, text, ok := strings.Cut(strings.TrimSpace(line), " ")
		if strings.Contains(name, `"`) {
			end := strings.Index(line, `"]`) + 2
			name, text = line[:end], strings.TrimSpace(line[end:])
		}
		if !ok {
			continue
		}
		text, part := strings.CutPrefix(text, "~")
		stdout.Reset()
		if err := s.Run(t.Context(), "::print '"+name+"'"); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got struct{ Value any }
		var want any
		if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if !reflect.DeepEqual(got.Value, want) && !(part && has(got.Value, want)) && !sameElements(got.Value, want) {
			t.Errorf("%s is %v, want %v", name, got.Value, want)
		}
	}
	plain := openValues(t, filepath.Join(dir, "truth.json"))
	if v := records[struct{ Value any }](t, plain, "::print numbers"); len(v) != 1 ||
		reflect.TypeOf(v[0].Value).Kind() != reflect.Map {
		t.Errorf("without recipes numbers is %v", v)
	}
}

// has reports whether a list has objects with at least the members of those wanted, in their order.
func has(got, want any) bool {
	list, ok1 := got.([]any)
	wanted, ok2 := want.([]any)
	if !ok1 || !ok2 || len(list) != len(wanted) {
		return false
	}
	for i := range list {
		x, ok := list[i].(map[string]any)
		if !ok {
			return false
		}
		for k, v := range wanted[i].(map[string]any) {
			if !reflect.DeepEqual(x[k], v) {
				return false
			}
		}
	}
	return true
}

// sameElements reports whether two lists of pairs have the same ones: the order of a hash table is nobody's.
func sameElements(got, want any) bool {
	list, ok1 := got.([]any)
	wanted, ok2 := want.([]any)
	if !ok1 || !ok2 || len(list) != len(wanted) {
		return false
	}
	for _, w := range wanted {
		if pair, ok := w.([]any); !ok || len(pair) != 2 {
			return false
		}
		found := false
		for _, g := range list {
			found = found || reflect.DeepEqual(g, w)
		}
		if !found {
			return false
		}
	}
	return true
}
