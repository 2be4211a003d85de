package file

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"

	"github.com/klauspost/compress/zstd"
)

// apportReport returns a report with a core packed as apport does: each part of the stream a line of its own, the
// first one the stream's header.
func apportReport(t *testing.T, packed []byte) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("ProblemType: Crash\nDate: Mon Sep 21 14:13:20 2026\nProcMaps:\n 00400000-00401000 r-xp\nCoreDump: base64\n")
	for at, n := 0, 10; at < len(packed); at, n = at+n, 5000 {
		n = min(n, len(packed)-at)
		b.WriteString(" " + base64.StdEncoding.EncodeToString(packed[at:at+n]) + "\n")
	}
	return b.String() + "ProcVersion: Linux\n next\n"
}

// TestApport reads the core in a report of apport.
func TestApport(t *testing.T) {
	want := make([]byte, 200_000)
	for i, x := 0, uint32(1); i < len(want); i, x = i+1, x*1664525+1013904223 {
		want[i] = byte(x >> 24)
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write(want)
	z.Close()
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	gz := apportReport(t, zipped.Bytes())
	for name, c := range map[string]struct{ text, err string }{
		"gzip":    {gz, ""},
		"zstd":    {apportReport(t, enc.EncodeAll(want, nil)), ""},
		"no core": {"ProblemType: Package\nTitle: x\n", "holds no core"},
		"about what": {"ProblemType: Crash\nDate: Mon Sep 21 14:13:20 2026\nExecutablePath: /usr/bin/x\nSignal: 11\n",
			"the report of /usr/bin/x, which died of signal 11 on Mon Sep 21 14:13:20 2026 has its text alone"},
		"an empty core": {"ProblemType: Crash\nExecutablePath: /usr/bin/x\nCoreDump: base64\nTitle: x\n",
			"of /usr/bin/x has its text alone"},
		"no base64": {strings.Replace(gz, "CoreDump: base64\n H", "CoreDump: base64\n *", 1),
			"the core in the report is not packed"},
		"not packed":       {apportReport(t, want), "is not packed by gzip or zstd"},
		"a report inside":  {apportReport(t, []byte(gz)), "is not packed by gzip or zstd"},
		"an endless line":  {"ProblemType: " + strings.Repeat("x", maxLine+1), "a line of the report is too long"},
		"nothing after it": {"ProblemType: Crash\nCoreDump: base64", "is not packed by gzip or zstd"},
	} {
		path := filepath.Join(t.TempDir(), "x.crash")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		src, err := Open(path, nil)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, not %s", name, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := core.SourceSlice(src, 0, len(want))
		if err != nil || !bytes.Equal(got, want) || src.Size() != int64(len(want)) {
			t.Errorf("%s: %d bytes, %v", name, src.Size(), err)
		}
		src.Close()
	}
	// One that is cut has what came before.
	path := filepath.Join(t.TempDir(), "cut.crash")
	if err := os.WriteFile(path, []byte(gz[:strings.Index(gz, "ProcVersion")-8]), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if cut, ok := src.(Truncation); !ok || cut.Truncated() == nil {
		t.Error("a cut report is said to be whole")
	}
}
