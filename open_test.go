package coredbg

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/sym"
)

// TestOpenSaysWhereOnce: the file is named once.
func TestOpenSaysWhereOnce(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{self, t.TempDir(), self + ".none"} {
		_, err = Open(path, Options{})
		if err == nil {
			t.Fatalf("%s opened", path)
		}
		if n := strings.Count(err.Error(), path); n != 1 || !strings.HasPrefix(err.Error(), "opening "+path+": ") {
			t.Errorf("%s is named %d times in %q", path, n, err)
		}
	}
}

// TestIsEntry: GCC and Clang name what they split off FUNCTION.cold,
// FUNCTION.cold.N.
func TestIsEntry(t *testing.T) {
	for name, want := range map[string]bool{
		"main": true, "main.cold": false, "hot.part.0.cold": false, "hot.cold.1": false,
		"hot.constprop.0": true, "_ZN5store4coldEv": true, "x.coldly": true,
	} {
		if got := isEntry(sym.Symbol{Name: name, Kind: core.SymFunc}); got != want {
			t.Errorf("%s: %t, want %t", name, got, want)
		}
	}
	if isEntry(sym.Symbol{Name: "table", Kind: core.SymObject}) {
		t.Error("data is entered")
	}
}

// TestOpenHeapSnapshot: a heap snapshot answers what a heap answers.
func TestOpenHeapSnapshot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.heapsnapshot")
	err := os.WriteFile(path, []byte(`{"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count"],
"node_types":[["object","synthetic"],"string","number","number","number"],"edge_fields":["type","name_or_index","to_node"],
"edge_types":[["property"],"string_or_number","node"]},"node_count":3,"edge_count":2},
"nodes":[1,0,1,0,1, 0,1,3,16,1, 0,2,5,24,0],"edges":[0,0,5, 0,3,10],"strings":["","Cache","Entry","first"]}`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	s, err := Open(path, Options{Stdout: &stdout, Stderr: &stderr})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, line := range []string{"::status", "5::gcroot", "3::retained", "::stacks"} {
		s.Run(context.Background(), line)
	}
	for _, want := range []string{"V8 heap snapshot", "Entry: property first", "40 100.0% Cache"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("no %q in\n%s%s", want, &stdout, &stderr)
		}
	}
}

// TestKinds: the error for a file that people take for a core names its kind, and gives advice.
func TestKinds(t *testing.T) {
	tar := make([]byte, 512)
	copy(tar, "core.1234")
	copy(tar[257:], "ustar")
	for data, want := range map[string]string{
		"PK\x03\x04\x14\x00": "a zip archive", string(tar): "a tar archive", "BZh91AY&SY\x00": "bzip2 -dc",
		"KDUMP   \x06\x00": "the Linux kernel",
	} {
		path := filepath.Join(t.TempDir(), "core")
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path, Options{})
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "opening "+path+": it is ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%.10q: %v, want %s", data, err, want)
		}
	}
}
