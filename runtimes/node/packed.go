package node

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/v8/object"
)

// Packed says by what the program was packed into the executable together with Node, and
// which of its files began; "" if nothing says that it was.
func Packed(ctx context.Context, nr *Reader) string {
	if entry, ok := pkgEntry(ctx, nr); ok {
		return "by pkg, begun with " + entry
	}
	if hasNote(nr.Process, seaOwner) {
		return "as a single executable of Node (a note " + seaOwner + " has the program)"
	}
	return ""
}

// pkgEntry returns the file of pkg's virtual file system that the program began with, which
// pkg's prelude/bootstrap.js keeps in process.pkg. Of an executable that pkg made and that
// runs as plain Node there is no such object.
func pkgEntry(ctx context.Context, nr *Reader) (string, bool) {
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
func hasNote(p *core.Process, owner string) bool {
	aux := map[uint64]uint64{}
	for _, e := range p.Auxv {
		aux[e.Type] = e.Value
	}
	at, n := core.Addr(aux[auxHeaders]), aux[auxHeaderCount]
	if at == 0 || aux[auxHeaderSize] != headerSize || n > maxHeaders {
		return false
	}
	data, err := core.ReadBytes(p.Space, at, n*headerSize)
	if err != nil {
		return false
	}
	var bias core.Addr
	for ; len(data) >= headerSize; data = data[headerSize:] {
		start, length := core.Addr(p.Arch.Order.Uint64(data[headerAddr:])), p.Arch.Order.Uint64(data[headerLength:])
		switch p.Arch.Order.Uint32(data) {
		case headerSelf: // comes before the others
			bias = at - start
		case headerNote:
			if noteOf(p, owner, start+bias, length) {
				return true
			}
		}
	}
	return false
}

// noteOf reports whether one of the notes in length bytes at a has an owner.
func noteOf(p *core.Process, owner string, a core.Addr, length uint64) bool {
	end := a + core.Addr(length)
	for range maxNotes {
		head, err := core.ReadBytes(p.Space, a, 12)
		if err != nil || a+12 > end {
			return false
		}
		name, desc := uint64(p.Arch.Order.Uint32(head)), uint64(p.Arch.Order.Uint32(head[4:]))
		if name == uint64(len(owner)+1) {
			if text, err := core.ReadBytes(p.Space, a+12, name-1); err == nil && string(text) == owner {
				return true
			}
		}
		a += core.Addr(12 + (name+3)&^3 + (desc+3)&^3)
	}
	return false
}
