package native

import (
	"coredbg/commands"
	"coredbg/core"
	"coredbg/crash/where"
)

// symbolic returns a as module`symbol+0xoff, module+0xoff, or "".
func symbolic(s *commands.Session, a core.Addr) string {
	return where.Symbolic(s.Process, s.Symbols, a)
}
