package heapsnapshot

import (
	"bytes"
	"context"
	"math"
	"strconv"
	"strings"
	"testing"
)

// TestAppendNumber: as strconv has it, at both sides of each power of ten and of two.
func TestAppendNumber(t *testing.T) {
	list := []uint64{0, math.MaxUint64}
	for v := uint64(1); v < math.MaxUint64/10; v *= 10 {
		list = append(list, v-1, v, v+1)
	}
	for i := range 64 {
		list = append(list, 1<<i-1, 1<<i, 1<<i+1)
	}
	list = append(list, 1e19-1, 1e19, 1e19+1)
	for _, v := range list {
		if got, want := string(appendNumber([]byte("x"), v)), "x"+strconv.FormatUint(v, 10); got != want {
			t.Errorf("%d is %s", v, got)
		}
	}
}

// TestAppendQuoted has what JSON needs written otherwise at the ends and in the middle.
func TestAppendQuoted(t *testing.T) {
	for text, want := range map[string]string{
		"":            `""`,
		"plain":       `"plain"`,
		"\"a\\b\n":    `"\"a\\b\n"`,
		"\x01x\x7f":   `"\u0001x\u007f"`,
		"é\u2028€𝄞":   "\"é\u2028€𝄞\"",
		"a\xffb\xc3":  "\"a\ufffdb\ufffd\"",
		"\xe2\x82é\t": "\"\ufffd\ufffdé\\u0009\"",
	} {
		if got := string(appendQuoted(nil, text)); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

// TestSpool keeps more rows than are read at once, of numbers of all lengths.
func TestSpool(t *testing.T) {
	s, err := newSpool()
	if err != nil {
		t.Fatal(err)
	}
	defer s.f.Close()
	w := writer{schema: Schema{NodeFields: []string{"type", "name", "id", "self_size", "edge_count"},
		NodeTypes: []string{"hidden", "array"}},
		nodes: s, texts: newTexts()}
	w.fields = fieldsOf(w.schema)
	var want strings.Builder
	const rows = 200_000
	for i := range rows {
		id, size := uint64(i)*0x9e3779b97f4a7c15, uint64(1)<<(i%64)
		w.row(NodeType(i%3), &Name{}, id, size, i)
		if i > 0 {
			want.WriteString("\n,")
		}
		for k, v := range []uint64{[]uint64{0, 1, 0}[i%3], 0, id, size, uint64(i)} {
			if k > 0 {
				want.WriteByte(',')
			}
			want.WriteString(strconv.FormatUint(v, 10))
		}
	}
	var got bytes.Buffer
	if err := w.writeNodes(context.Background(), &got); err != nil {
		t.Fatal(err)
	}
	if got.String() != want.String() || got.Len() < 4*spoolSize || w.count.nodes != rows {
		t.Errorf("%d nodes in %d bytes, want %d in %d that are the same", w.count.nodes, got.Len(), rows, want.Len())
	}
}

// TestSpoolCut: numbers that are missing are an error.
func TestSpoolCut(t *testing.T) {
	s, err := newSpool()
	if err != nil {
		t.Fatal(err)
	}
	defer s.f.Close()
	s.buf = append(s.buf, 1, 0x80)
	err = s.text(context.Background(), &bytes.Buffer{}, "", func(in *unspool, b []byte) []byte {
		in.next()
		in.next()
		return b
	})
	if err == nil {
		t.Error("no error")
	}
}
