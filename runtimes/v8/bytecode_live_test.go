package v8_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"coredbg/core/coretest"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// TestBytecodeWhole decodes every function of each core: all of it must decode,
// and jumps, handlers and positions must name bytecodes.
func TestBytecodeWhole(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			h, err := v.Heaps.Snapshot(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, o := range h.All() {
				a, err := v.Objects.BytecodeArray(layout.Tagged(o))
				if err != nil {
					continue
				}
				n++
				checkBytecode(t, a)
			}
			if n < 100 {
				t.Errorf("only %d functions have bytecode", n)
			}
		})
	}
}

func checkBytecode(t *testing.T, a *object.BytecodeArray) {
	t.Helper()
	if a.Problem != nil || a.Assumed != nil {
		t.Errorf("%v %s: %v, assumed %v", a.Word.Addr(), a.Name, a.Problem, a.Assumed)
		return
	}
	begins := map[int]bool{-1: true}
	for _, b := range a.Bytecodes {
		begins[b.Offset] = true
	}
	for _, b := range a.Bytecodes {
		for _, to := range b.Targets {
			if !begins[to] {
				t.Errorf("%s: %s at %d jumps to %d", a.Name, b.Name, b.Offset, to)
			}
		}
	}
	for _, h := range a.Handlers {
		if !begins[h.Start] || !begins[h.Handler] || h.End > a.Length {
			t.Errorf("%s: handler %+v", a.Name, h)
		}
	}
	for _, p := range a.Positions {
		if !begins[p.Offset] {
			t.Errorf("%s: position %+v", a.Name, p)
		}
	}
}

// printedLine is a line that node --print-bytecode writes: position, offset,
// bytes, text.
var printedLine = regexp.MustCompile(`^ *(?:(\d+) ([SE])> )? *0x[0-9a-f]+ @ +(\d+) : ((?:[0-9a-f]{2} )+) *(.*?) *$`)

// printedBytecode has node print the bytecodes of one function of main.js; the
// program itself only compiles.
func printedBytecode(t *testing.T, node, dir, function string) [][]string {
	t.Helper()
	args := []string{"--no-lazy", "--no-flush-bytecode", "--print-bytecode", "--print-bytecode-filter=" + function,
		"-e", "require(" + strconv.Quote(filepath.Join(dir, "main.js")) + ")"}
	cmd := exec.Command(node, args...)
	cmd.Dir = t.TempDir()
	// The program ends by itself: "-e" gives it no mode.
	printed, _ := cmd.Output()
	_, printed, _ = bytes.Cut(printed, []byte("function: "+function))
	printed, _, _ = bytes.Cut(printed, []byte("Constant pool"))
	var out [][]string
	for line := range strings.Lines(string(printed)) {
		if m := printedLine.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			out = append(out, m[1:])
		}
	}
	return out
}

// TestBytecodePrinted compares bytecodes with the listing that the same binary prints.
func TestBytecodePrinted(t *testing.T) {
	functions := []string{"die", "recurse", "turboHot", "midInlinee", "baselineFn", "genDriver", "Shape",
		"spin", "main"}
	for _, dir := range coretest.Live(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			path, err := os.ReadFile(filepath.Join(dir, "node"))
			node := strings.TrimSpace(string(path))
			if err != nil || exec.Command(node, "--version").Run() != nil {
				t.Skip("its node does not run here")
			}
			_, _, v := openLive(t, filepath.Join(dir, "core"))
			found := byName(t, v, "main.js")
			compared := 0
			for _, name := range functions {
				want := printedBytecode(t, node, dir, name)
				if a := found[name]; a != nil && len(want) > 0 {
					compareBytecode(t, a, want)
					compared++
				}
			}
			t.Logf("%d functions", compared)
			if compared < 3 {
				t.Errorf("only %d functions could be compared", compared)
			}
		})
	}
}

// byName returns the functions of a script by name.
func byName(t *testing.T, v *v8.V8, script string) map[string]*object.BytecodeArray {
	t.Helper()
	h, err := v.Heaps.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*object.BytecodeArray{}
	for _, o := range h.All() {
		f, err := v.Objects.Function(layout.Tagged(o))
		if err != nil || filepath.Base(f.File) != script {
			continue
		}
		if a, err := v.Objects.BytecodeArray(layout.Tagged(o)); err == nil {
			out[f.Name] = a
		}
	}
	return out
}

var (
	printedTarget   = regexp.MustCompile(` \(0x[0-9a-f]+ @ (\d+)\)$`)
	printedCases    = regexp.MustCompile(` \{.*\}$`)
	printedConstant = regexp.MustCompile(`\[(\d+):(?:[^][]|\[[^]]*\])*\]`)
	feedbackSlot    = regexp.MustCompile(`FBV\[(\d+)\]|EmbeddedFeedback\[0x([0-9a-f]+)\]|ctx\[(\d+)\]`)
	nativeIndex     = regexp.MustCompile(`CallJSRuntime \[[^\]]*\]`)
)

// plainText removes everything except the operands from the output of later versions.
func plainText(s string) string {
	s = printedCases.ReplaceAllString(printedTarget.ReplaceAllString(s, ""), "")
	s = printedConstant.ReplaceAllString(s, "[$1]")
	s = feedbackSlot.ReplaceAllString(s, "[$1$2$3]")
	return nativeIndex.ReplaceAllString(s, "CallJSRuntime")
}

func compareBytecode(t *testing.T, a *object.BytecodeArray, want [][]string) {
	t.Helper()
	if len(want) != len(a.Bytecodes) {
		t.Errorf("%s: %d bytecodes, node prints %d", a.Name, len(a.Bytecodes), len(want))
		return
	}
	positions := map[int]object.BytecodePosition{}
	for _, p := range a.Positions {
		positions[p.Offset] = p
	}
	for i, b := range a.Bytecodes {
		w := want[i]
		text, embedded := b.Name, false
		for k, o := range b.Operands {
			s := o.Text
			if o.Kind == "embedded feedback" {
				s, embedded = "[0]", true
			}
			if o.Kind == "flag" && strings.HasSuffix(want[i][4], fmt.Sprintf("#%x", o.Value)) {
				s = fmt.Sprintf("#%x", o.Value) // as V8 14.6 writes them
			}
			text += []string{" ", ", "}[min(k, 1)] + s
		}
		text = plainText(strings.ReplaceAll(text, "()", "r0-r0"))
		if off := strconv.Itoa(b.Offset); off != w[2] || text != plainText(w[4]) {
			t.Errorf("%s at %s: %q, node prints %q at %s", a.Name, off, text, w[4], w[2])
		}
		if raw, _ := hex.DecodeString(strings.ReplaceAll(w[3], " ", "")); !bytes.Equal(raw, b.Bytes) && !embedded {
			t.Errorf("%s at %d: % x, node prints %s", a.Name, b.Offset, b.Bytes, w[3])
		}
		if m := printedTarget.FindStringSubmatch(w[4]); m != nil &&
			(len(b.Targets) != 1 || strconv.Itoa(b.Targets[0]) != m[1]) {
			t.Errorf("%s at %d: targets %v, node prints %s", a.Name, b.Offset, b.Targets, m[1])
		}
		p, ok := positions[b.Offset]
		kind := map[bool]string{true: "S", false: "E"}[p.Statement]
		if w[0] != "" && (!ok || strconv.Itoa(p.Position) != w[0] || kind != w[1]) || w[0] == "" && ok {
			t.Errorf("%s at %d: position %+v %v, node prints %s%s", a.Name, b.Offset, p, ok, w[0], w[1])
		}
	}
}
