//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestScripts: all requests are JSON without holes, whatever is drawn, and together they ask each question.
func TestScripts(t *testing.T) {
	seen := map[string]bool{}
	check := func(text string) {
		var m struct {
			Command string
			Params  struct{ Name string }
		}
		if err := json.Unmarshal([]byte(text), &m); err != nil ||
			strings.ContainsAny(text, "%\n") && !strings.Contains(text, "::printf") {
			t.Errorf("%v: %s", err, text)
		}
		seen[m.Command+m.Params.Name] = true
	}
	for n := range uint64(300) {
		r := rand.New(rand.NewPCG(1, n))
		for l := range strings.Lines(mcpScript(r)) {
			check(strings.TrimSuffix(l, "\n"))
		}
		in := bufio.NewReader(strings.NewReader(dapScript(r, `/x/"core`)))
		for {
			head, err := in.ReadString('\n')
			if err == io.EOF {
				break
			}
			size, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(head, "Content-Length: ")))
			if err != nil {
				t.Fatal(err)
			}
			body := make([]byte, size+2)
			if _, err := io.ReadFull(in, body); err != nil {
				t.Fatal(err)
			}
			check(string(body[2:]))
		}
	}
	for _, q := range append(tools, commands...) {
		if !seen[q.name] {
			t.Errorf("%s is never asked", q.name)
		}
	}
}

// TestScriptsDamaged: some of the scripts for a protocol are damaged, and the others are not.
func TestScriptsDamaged(t *testing.T) {
	damaged := 0
	for n := range uint64(60) {
		r := rand.New(rand.NewPCG(1, n))
		whole := mcpScript(rand.New(rand.NewPCG(1, n)))
		args := []string{"mcp", "core"}
		name, err := script(r, t.TempDir(), &args)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != whole {
			damaged++
		}
	}
	if damaged < 10 || damaged > 30 {
		t.Errorf("%d of 60 scripts are damaged, want about 20", damaged)
	}
}
