package terminal

import (
	"fmt"
	"os"

	"coredbg/commands"
	"coredbg/commands/out"
	"golang.org/x/term"
)

// Is reports whether a file is a terminal.
func Is(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// SetColor gives a session's output colours, if it is to have some, and lines that fit
// the terminal, if it is one.
func SetColor(s *commands.Session, system commands.System, mode string, stdout *out.Terminal) error {
	colors, err := out.WantColor(mode, Is(stdout.File()), system.Getenv)
	if err == nil {
		s.Out.SetStyle(out.NewStyle(colors))
	}
	if Is(stdout.File()) {
		s.Out.SetColumns(func() int { return Columns(stdout.File()) })
	}
	return err
}

// Columns returns the width of a terminal, or 0 for other files.
func Columns(f *os.File) int {
	n, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return n
}

// NewPager returns a pager between a session and its terminal, or nil if
// stdout is none. The ticker rests while it waits for a key.
func NewPager(stdin *os.File, stdout *out.Terminal, tick *Ticker) *out.Pager {
	if !Is(stdout.File()) {
		return nil
	}
	size := func() (columns, lines int) {
		columns, lines, err := term.GetSize(int(stdout.File().Fd()))
		if err != nil {
			return 0, 0
		}
		return columns, lines
	}
	return out.NewPager(stdout, func() ([]byte, error) {
		defer tick.Hold()()
		return readKeys(stdin)
	}, size)
}

// readKeys waits for a key without an echo, and returns what it sends.
func readKeys(stdin *os.File) ([]byte, error) {
	state, err := term.MakeRaw(int(stdin.Fd()))
	if err != nil {
		return nil, err
	}
	defer term.Restore(int(stdin.Fd()), state)
	var b [64]byte
	n, err := stdin.Read(b[:])
	if n > 0 {
		return b[:n], nil
	}
	return nil, err
}

// AskMore asks whether to go on unpacking a core after done bytes. Anything except yes is no.
func AskMore(stdin, stderr *os.File, done int64) bool {
	fmt.Fprintf(stderr, "\r\x1b[Kthe core has unpacked to %d GiB in %s and goes on: unpack up to %d GiB? [y/N] ",
		done>>30, out.Clean(os.TempDir(), false), 4*done>>30)
	var answer []byte
	for b := make([]byte, 1); ; {
		if n, err := stdin.Read(b); n == 0 || err != nil {
			fmt.Fprintln(stderr)
			return false
		}
		if b[0] == '\n' {
			return len(answer) > 0 && (answer[0] == 'y' || answer[0] == 'Y')
		}
		answer = append(answer, b[0])
	}
}
