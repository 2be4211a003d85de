package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coredbg"
	"coredbg/commands"
)

// htmlEscape finds what encoding/json writes for <, > and & where it is left
// to itself.
var htmlEscape = regexp.MustCompile(`\\u00(3c|3e|26)`)

// TestEveryCommandHasJSON drives each command with -json: every line is one
// object with a type that matches its schema, text is made only by commands whose purpose is text, and
// no character is escaped for HTML.
func TestEveryCommandHasJSON(t *testing.T) {
	cores, err := filepath.Abs("../../testdata/cores")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir()) // one writes files
	schemas := recordSchemas(t)
	sessions := map[string]*commands.Session{}
	outputs := map[string]*bytes.Buffer{}
	// These change how the session decodes or prints.
	alone := []string{"v8load", "v8field", "artload", "artfield", "$d", "set", "thread", "quit"}
	for _, c := range everyCommand() {
		if testing.Short() && c.Module == "v8" {
			continue // it opens a core of Node many times
		}
		core := cmp.Or(valueCores[c.Name], "segv.cdb")
		switch c.Module {
		case "v8", "heap":
			core = "node-24.cdb"
		case "go":
			core = "goroutines.cdb"
		case "malloc":
			core = "leaky.cdb"
		case "art":
			core = cmp.Or(javaCores[c.Name], "art-arm64.cdb")
		}
		if c.Name == "hprof" {
			core = "art-14-graph.cdb"
		}
		key := core
		if slices.Contains(alone, c.Name) {
			key += c.Name
		}
		s := sessions[key]
		if s == nil {
			outputs[key] = &bytes.Buffer{}
			var err error
			if s, err = coredbg.Open(filepath.Join(cores, core),
				coredbg.Options{Stdout: outputs[key], Stderr: &bytes.Buffer{}}); err != nil {
				t.Fatal(err)
			}
			defer s.Process.Close()
			s.JSON = true
			sessions[key] = s
		}
		line := strings.ReplaceAll(c.Example, "0t1234", "0t30840")
		if strings.Contains(line, "!") || strings.HasPrefix(line, "::log") || strings.HasPrefix(line, "$>") ||
			strings.Contains(line, "addresses.txt") {
			continue
		}
		b := outputs[key]
		b.Reset()
		err := s.Run(t.Context(), line)
		checkJSON(t, line, b.String(), c.Name == "echo" || strings.Contains(line, "::echo"))
		conform(t, schemas, line, b.String())
		if _, none := absent[c.Name]; err != nil && c.Name != "quit" &&
			(!none || !strings.Contains(b.String(), `{"type":"error",`)) {
			t.Errorf("%s: %v: %s", line, err, b)
		}
	}
	s, b := sessions["segv.cdb"], outputs["segv.cdb"]
	for _, line := range []string{"::set", "$d", "$P", "::version", "::log", "::vars", "::dmods -l", "::which -v stack",
		"::load native",
		"::help stack", "::help frame", "::help", "::help formats", "$?", "::walkers", "main=K", "main/4i",
		"<rsp,3/nap", "::walk thread | ::wc"} {
		b.Reset()
		if err := s.Run(t.Context(), line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if b.Len() == 0 {
			t.Errorf("%s prints nothing", line)
		}
		checkJSON(t, line, b.String(), false)
		conform(t, schemas, line, b.String())
	}
}

func checkJSON(t *testing.T, line, text string, plain bool) {
	t.Helper()
	for l := range strings.Lines(text) {
		var v struct {
			Type string `json:"type"`
		}
		if err := json.Unmarshal([]byte(l), &v); err != nil || v.Type == "" || v.Type == "text" && !plain {
			t.Errorf("%s: %s: type %q, %v", line, l, v.Type, err)
		}
		if m := htmlEscape.FindString(l); m != "" {
			t.Errorf("%s: %s in %.200s", line, m, l)
		}
	}
}

// TestJSONErrors: with -json a failure is a record in its place, too.
func TestJSONErrors(t *testing.T) {
	dir := t.TempDir()
	if err := writeTiny(dir); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"::nosuch":     `{"type":"error","message":"there is no command ::nosuch (::dcmds lists them)","kind":"failed"}`,
		"::walk":       `{"type":"error","message":"it takes the name of a walker (::walkers lists them)","kind":"usage","command":"::walk","usage":"[ addr ] ::walk name [variable]"}`,
		"1 2":          `{"type":"error","message":"syntax error","kind":"syntax","near":"2"}`,
		"10/X":         `{"type":"error","message":"failed to read 4 bytes of memory at 0x10: not mapped","kind":"memory","addr":"0x10","reason":"not mapped"}`,
		"0/X":          `{"type":"error","message":"failed to read 4 bytes of memory at 0x0: not mapped","kind":"memory","addr":"0x0","reason":"not mapped"}`,
		"jump":         `{"type":"status",`,
		"runaway":      `{"type":"stacks","count":1,`,
		"history":      `{"type":"error","message":"history: the arrow keys`,
		"::echo <a&b>": `{"type":"text","text":"<a&b>"}`,
		"1=X; ::nosuch": `{"type":"value","addr":"0x1","values":[{"format":"X","value":"0x1","text":"1"}]}` + "\n" +
			`{"type":"error",`,
	} {
		var stdout, stderr bytes.Buffer
		s, err := coredbg.Open(filepath.Join(dir, "core"), coredbg.Options{Sysroot: filepath.Join(dir, "sysroot"),
			Stdout: &stdout, Stderr: &stderr})
		if err != nil {
			t.Fatal(err)
		}
		s.JSON = true
		s.Run(t.Context(), line)
		if !strings.HasPrefix(stdout.String(), want) {
			t.Errorf("%s: %q, want %q", line, stdout.String(), want)
		}
		s.Process.Close()
	}
}
