package journal

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"coredbg/core/file"
)

// testdata has two journals of the same eleven entries, written by systemd-journal-remote 252. The expected
// entries are the output of journalctl -o json.
var journals = []string{"testdata/regular.journal.zst", "testdata/compact.journal.zst"}

func TestWith(t *testing.T) {
	for _, name := range journals {
		src, err := file.Open(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		list, err := With(src, "COREDUMP_PID", 100)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got []string
		for _, e := range list {
			f := e.Fields
			got = append(got, strings.Join([]string{f["COREDUMP_PID"], f["COREDUMP_EXE"],
				f["COREDUMP_UNIT"] + f["COREDUMP_USER_UNIT"], f["COREDUMP_TIMESTAMP"],
				e.Time.Format("15:04:05")}, " "))
		}
		slices.Sort(got)
		want := []string{
			"44 /usr/bin/web shop.service 1790000002000000 14:13:23",
			"51 /usr/lib/mailer/mailer mailer.service 1790000008000000 14:13:29",
		}
		for _, at := range []string{"10500000 14:13:31", "11500000 14:13:32", "12500000 14:13:33", "13500000 14:13:34",
			"14500000 14:13:35", "15500000 14:13:36",
			"16500000 14:13:37", "17500000 14:13:38"} {
			want = append(want, "60 /usr/bin/looper looper.service 17900000"+at)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if few, err := With(src, "COREDUMP_PID", 3); err != nil || len(few) != 3 {
			t.Errorf("%s: three entries: %d, %v", name, len(few), err)
		}
		if none, err := With(src, "NO_SUCH_FIELD", 3); err != nil || none != nil {
			t.Errorf("%s: a field that is not there: %v, %v", name, none, err)
		}
	}
}

// memory is a Source of bytes.
type memory []byte

func (m memory) Size() int64 { return int64(len(m)) }

func (m memory) Window(off int64) ([]byte, error) {
	if off >= int64(len(m)) {
		return nil, io.EOF
	}
	return m[off:], nil
}

func (memory) Close() error { return nil }

func TestNotJournal(t *testing.T) {
	for _, b := range [][]byte{nil, []byte("LPKSHHRH"), bytes.Repeat([]byte{1}, 4096)} {
		if _, err := With(memory(b), "X", 1); !errors.Is(err, ErrNotJournal) {
			t.Errorf("%d bytes: %v", len(b), err)
		}
	}
}

// FuzzWith damages journals: no chain of objects is endless, and no size is believed. Each input is where a
// byte of the first 300 KiB changes.
func FuzzWith(f *testing.F) {
	var whole [][]byte
	for _, name := range journals {
		packed, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		b, err := file.Decompress(packed, 16<<20)
		if err != nil {
			f.Fatal(err)
		}
		whole = append(whole, b)
	}
	f.Add(uint32(120), byte(1), uint32(4096), byte(255), false)
	f.Add(uint32(7000), byte(9), uint32(128), byte(255), true)
	f.Fuzz(func(t *testing.T, at uint32, x byte, and uint32, y byte, compact bool) {
		b := whole[0]
		if compact {
			b = whole[1]
		}
		at, and = at%(300<<10), and%(300<<10)
		oldX, oldY := b[at], b[and]
		b[at], b[and] = x, y
		defer func() { b[at], b[and] = oldX, oldY }()
		list, _ := With(memory(b), "COREDUMP_PID", 50)
		if len(list) > 60 {
			t.Errorf("%d entries", len(list))
		}
	})
}
