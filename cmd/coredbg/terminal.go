package main

import (
	"io"
	"os"

	"golang.org/x/term"

	"coredbg/commands"
	"coredbg/commands/out"
)

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// setColor gives a session's output colours, if it is to have some.
func setColor(s *commands.Session, mode string, stdout *os.File) error {
	colors, err := out.WantColor(mode, isTerminal(stdout), os.Getenv)
	if err == nil {
		s.Out.SetStyle(out.NewStyle(colors))
	}
	return err
}

// newPager returns a pager between a session and its terminal, or nil if
// stdout is none.
func newPager(stdin, stdout *os.File) *out.Pager {
	if !isTerminal(stdout) {
		return nil
	}
	size := func() (columns, lines int) {
		columns, lines, err := term.GetSize(int(stdout.Fd()))
		if err != nil {
			return 0, 0
		}
		return columns, lines
	}
	return out.NewPager(stdout, func() (byte, error) { return readKey(stdin) }, size)
}

// readKey waits for a key without an echo.
func readKey(stdin *os.File) (byte, error) {
	state, err := term.MakeRaw(int(stdin.Fd()))
	if err != nil {
		return 0, err
	}
	defer term.Restore(int(stdin.Fd()), state)
	var b [1]byte
	if _, err := io.ReadFull(stdin, b[:]); err != nil {
		return 0, err
	}
	return b[0], nil
}
