package out

import (
	"bytes"
	"errors"
	"io"

	"github.com/mattn/go-runewidth"
)

// What a Pager's Write returns when its user has seen enough.
var (
	// ErrQuit asks the command to end.
	ErrQuit = errors.New("pager: quit")
	// ErrAbort asks the whole line to end.
	ErrAbort = errors.New("pager: abort")
)

// A Pager is a writer that stops after each screen of text until a key says
// how to go on: blank for a page, return or n for a line, c for all the rest,
// q to end the command, a to abort the line.
type Pager struct {
	w    io.Writer
	key  func() (byte, error)
	size func() (columns, lines int)

	left int // lines until the next stop
	col  int
	free bool // "c" was pressed
}

// NewPager returns a pager that writes to w. Key waits for a key and returns
// it without an echo; size returns the terminal's size, zero if it has none.
func NewPager(w io.Writer, key func() (byte, error), size func() (columns, lines int)) *Pager {
	p := &Pager{w: w, key: key, size: size}
	p.Reset()
	return p
}

// Reset starts with a fresh screen, as for a new line of input.
func (p *Pager) Reset() {
	_, lines := p.size()
	p.left, p.col, p.free = lines-1, 0, lines < 3
}

// Write implements io.Writer; it returns ErrQuit or ErrAbort if the user ends
// the output.
func (p *Pager) Write(b []byte) (int, error) {
	done := 0
	for done < len(b) {
		if p.left <= 0 && !p.free {
			if err := p.ask(); err != nil {
				return done, err
			}
		}
		n := bytes.IndexByte(b[done:], '\n') + 1
		if n == 0 {
			n = len(b) - done
		}
		if _, err := p.w.Write(b[done : done+n]); err != nil {
			return done, err
		}
		p.count(b[done : done+n])
		done += n
	}
	return done, nil
}

// count takes the screen lines of a piece of a line off what is left. Escape
// sequences take no room.
func (p *Pager) count(line []byte) {
	columns, _ := p.size()
	text := stripColors(line)
	p.col += runewidth.StringWidth(string(text))
	if columns > 0 && p.col > columns {
		p.left -= (p.col - 1) / columns
		p.col = (p.col-1)%columns + 1
	}
	if bytes.HasSuffix(line, []byte("\n")) {
		p.left--
		p.col = 0
	}
}

// stripColors returns the text without the sequences that Style writes.
func stripColors(b []byte) []byte {
	var text []byte
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\x1b')
		if i < 0 {
			return append(text, b...)
		}
		text = append(text, b[:i]...)
		b = b[i:]
		if m := bytes.IndexByte(b, 'm'); m >= 0 {
			b = b[m+1:]
		} else {
			b = nil
		}
	}
	return text
}

const pagerPrompt = ">> More [<space>, <cr>, q, n, c, a] ? "

func (p *Pager) ask() error {
	_, lines := p.size()
	if _, err := io.WriteString(p.w, pagerPrompt); err != nil {
		return err
	}
	defer func() { io.WriteString(p.w, "\r\x1b[K") }()
	for {
		k, err := p.key()
		if err != nil {
			return ErrAbort
		}
		switch k {
		case ' ':
			p.left = lines - 1
		case '\r', '\n', 'n', 'N':
			p.left = 1
		case 'c', 'C':
			p.free = true
		case 'q', 'Q':
			return ErrQuit
		case 'a', 'A', 3: // ^C
			return ErrAbort
		default:
			continue
		}
		return nil
	}
}
