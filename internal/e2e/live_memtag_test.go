package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"coredbg/core/coretest"
)

// TestLiveMemtag compares runs of tags, and the tags shown for mappings and pointers, with the tags
// that tags.c has read from the processor.
func TestLiveMemtag(t *testing.T) {
	said := regexp.MustCompile(`(?m)^tag (0x[0-9a-f]+) (\d+)$`)
	for _, core := range coretest.Live(t) {
		dir := filepath.Dir(core)
		s := openValues(t, filepath.Join(dir, "truth.json"))
		out, err := os.ReadFile(filepath.Join(dir, "out.txt"))
		if err != nil {
			t.Fatal(err)
		}
		type run struct {
			Start, End string
			Tag        *int
			PointerTag *int `json:"pointer_tag"`
			Tagged     bool
			Kind, Is   string
			Size       uint64
		}
		n := 0
		for _, m := range said.FindAllSubmatch(out, -1) {
			at, _ := strconv.ParseUint(string(m[1]), 0, 64)
			want, _ := strconv.Atoi(string(m[2]))
			held := 0
			for _, r := range records[run](t, s, string(m[1])+"::memtag") {
				start, _ := strconv.ParseUint(r.Start, 0, 64)
				end, _ := strconv.ParseUint(r.End, 0, 64)
				if at < start || at >= end {
					if r.Tag == nil || *r.Tag == want || r.PointerTag != nil {
						t.Errorf("%s: a neighbour %+v, tag %d", m[1], r, want)
					}
					continue
				}
				if held++; r.Tag == nil || *r.Tag != want || r.PointerTag == nil || *r.PointerTag != 0 {
					t.Errorf("%s: %+v, not tag %d", m[1], r, want)
				}
			}
			if maps := records[run](t, s, string(m[1])+"::mappings"); held != 1 || len(maps) != 1 || !maps[0].Tagged {
				t.Errorf("%s: %d runs hold it, its mapping is %+v", m[1], held, maps)
			}
			n++
		}
		if n < 33 {
			t.Errorf("%s: %d tags", dir, n)
		}
		access := regexp.MustCompile(`(?m)^access (0x[0-9a-f]+)$`).FindSubmatch(out)
		what := records[run](t, s, string(access[1])+"::whatis")
		if len(what) < 2 || what[0].Kind != "tag" ||
			what[0].Is != "a pointer with the tag 0x5, to memory with the tag 0x6: no access is allowed" ||
			what[1].Kind != "mapping" {
			t.Errorf("%s::whatis: %+v", access[1], what)
		}
		if list := records[run](t, s, "::memtag"); len(list) != 1 || list[0].Size != 3*4096 {
			t.Errorf("::memtag: %+v", list)
		}
	}
}
