package node

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/v8/object"
)

// Packed says by what the program was packed into the executable together with Node, and
// which of its files began; "" if nothing says that it was.
func (nr *Reader) Packed(ctx context.Context) string {
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
		if err1 == nil && err2 == nil && isWord(mount) && isWord(entry) && nr.IsFunction(mount.Word) &&
			nr.objects.IsString(entry.Word) {
			return nr.objects.Text(entry.Word), true
		}
	}
	return "", false
}

func isWord(s object.Slot) bool { return !s.Raw }

// seaOwner owns the note that postject puts a program into (src/node_sea.cc).
const seaOwner = "NODE_SEA_BLOB"

// hasNote reports whether the notes of the executable have one of an owner.
func hasNote(p *core.Process, owner string) bool {
	for _, m := range p.Modules {
		if n, ok := m.Facts().Image.(core.Noter); m.Exe && ok {
			return n.HasNote(owner)
		}
	}
	return false
}
