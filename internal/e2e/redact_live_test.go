package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"

	"coredbg"
	"coredbg/core/coretest"
	"coredbg/report"
	"coredbg/stack"
)

// TestRedactLive redacts the core of a program that spreads its secrets, and
// looks for each of them in every byte that was written.
func TestRedactLive(t *testing.T) {
	for _, dir := range coretest.Live(t) {
		for _, stacks := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s stacks=%v", filepath.Base(dir), stacks), func(t *testing.T) {
				text, err := os.ReadFile(filepath.Join(dir, "values.txt"))
				if err != nil {
					t.Fatal(err)
				}
				core := filepath.Join(dir, "core")
				all, contents, cdb := redacted(t, core, stacks)
				t.Log(contents)
				original, _ := os.ReadFile(core)
				for value := range strings.Lines(string(text)) {
					value = strings.TrimSuffix(value, "\n")
					for name, copies := range encoded(value) {
						if bytes.Contains(all, copies) {
							t.Errorf("%.40q is left as %s", value, name)
						}
						if name == "bytes" && !bytes.Contains(original, copies) {
							t.Errorf("%.40q was never there", value)
						}
					}
					for i := 0; i+8 <= len(value); i++ {
						if bytes.Contains(all, []byte(value[i:i+8])) {
							t.Errorf("%q of %.40q is left", value[i:i+8], value)
							break
						}
					}
				}
				page := reportOf(t, cdb)
				for value := range strings.Lines(string(text)) {
					if strings.Contains(page, strings.TrimSuffix(value, "\n")) {
						t.Errorf("%.40q is in the report", value)
					}
				}
				if got, want := stackNames(t, cdb), stackNames(t, core); got != want {
					t.Errorf("the stacks are now\n%s\nand were\n%s", got, want)
				}
			})
		}
	}
}

// reportOf returns what coredbg report -redact writes of a redacted bundle, without the
// encoding of the drawing in it.
func reportOf(t *testing.T, cdb string) string {
	t.Helper()
	s, err := coredbg.Open(cdb, coredbg.Options{Stdout: io.Discard, Stderr: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	page, err := report.New(t.Context(), s, report.Options{Bare: true})
	if err != nil {
		t.Fatal(err)
	}
	_, coded, _ := strings.Cut(string(page.Flame.URL), ",")
	drawing, err := base64.StdEncoding.DecodeString(coded)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := page.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String() + string(drawing)
}

// redacted writes a redacted bundle and returns all of its bytes, unpacked, its description of its
// contents, and its path.
func redacted(t *testing.T, core string, stacks bool) (all []byte, contents, path string) {
	t.Helper()
	plan, err := coredbg.PlanBundle(t.Context(), core, coredbg.Options{},
		coredbg.BundleOptions{Redact: true, Stacks: stacks})
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	var packed bytes.Buffer
	if _, err := plan.Write(t.Context(), &packed); err != nil {
		t.Fatal(err)
	}
	r, err := zstd.NewReader(bytes.NewReader(packed.Bytes()[32:])) // after the header
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out bytes.Buffer
	if _, err := out.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "redacted.cdb")
	if err := os.WriteFile(path, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), plan.Contents(), path
}

// encoded returns a value as programs may hold it.
func encoded(value string) map[string][]byte {
	out := map[string][]byte{"bytes": []byte(value)}
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		var w, u []byte
		for _, c := range utf16.Encode([]rune(value)) {
			w = order.AppendUint16(w, c)
		}
		for _, r := range value {
			u = order.AppendUint32(u, uint32(r))
		}
		out[fmt.Sprintf("UTF-16 %v", order)], out[fmt.Sprintf("UTF-32 %v", order)] = w, u
	}
	return out
}

// stackNames returns the frames of all threads in words.
func stackNames(t *testing.T, path string) string {
	t.Helper()
	s, err := coredbg.Open(path, coredbg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Process.Close()
	var b strings.Builder
	for rec := range s.Stacks.All(context.Background(), s.Process.Threads, stack.Options{}) {
		fmt.Fprintf(&b, "%d %v\n", rec.Thread.TID, rec.Stop)
		for _, f := range rec.Frames {
			fmt.Fprintf(&b, "  %v %s+%#x %s:%d %v\n", f.PC, f.Name, f.Offset, f.File, f.Line, f.Trust)
		}
	}
	return b.String()
}
