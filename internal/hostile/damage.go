//go:build linux

package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
)

// A mutator changes a file's bytes, or returns others.
type mutator struct {
	name string
	do   func(b []byte, r *rand.Rand) []byte
}

// mutators for binary files. Each is drawn as often as it is listed.
var mutators = []mutator{
	{"bits in the first pages", flipBits(nearStart)},
	{"bits after a magic", flipBits(afterMagic)},
	{"bits in data", flipBits(anywhere)},
	{"numbers in the first pages", putNumbers(nearStart)},
	{"numbers after a magic", putNumbers(afterMagic)},
	{"numbers in data", putNumbers(anywhere)},
	{"numbers in data", putNumbers(anywhere)},
	{"pointers exchanged", exchangePointers},
	{"pointers exchanged", exchangePointers},
	{"pointers to themselves", pointersToSelf},
	{"pointers moved a little", movePointers(1 << 5)},
	{"pointers moved within pages", movePointers(1 << 14)},
	{"pointers to nothing", movePointers(1 << 46)},
	{"a word many times", repeatWord},
	{"sizes near pointers", sizesNearPointers},
	{"a piece over another", copyPiece},
	{"a piece of zeros", zeroPiece},
	{"cut", cut},
	{"a piece left out", leaveOut},
	{"a piece twice", twice},
}

// textMutators are added for files that are text.
var textMutators = []mutator{
	{"lines exchanged", exchangeLines},
	{"numbers of the text", putDigits},
	{"numbers of the text", putDigits},
	{"a line very often", repeatLine},
	{"a long word", longWord},
	{"control characters", controlCharacters},
	{"brackets nested", nest},
}

// damageFile changes the file at name in one to three ways, and returns a description of the changes.
func damageFile(name string, r *rand.Rand) (string, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	before := bytes.Clone(b)
	all := mutators
	if isText(b) {
		all = slices.Concat(mutators[:len(mutators):len(mutators)], textMutators, textMutators)
	}
	var did []string
	for range 1 + r.IntN(3) {
		if len(b) == 0 {
			break
		}
		m := all[r.IntN(len(all))]
		b = m.do(b, r)
		did = append(did, m.name)
	}
	return strings.Join(did, ", "), writeChanges(name, before, b)
}

// writeChanges writes b where it differs from before, so that holes stay holes.
func writeChanges(name string, before, b []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	const block = 4096
	for off := 0; off < len(b); off += block {
		now := b[off:min(off+block, len(b))]
		old := before[min(off, len(before)):min(off+block, len(before))]
		if bytes.Equal(now, old) {
			continue
		}
		if _, err := f.WriteAt(now, int64(off)); err != nil {
			return err
		}
	}
	return f.Truncate(int64(len(b)))
}

func isText(b []byte) bool {
	head := b[:min(len(b), 4096)]
	return bytes.IndexByte(head, 0) < 0
}

// A chooser picks an offset of b.
type chooser func(b []byte, r *rand.Rand) int

func nearStart(b []byte, r *rand.Rand) int { return r.IntN(min(len(b), 8192)) }

// anywhere picks an offset in a page that is not all zeros, if it finds one.
func anywhere(b []byte, r *rand.Rand) int {
	off := r.IntN(len(b))
	for range 64 {
		page := b[off&^4095 : min(off&^4095+4096, len(b))]
		if len(bytes.TrimLeft(page, "\x00")) > 0 {
			break
		}
		off = r.IntN(len(b))
	}
	return off
}

// magics are the first bytes of the formats within cores.
var magics = [][]byte{
	[]byte("\x7fELF"), []byte("CORE\x00"), []byte("MDMP"), []byte("dex\n"), []byte("oat\n"), []byte("vdex"),
	[]byte("\xcf\xfa\xed\xfe"), []byte("PK\x03\x04"), []byte("\x1f\x8b"), []byte("\x28\xb5\x2f\xfd"),
	[]byte(".debug_"), []byte("MODULE "), []byte("\"version\":3"), {0xf1, 0xff, 0xff, 0xff},
}

// afterMagic picks an offset within 2 KiB after a magic, or else anywhere.
func afterMagic(b []byte, r *rand.Rand) int {
	from := anywhere(b, r)
	for _, i := range r.Perm(len(magics)) {
		at := bytes.Index(b[from:], magics[i])
		if at < 0 {
			continue
		}
		return min(from+at+r.IntN(2048), len(b)-1)
	}
	return from
}

func flipBits(at chooser) func([]byte, *rand.Rand) []byte {
	return func(b []byte, r *rand.Rand) []byte {
		for range 1 + r.IntN(16) {
			b[at(b, r)] ^= 1 << r.IntN(8)
		}
		return b
	}
}

// putNumbers writes numbers that are often wrong in a length, a count or an offset.
func putNumbers(at chooser) func([]byte, *rand.Rand) []byte {
	return func(b []byte, r *rand.Rand) []byte {
		numbers := []uint64{
			0, 1, 0x7f, 0xff, 0xffff, 1 << 31, 1<<31 - 1, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, ^uint64(0),
			^uint64(7), uint64(len(b)), uint64(len(b)) - 1, 1 << 20, 1 << 28, 1 << 40, r.Uint64(), uint64(r.IntN(64)),
		}
		for range 1 + r.IntN(8) {
			off, n := at(b, r), numbers[r.IntN(len(numbers))]
			width := 1 << r.IntN(4)
			off &^= width - 1
			if off+width > len(b) {
				continue
			}
			var w [8]byte
			binary.LittleEndian.PutUint64(w[:], n)
			copy(b[off:off+width], w[:])
		}
		return b
	}
}

// pointerAt returns the offset of a word in data that may be a pointer, or -1.
func pointerAt(b []byte, r *rand.Rand) int {
	for range 256 {
		off := anywhere(b, r) &^ 7
		if off+8 > len(b) {
			continue
		}
		if v := binary.LittleEndian.Uint64(b[off:]); v > 1<<16 && v < 1<<48 {
			return off
		}
	}
	return -1
}

func exchangePointers(b []byte, r *rand.Rand) []byte {
	for range 1 + r.IntN(64) {
		i, j := pointerAt(b, r), pointerAt(b, r)
		if i < 0 || j < 0 {
			break
		}
		var w [8]byte
		copy(w[:], b[i:])
		copy(b[i:i+8], b[j:])
		copy(b[j:j+8], w[:])
	}
	return b
}

// pointersToSelf makes words near a pointer the same: lists end in circles.
func pointersToSelf(b []byte, r *rand.Rand) []byte {
	for range 1 + r.IntN(16) {
		i := pointerAt(b, r)
		if i < 0 {
			break
		}
		for k := range 1 + r.IntN(8) {
			if j := i + 8*(k+1); j+8 <= len(b) {
				copy(b[j:j+8], b[i:i+8])
			}
		}
	}
	return b
}

// piece returns a range of b.
func piece(b []byte, r *rand.Rand) (from, to int) {
	from = anywhere(b, r)
	return from, min(from+1+r.IntN(1<<r.IntN(17)), len(b))
}

func copyPiece(b []byte, r *rand.Rand) []byte {
	from, to := piece(b, r)
	copy(b[anywhere(b, r):], bytes.Clone(b[from:to]))
	return b
}

func zeroPiece(b []byte, r *rand.Rand) []byte {
	from, to := piece(b, r)
	clear(b[from:to])
	return b
}

func cut(b []byte, r *rand.Rand) []byte {
	if r.IntN(2) == 0 {
		return b[:nearStart(b, r)]
	}
	return b[:r.IntN(len(b))]
}

func leaveOut(b []byte, r *rand.Rand) []byte {
	from, to := piece(b, r)
	return slices.Delete(b, from, to)
}

func twice(b []byte, r *rand.Rand) []byte {
	from, to := piece(b, r)
	return slices.Insert(b, to, bytes.Clone(b[from:to])...)
}

// lineAt returns the range of a line of text.
func lineAt(b []byte, r *rand.Rand) (from, to int) {
	off := r.IntN(len(b))
	from = bytes.LastIndexByte(b[:off], '\n') + 1
	if n := bytes.IndexByte(b[off:], '\n'); n >= 0 {
		return from, off + n + 1
	}
	return from, len(b)
}

func exchangeLines(b []byte, r *rand.Rand) []byte {
	from, to := lineAt(b, r)
	line := bytes.Clone(b[from:to])
	b = slices.Delete(b, from, to)
	if len(b) == 0 {
		return line
	}
	at, _ := lineAt(b, r)
	return slices.Insert(b, at, line...)
}

func repeatLine(b []byte, r *rand.Rand) []byte {
	from, to := lineAt(b, r)
	times := min(1<<r.IntN(18), 16<<20/(to-from+1)+1)
	return slices.Insert(b, to, bytes.Repeat(bytes.Clone(b[from:to]), times)...)
}

// putDigits replaces numbers, decimal or hexadecimal.
func putDigits(b []byte, r *rand.Rand) []byte {
	words := []string{"0", "-1", "ffffffffffffffff", "7fffffffffffffff", "18446744073709551616", "1e999",
		"99999999999999999999999999", "0x", "", "08"}
	for range 1 + r.IntN(8) {
		at := bytes.IndexFunc(b[r.IntN(len(b)):], func(c rune) bool { return c >= '0' && c <= '9' })
		if at < 0 {
			continue
		}
		to := at
		for to < len(b) && (b[to] >= '0' && b[to] <= '9' || b[to] >= 'a' && b[to] <= 'f') {
			to++
		}
		b = slices.Replace(b, at, to, []byte(words[r.IntN(len(words))])...)
	}
	return b
}

func longWord(b []byte, r *rand.Rand) []byte {
	return slices.Insert(b, r.IntN(len(b)), bytes.Repeat([]byte("n::x<"), 1<<r.IntN(18))...)
}

func controlCharacters(b []byte, r *rand.Rand) []byte {
	for range 1 + r.IntN(16) {
		b = slices.Insert(b, r.IntN(len(b)), []byte(fmt.Sprintf("\x1b]0;x\a\x1b[2J\u009b%c", rune(r.IntN(32))))...)
	}
	return b
}

func nest(b []byte, r *rand.Rand) []byte {
	open := []string{"[", "{\"a\":", "(", "<"}[r.IntN(4)]
	return slices.Insert(b, r.IntN(len(b)), bytes.Repeat([]byte(open), 1<<r.IntN(17))...)
}

// movePointers moves pointers by up to n bytes, forwards or back.
func movePointers(n int64) func([]byte, *rand.Rand) []byte {
	return func(b []byte, r *rand.Rand) []byte {
		for range 1 + r.IntN(64) {
			i := pointerAt(b, r)
			if i < 0 {
				break
			}
			v := binary.LittleEndian.Uint64(b[i:]) + uint64(r.Int64N(2*n)-n)
			binary.LittleEndian.PutUint64(b[i:], v)
		}
		return b
	}
}

// repeatWord writes a word over the words after it.
func repeatWord(b []byte, r *rand.Rand) []byte {
	i := anywhere(b, r) &^ 7
	for j := i + 8; j+8 <= len(b) && j < i+8<<r.IntN(12); j += 8 {
		copy(b[j:j+8], b[i:i+8])
	}
	return b
}

// sizesNearPointers writes numbers beside a pointer that a decoder may take for a length, a count or flags.
func sizesNearPointers(b []byte, r *rand.Rand) []byte {
	numbers := []uint64{0, 1, 7, 8, 0x10, 0x11, 0x1000, 1 << 20, 1<<31 - 8, 1 << 31, 1<<32 - 1, 1 << 40, 1<<63 - 1,
		^uint64(0), ^uint64(15)}
	for range 1 + r.IntN(32) {
		i := pointerAt(b, r)
		if i < 0 {
			break
		}
		if j := i + 8*(r.IntN(9)-4); j >= 0 && j+8 <= len(b) {
			binary.LittleEndian.PutUint64(b[j:], numbers[r.IntN(len(numbers))])
		}
	}
	return b
}
