package native

import (
	"fmt"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/sym"
)

// served describes the requests to debuginfod servers for an object, their results, and the remedies for
// missing parts; nil if no server is used.
func served(s *commands.Session, m *core.Module) (lines []string) {
	facts := m.Facts()
	if s.Servers == nil || m.Path == "[vdso]" {
		return nil
	}
	if len(facts.BuildID) == 0 {
		return []string{"debuginfod: without a build-id no server can be asked; -search FOLDER and -debug-dir FOLDER name places"}
	}
	asked := map[string]bool{}
	for _, x := range s.Servers.Tried(facts.BuildID) {
		asked[x.Kind] = true
		from := x.Server
		if from == "" {
			from = "the cache"
		}
		switch {
		case x.Err == nil:
			lines = append(lines, fmt.Sprintf("debuginfod: %s from %s", x.Kind, from))
		default:
			lines = append(lines, fmt.Sprintf("debuginfod: no %s from %s: %v", x.Kind, from, x.Err))
		}
	}
	switch missing := facts.Image == nil || facts.InMemory; {
	case missing && asked["executable"]:
		lines = append(lines, "next: -search FOLDER with the file itself, or another server in DEBUGINFOD_URLS")
	case missing || !s.Symbols.Lacks(m, sym.DebugInfo):
	case asked["debuginfo"]:
		lines = append(lines, "next: -debug-dir FOLDER with its debug file, or another server in DEBUGINFOD_URLS")
	default:
		lines = append(lines, "debuginfod: not asked for its debug file yet; a stack through it asks, and coredbg fetch")
	}
	return lines
}
