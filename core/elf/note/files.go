package note

import (
	"bytes"
	"fmt"

	"coredbg/core"
)

// fileNote reads NT_FILE: count, page size, count times start, end and offset in pages, then count
// names (Linux, fs/binfmt_elf.c, fill_files_note). It keeps the entries before any damage.
func (dec *Decoder) fileNote(d []byte) {
	w := dec.Ptr()
	warn := func(format string, args ...any) {
		dec.p.Warn("NT_FILE note", fmt.Sprintf(format, args...)+": modules are looked for in memory too")
	}
	if len(d) < 2*w {
		warn("%d bytes are too few", len(d))
		return
	}
	count, page := dec.Word(d, 0), dec.Word(d, w)
	room := uint64(len(d)-2*w) / uint64(3*w)
	n := min(count, room)
	dec.filesGood = n == count
	if !dec.filesGood {
		warn("it claims %d mappings and has room for %d", count, room)
	}
	if page == 0 || page > 1<<30 {
		page = 1
	}
	names := d[2*w+int(n)*3*w:]
	if !dec.filesGood {
		// With a count that lies, the names begin where no mapping can be.
		n, names = dec.trueCount(d, n)
	}
	dec.files = make([]FileMapping, 0, n)
	last := ""
	for i := range int(n) {
		at := 2*w + i*3*w
		e := FileMapping{Start: core.Addr(dec.Word(d, at)), End: core.Addr(dec.Word(d, at+w)),
			Off: dec.Word(d, at+2*w) * page}
		end := bytes.IndexByte(names, 0)
		if end < 0 {
			dec.filesGood = false
			warn("it ends after %d of %d names", i, n)
			return
		}
		if string(names[:end]) != last { // the mappings of a file share one string
			last = string(names[:end])
		}
		e.Path = last
		names = names[end+1:]
		if e.Start < e.End {
			dec.files = append(dec.files, e)
		}
	}
}

// trueCount guesses how many mappings a note has whose count cannot be true:
// they ascend, and text follows them.
func (dec *Decoder) trueCount(d []byte, most uint64) (n uint64, names []byte) {
	w := dec.Ptr()
	last := uint64(0)
	for n = 0; n < most; n++ {
		at := 2*w + int(n)*3*w
		start, end := dec.Word(d, at), dec.Word(d, at+w)
		if start < last || end <= start || start&0xfff != 0 || end&0xfff != 0 {
			break
		}
		last = end
	}
	return n, d[2*w+int(n)*3*w:]
}
