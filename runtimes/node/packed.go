package node

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/v8/object"
)

// Packed says by what the program was packed into the executable together with Node, and
// which of its files began; "" if nothing says that it was.
func (nr *Reader) Packed(ctx context.Context) string {
	if entry, ok := nr.pkgEntry(ctx); ok {
		return "by pkg, begun with " + entry
	}
	if nr.hasNote(seaOwner) {
		return "as a single executable of Node (a note " + seaOwner + " has the program)"
	}
	return ""
}

// pkgEntry returns the file of pkg's virtual file system that the program began with, which
// pkg's prelude/bootstrap.js keeps in process.pkg. Of an executable that pkg made and that
// runs as plain Node there is no such object.
func (nr *Reader) pkgEntry(ctx context.Context) (string, bool) {
	realms, err := nr.objects.Realms(ctx, nil)
	if err != nil {
		return "", false
	}
	for _, native := range realms {
		process, err := nr.objects.Global(native, "process")
		if err != nil || process.Raw || !nr.IsReceiver(process.Word) {
			continue
		}
		mount, err1 := nr.objects.Member(process, []string{"pkg", "mount"})
		entry, err2 := nr.objects.Member(process, []string{"pkg", "entrypoint"})
		if err1 == nil && err2 == nil && isWord(mount) && isWord(entry) && nr.IsFunction(mount.Word) && nr.objects.IsString(entry.Word) {
			return nr.objects.Text(entry.Word), true
		}
	}
	return "", false
}

func isWord(s object.Slot) bool { return !s.Raw }

// seaOwner owns the note that postject puts a program into (src/node_sea.cc).
const seaOwner = "NODE_SEA_BLOB"

// Program headers of ELF of 64 bits, and the entries of the auxiliary vector that lead to them.
const (
	auxHeaders, auxHeaderSize, auxHeaderCount = 3, 4, 5

	headerSize, headerAddr, headerLength = 56, 16, 40
	headerNote, headerSelf               = 4, 6

	maxHeaders, maxNotes = 64, 64
)

// hasNote reports whether the notes of the executable have one of an owner, which is looked
// for as the program itself does: by what the kernel told it of its headers.
func (nr *Reader) hasNote(owner string) bool {
	aux := map[uint64]uint64{}
	for _, e := range nr.Process.Auxv {
		aux[e.Type] = e.Value
	}
	at, n := core.Addr(aux[auxHeaders]), aux[auxHeaderCount]
	if at == 0 || aux[auxHeaderSize] != headerSize || n > maxHeaders {
		return false
	}
	data, err := core.ReadBytes(nr.Space, at, n*headerSize)
	if err != nil {
		return false
	}
	var bias core.Addr
	for ; len(data) >= headerSize; data = data[headerSize:] {
		start, length := core.Addr(nr.Order.Uint64(data[headerAddr:])), nr.Order.Uint64(data[headerLength:])
		switch nr.Order.Uint32(data) {
		case headerSelf: // comes before the others
			bias = at - start
		case headerNote:
			if nr.noteOf(owner, start+bias, length) {
				return true
			}
		}
	}
	return false
}

// noteOf reports whether one of the notes in length bytes at a has an owner.
func (nr *Reader) noteOf(owner string, a core.Addr, length uint64) bool {
	end := a + core.Addr(length)
	for range maxNotes {
		head, err := core.ReadBytes(nr.Space, a, 12)
		if err != nil || a+12 > end {
			return false
		}
		name, desc := uint64(nr.Order.Uint32(head)), uint64(nr.Order.Uint32(head[4:]))
		if name == uint64(len(owner)+1) {
			if text, err := core.ReadBytes(nr.Space, a+12, name-1); err == nil && string(text) == owner {
				return true
			}
		}
		a += core.Addr(12 + (name+3)&^3 + (desc+3)&^3)
	}
	return false
}
