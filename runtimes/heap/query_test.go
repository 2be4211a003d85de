package heap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"coredbg/core"
)

// A fakeQueries is a heap whose objects of type 0 are strings with given texts, objects of type 1 are
// arrays, and the others have fields.
type fakeQueries struct {
	*fake
	text   map[core.Addr]string
	fields map[core.Addr]map[string]Value
	shape  map[core.Addr]string
}

func (f *fakeQueries) Reader() Reader                        { return f }
func (f *fakeQueries) IsString(typ int32) bool               { return typ == 0 }
func (f *fakeQueries) IsArray(typ int32, _ *Type) bool       { return typ == 1 }
func (f *fakeQueries) IsInstance(at core.Addr, _ int32) bool { return f.shape[at] != "template" }

func (f *fakeQueries) ReadString(at core.Addr, from uint64, units []uint16) (uint64, error) {
	u := utf16.Encode([]rune(f.text[at]))
	switch {
	case strings.HasPrefix(f.text[at], "lies"):
		return 1 << 40, nil
	case f.text[at] == "lost":
		return 0, errors.New("lost")
	case f.text[at] == "slice":
		return 0, ErrElsewhere
	}
	copy(units, u[min(from, uint64(len(u))):])
	return uint64(len(u)), nil
}

func (f *fakeQueries) Array(at core.Addr, _ int32, holder core.Addr) Array {
	return Array{Owner: holder, Length: 10, Capacity: 16, Used: 7}
}

func (f *fakeQueries) Shape(at core.Addr, typ int32) (string, bool) {
	return f.shape[at], typ == 3
}

func (f *fakeQueries) Field(at core.Addr, path []string) (Value, error) {
	v, ok := f.fields[at][strings.Join(path, ".")]
	if !ok {
		return Value{}, ErrNoField
	}
	if v.Text == "lost" {
		return Value{}, errors.New("lost")
	}
	return v, nil
}

// newQueries returns a heap of objects of the given types and sizes, 0x1000 bytes from
// one to the next, all held by roots.
func newQueries(typ []int32, size []uint64) *fakeQueries {
	f := &fakeQueries{fake: &fake{ids: map[core.Addr]int{}, extra: map[int][]edge{},
		types: []Type{{Class: "(string)"}, {Class: "(array)"}, {Class: "A"}, {Class: "B"}}},
		text: map[core.Addr]string{}, fields: map[core.Addr]map[string]Value{}, shape: map[core.Addr]string{}}
	for i, t := range typ {
		at := core.Addr(0x10000 + 0x100000*i)
		f.spans = append(f.spans, Span{Start: at, End: at + core.Addr(size[i])})
		f.ids[at] = i
		f.at, f.size, f.typ, f.edges = append(f.at, at), append(f.size, size[i]), append(f.typ, t), append(f.edges, nil)
		f.roots = append(f.roots, Root{Kind: "global", Target: at})
	}
	return f
}

func everything(ID) bool { return true }

func TestDuplicates(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 3*chunkUnits/16)
	texts := []string{"twice", "once", "twice", long, long + "x", long, "héé", "lost", "lost", "lies", "slice", "héé",
		"héé", "", "twic", long[:len(long)-1] + "e", ""}
	typ, size := make([]int32, len(texts)), make([]uint64, len(texts))
	for i, s := range texts {
		size[i] = uint64(16+len(s)+7) &^ 7
	}
	size[2] += 8 // two bytes a unit
	f := newQueries(typ, size)
	for i, s := range texts {
		f.text[f.at[i]] = s
	}
	g, err := Build(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	d, err := g.Duplicates(context.Background(), func(id ID) bool { return id != 12 })
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range d.List {
		got = append(got, fmt.Sprintf("%.8s %d %v %d %d", x.Text, x.Length, x.Copies, x.Bytes, x.Saved))
	}
	want := []string{
		fmt.Sprintf("01234567 %d [3 5] %d %d", len(long), 2*size[3], size[3]),
		"twice 5 [0 2] 56 32", "héé 3 [6 11] 48 24", " 0 [13 16] 32 16"}
	if !slices.Equal(got, want) || d.Strings != 12 || d.Unread != 3 {
		t.Errorf("got %q, %d strings, %d unread\nwant %q", got, d.Strings, d.Unread, want)
	}
}

func TestArrays(t *testing.T) {
	f := newQueries([]int32{2, 1, 1, 2, 1}, []uint64{16, 800, 1600, 64, 24})
	f.roots = slices.Delete(f.roots, 2, 3)
	f.edges[0] = []int{2}
	g, err := Build(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	list, err := g.Arrays(context.Background(), 2, everything)
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	a, b := list[0], list[1]
	if a.ID != 2 || a.Bytes != 1600 || a.Owner != f.at[0] || a.Holder != None || a.Holes() != 3 {
		t.Errorf("first %+v", a)
	}
	if b.ID != 1 || b.Bytes != 800 || b.Owner != 0 || b.Holder != None {
		t.Errorf("second %+v", b)
	}
	if all, err := g.Arrays(context.Background(), 0, everything); err != nil || len(all) != 3 {
		t.Error(all, err)
	}
}

func TestAlike(t *testing.T) {
	f := newQueries([]int32{2, 2, 3, 3, 3, 0}, []uint64{16, 16, 16, 16, 16, 16})
	for i, s := range []string{"x,y", "x,y", "z", "x,y", "x,y", ""} {
		f.shape[f.at[i]] = s
	}
	g, err := Build(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	for of, want := range map[ID][]ID{0: {0, 1, 3}, 2: {2}, 3: {0, 1, 3}} {
		if got, err := g.Alike(context.Background(), of, func(id ID) bool { return id != 4 }); err != nil ||
			!slices.Equal(got, want) {
			t.Errorf("like %d: %v, %v", of, got, err)
		}
	}
	plain, err := Build(context.Background(), f.fake) // its Reader knows no shapes
	if err != nil {
		t.Fatal(err)
	}
	if got, err := plain.Alike(context.Background(), 3, everything); err != nil || !slices.Equal(got, []ID{2, 3, 4}) {
		t.Errorf("by type: %v, %v", got, err)
	}
}

func TestFind(t *testing.T) {
	f := newQueries([]int32{2, 2, 2, 2, 3, 2}, []uint64{16, 16, 16, 16, 16, 16})
	for i := range f.at {
		f.fields[f.at[i]] = map[string]Value{"n": IntValue(int64(i)), "a.b": {Kind: Text, Text: "t" + strconv.Itoa(i)}}
	}
	f.fields[f.at[3]]["n"] = Value{Text: "lost"}
	f.shape[f.at[5]] = "template"
	g, err := Build(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		class, cond     string
		want            []ID
		objects, unread int
		without         string
	}{
		{"A", "n >= 1", []ID{1, 2}, 4, 1, ""},
		{"A", "n >= 1 and a.b ~ 2$", []ID{2}, 4, 1, ""},
		{"*", "a.b == 't4'", []ID{4}, 5, 0, ""},
		{"A", "a.b != 't0' and n == undefined", nil, 4, 1, ""},
		{"A", "q == undefined and n < 1", []ID{0}, 4, 1, "q"},
		{"A", "q == 1", nil, 4, 0, "q"},
		{"C", "n == 1", nil, 0, 0, ""},
	} {
		conditions, err := ParseConditions(piecesOf(c.cond))
		if err != nil {
			t.Fatal(err)
		}
		hits, err := g.Find(context.Background(), c.class, conditions, everything)
		if err != nil {
			t.Fatal(err)
		}
		var got []ID
		for _, h := range hits.List {
			got = append(got, h.ID)
		}
		if !slices.Equal(got, c.want) || hits.Objects != c.objects || hits.Unread != c.unread ||
			strings.Join(hits.Without, ",") != c.without {
			t.Errorf("%s where %s: %+v", c.class, c.cond, hits)
		}
	}
	if hits, err := g.Find(context.Background(), "A", nil, everything); err != nil || len(hits.List) != 4 {
		t.Errorf("all of A: %+v, %v", hits, err)
	}
}

func TestLike(t *testing.T) {
	for _, c := range []struct {
		name, form string
		want       bool
	}{
		{"Widget", "Widget", true}, {"Widget", "Wid", false}, {"Widget", "Wid*", true}, {"Widget", "*get", true},
		{"Widget", "W*d*t", true},
		{"Widget", "*", true}, {"Widget", "Wid*dget", false}, {"aXa", "a*a", true}, {"a", "a*a", false},
		{"java.util.Map$Node", "java.*.Map*", true},
	} {
		if got := like(c.name, c.form); got != c.want {
			t.Errorf("%s like %s: %v", c.name, c.form, got)
		}
	}
}
