package frame

import (
	"encoding/hex"
	"slices"
	"testing"
)

// TestSafepoints reads tables of all forms: codegen/safepoint-table.h @ 7.8 and
// 10.2, codegen/maglev-safepoint-table.h @ 12.4, 13.6.
func TestSafepoints(t *testing.T) {
	// pc 2 bytes, index 1, registers 1: a call that can be deoptimized, with the exit at 0x180; one that
	// cannot; another.
	entries := []byte{
		0x10, 0, 1, 0x81, 0x01, 7,
		0x40, 0, 0, 0, 0, 0,
		0x80, 0, 2, 0x86, 0x01, 0,
	}
	withSpills := []byte{0x10, 0, 1, 0x81, 0x01, 3, 7, 0x40, 0, 0, 0, 0, 3, 0, 0x80, 0, 2, 0x86, 0x01, 3, 0}
	const config = 1 | 1<<1 | 2<<4 | 1<<7
	want := []safepoint{{0x10, 0, 0x180}, {0x40, -1, -1}, {0x80, 1, 0x185}}
	header := func(words ...uint32) []byte {
		var b []byte
		for _, w := range words {
			b = append(b, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
		}
		return b
	}
	for what, c := range map[string]struct {
		form            safepointForm
		header, entries []byte
	}{
		"wide": {safepointForm{wide: true}, header(3, 9),
			header(0x10, 0, 0x180, 0x40, 0xffffffff, 0xffffffff, 0x80, 1, 0x185)},
		"compact":         {safepointForm{}, header(3, config), entries},
		"with slots":      {safepointForm{stackSlots: true}, header(20, 3, config), entries},
		"maglev":          {safepointForm{maglev: true}, header(3, config, 4, 5), withSpills},
		"maglev, V8 13":   {safepointForm{maglev: true, stackSlots: true}, header(20, 3, config, 4), withSpills},
		"cut, by a third": {safepointForm{}, header(3, config), append(slices.Clone(entries), 1, 2)},
	} {
		table, n, err := c.form.parse(c.header)
		if err != nil || n != 3 || len(c.header) != c.form.headerSize() {
			t.Errorf("%s: %d entries, a header of %d bytes: %v", what, n, c.form.headerSize(), err)
			continue
		}
		table.entries = c.entries
		if got := slices.Collect(table.All()); !slices.Equal(got, want) {
			t.Errorf("%s: got %+v, want %+v", what, got, want)
		}
		for trampoline, want := range map[int]int{0x180: 0x10, 0x185: 0x80, 0x40: 0, 0x181: 0, -1: 0} {
			if got, _ := table.before(trampoline); got != want {
				t.Errorf("%s: the call with the exit %#x ends at %#x, want %#x", what, trampoline, got, want)
			}
		}
	}
	for what, h := range map[string][]byte{
		"no indexes": header(3, config&^1), "pcs of no byte": header(3, config&^(7<<4)),
		"indexes of seven bytes": header(3, config|7<<7),
		"too many":               header(1<<30, config),
	} {
		if table, _, err := (safepointForm{}).parse(h); err == nil {
			t.Errorf("%s: %+v", what, table)
		}
	}
}

func FuzzSafepoints(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 0xa3, 0, 0, 0, 0x10, 0, 1, 0x81, 1, 7}, uint8(0))
	f.Add([]byte{1, 0, 0, 0, 9, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}, uint8(1))
	f.Add([]byte{9, 0, 0, 0, 1, 0, 0, 0, 0xa3, 0, 0, 0, 4, 0, 0, 0, 0x10, 0, 1, 0x81, 1, 3, 7}, uint8(6))
	f.Fuzz(func(t *testing.T, b []byte, form uint8) {
		x := safepointForm{wide: form&1 != 0, stackSlots: form&2 != 0, maglev: form&4 != 0}
		list, _ := unpack(b, maxSafepoints)
		for i, s := range list {
			if s.PC <= 0 || s.Trampoline >= maxSafepoints || i > 0 && s.PC <= list[i-1].PC {
				t.Fatalf("entry %d of %x is %+v", i, b, s)
			}
		}
		if len(b) < x.headerSize() {
			return
		}
		table, _, err := x.parse(b)
		if err != nil {
			return
		}
		table.entries = b[x.headerSize():]
		n := 0
		for range table.All() {
			n++
		}
		if n != len(table.entries)/table.size {
			t.Errorf("%d entries in %d bytes of %d each", n, len(table.entries), table.size)
		}
	})
}

// TestPackedSafepoints reads tables of Deno 2.9 (V8 15.0). The code of the first has calls that return
// to 0x133, 0x17d and 0x194, three exits for eager deoptimizations, and lazy ones at 0x1ae and
// 0x1b2; sets of slots of the others, of 17, take one number or two.
func TestPackedSafepoints(t *testing.T) {
	for _, c := range []struct {
		table string // in hexadecimal
		size  int
		want  []safepoint
	}{
		{"b20204ae0339" + "4a01041d" + "170000", 440, []safepoint{{0x133, 3, 0x1ae}, {0x17d, 4, 0x1b2},
			{0x194, -1, -1}}},
		{"f5020bf31b072d" + "2b01040b05" + "cd0201040b05" + "2e010400" + "0f0000", 3652,
			[]safepoint{{374, 10, 3571}, {417, 11, 3575}, {750, 12, 3579}, {796, 13, 3583}, {811, -1, -1}}},
		{"a30926cf1ef165" + "c60201040325" + "9501000f05" + "8301010400", 3976,
			[]safepoint{{1188, 37, 3919}, {1514, 38, 3923}, {1663, -1, -1}, {1794, 39, 3927}}},
	} {
		b, err := hex.DecodeString(c.table)
		if err != nil {
			t.Fatal(err)
		}
		got, err := unpack(b, c.size)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, %v, want %v", c.table, got, err, c.want)
		}
		for n := range b {
			if got, err := unpack(b[:n], c.size); err == nil && !slices.Equal(got, c.want[:len(got)]) {
				t.Errorf("%s: of %d bytes %v is read", c.table, n, got)
			}
		}
	}
}
