package out

import (
	"bytes"
	"strings"
	"testing"

	"coredbg/core"
)

// A place is part of a row.
type place struct {
	File string `json:"file,omitempty"`
}

type row struct {
	_     Record    `record:"row" head:"keyword"`
	Addr  core.Addr `json:"addr" col:"ADDR,10/6,right" dot:"always" ink:"addr"`
	Name  string    `json:"name" col:"NAME,8,zero=-" ink:"symbol"`
	Size  *uint64   `json:"size,omitempty" col:"SIZE,6,right,%#x,min=40"`
	Prot  core.Prot `json:"-" col:"PROT,4,gap=2,min=40"`
	Share float64   `json:"-" col:"SHARE,6,right,%.1f%%,if=shares"`
	place
	shares bool
	what   string `col:"WHAT"`
}

func rows() []*row {
	n := uint64(255)
	return []*row{
		{Addr: 0x7f00, Name: "漢字", Size: &n, Prot: core.Read, Share: 2.25, shares: true, what: "wide",
			place: place{"/a"}},
		{Addr: 0, shares: true},
		{Addr: 1, Name: "e\x1b[m", what: "esc\n"},
	}
}

// TestWide: a column is as wide as a field says, if that is more than its own width.
func TestWide(t *testing.T) {
	type thread struct {
		_     Record `record:"thread"`
		Name  string `json:"name" col:"NAME,5,wide=width"`
		State string `json:"state" col:"STATE"`
		width int
	}
	var b bytes.Buffer
	w := NewWriter(&b)
	for i, r := range []thread{{Name: "worker 12", State: "waits", width: 9}, {Name: "main", State: "runs", width: 9},
		{Name: "main", State: "runs"}} {
		if i == 0 {
			w.Header(&r)
		}
		w.Record(&r)
	}
	w.Flush()
	if got, want := b.String(), "NAME      STATE\nworker 12 waits\nmain      runs\nmain  runs\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestTable: columns are below each other with and without colours, and with
// characters that take two columns.
func TestTable(t *testing.T) {
	const wide = "      ADDR NAME       SIZE  PROT  SHARE WHAT\n" +
		"      7f00 漢字       0xff  r--    2.2% wide\n" +
		"         0 -                ---    0.0%\n" +
		"         1 e\\x1b[m          ---  esc\\n\n"
	const narrow = "  ADDR NAME      SHARE WHAT\n" +
		"  7f00 漢字       2.2% wide\n" +
		"     0 -          0.0%\n" +
		"     1 e\\x1b[m  esc\\n\n"
	for columns, want := range map[int]string{0: wide, 120: wide, 39: narrow} {
		for _, colors := range []bool{false, true} {
			var b bytes.Buffer
			w := NewWriter(&b)
			w.SetStyle(NewStyle(colors))
			w.SetColumns(func() int { return columns })
			for i, r := range rows() {
				if i == 0 {
					w.Header(r)
				}
				w.Record(r)
			}
			w.Flush()
			if got := string(stripColors(b.Bytes())); got != want {
				t.Errorf("%d columns, colours %v\n%s\nwant\n%s", columns, colors, got, want)
			}
			if colors != strings.Contains(b.String(), "\x1b[36m7f00\x1b[0m") ||
				colors != strings.Contains(b.String(), "\x1b[1mADDR\x1b") {
				t.Errorf("colours %v: %q", colors, b.String())
			}
		}
	}
}

func TestRecordJSON(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	for _, r := range rows()[:2] {
		w.JSON(r)
	}
	w.JSON(struct {
		_ Record `record:"empty"`
	}{})
	const want = `{"type":"row","addr":"0x7f00","name":"漢字","size":255,"file":"/a"}` + "\n" +
		`{"type":"row","addr":"0x0","name":""}` + "\n" + `{"type":"empty"}` + "\n"
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

// TestSentence: a record that is not a line of a table has no heading.
func TestSentence(t *testing.T) {
	type is struct {
		Type  string    `json:"type" record:"is,was" text:"{addr:%08x} is {what}, {n} times"`
		Addr  core.Addr `json:"addr" dot:"nonzero"`
		Count int       `json:"n"`
		what  string
	}
	var b bytes.Buffer
	w := NewWriter(&b)
	r := &is{"was", 0x12, 3, "a \x1bname"}
	w.Header(r)
	w.Record(r)
	if got, want := b.String(), "00000012 is a \\x1bname, 3 times\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if j, err := Marshal(r); string(j) != `{"type":"was","addr":"0x12","n":3}` || err != nil {
		t.Errorf("%s, %v", j, err)
	}
	if text, table := Declared(r); !text || table {
		t.Errorf("declared %v %v", text, table)
	}
}

func TestDot(t *testing.T) {
	type maybe struct {
		_  Record     `record:"maybe"`
		At *core.Addr `dot:"always"`
	}
	type number struct {
		_ Record `record:"number"`
		N int    `dot:"nonzero"`
	}
	at := core.Addr(0)
	for _, c := range []struct {
		v    any
		want core.Addr
		ok   bool
	}{
		{&row{Addr: 5}, 5, true}, {&row{}, 0, true}, {maybe{}, 0, false}, {maybe{At: &at}, 0, true},
		{number{N: 7}, 7, true}, {number{}, 0, false}, {"text", 0, false}, {struct{ A core.Addr }{1}, 0, false},
	} {
		if a, ok := Dot(c.v); a != c.want || ok != c.ok {
			t.Errorf("%#v: %v %v", c.v, a, ok)
		}
	}
}

// TestObject: keys that come from a core keep their order and their values.
func TestObject(t *testing.T) {
	type record struct {
		_  Record      `record:"x"`
		In Object[any] `json:"in"`
	}
	for want, in := range map[string]Object[any]{
		`{"type":"x","in":{}}`:                            nil,
		`{"type":"x","in":{"z":1,"a<b":"\"","z":[true]}}`: {{"z", 1}, {"a<b", `"`}, {"z", []bool{true}}},
	} {
		if got, err := Marshal(&record{In: in}); string(got) != want || err != nil {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}
