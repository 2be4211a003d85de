package commands

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/find"
	"coredbg/core/sym"
)

// asked notes what is asked for, and has nothing.
type asked struct{ w find.Want }

func (a *asked) Find(_ context.Context, w find.Want) find.Found {
	a.w = w
	return find.Found{Refused: []error{errors.New("outside")}}
}

// TestSourceFolders: a line table may name any file of this machine; what is no source is
// looked for only where systems have sources.
func TestSourceFolders(t *testing.T) {
	p := coretest.New(core.AMD64).Process()
	p.Exe = "/opt/app/bin/server"
	for name, inProgram := range map[string]bool{
		"/opt/app/bin/a.c": true, "/opt/app/bin/A.CPP": true, "/opt/app/bin/a.rs": true, "/opt/app/bin/.env": false,
		"/etc/shadow": false, "/home/user/.ssh/id_rsa": false, "/usr/include/c++/12/vector": false,
		"/opt/app/bin/token.json": false,
	} {
		files := &asked{}
		s := &Target{Process: p, Symbols: sym.NewTable(p), Files: files}
		_, err := s.SourceLines(t.Context(), 0x1000, name)
		if err == nil || err.Error() != "outside" {
			t.Errorf("%s: %v", name, err)
		}
		if files.w.Within == nil || slices.Contains(files.w.Within, "/opt/app/bin") != inProgram {
			t.Errorf("%s: looked for in %s", name, strings.Join(files.w.Within, " "))
		}
	}
}
