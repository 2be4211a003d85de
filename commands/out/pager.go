package out

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// Results of a Pager's Write when its user has seen enough.
var (
	// ErrQuit asks the command to end.
	ErrQuit = errors.New("pager: quit")
	// ErrAbort asks the whole line to end.
	ErrAbort = errors.New("pager: abort")
)

// A Pager is a writer that stops after each screen of text until a key says how to go on. The keys are
// less(1)'s: pageKeys lists them. Output shorter than a screen is never stopped.
type Pager struct {
	w    io.Writer
	keys func() ([]byte, error)
	size func() (columns, lines int)

	lines   []string // what came since Reset, or the last of it
	dropped int      // lines that are no longer kept
	kept    int      // bytes in lines
	part    []byte   // the line that has not ended
	shown   int      // lines of lines that are on the screen or above it
	room    int      // remaining rows of the screen
	paging  bool     // a screen has been filled
	skip    skip
	typed   []byte // keys that came with the last one
	find    *regexp.Regexp
	back    bool   // the search goes back
	hit     int    // the line that the last search found
	ended   bool   // no more will come
	from    int    // the first line of the screen when a search in the coming text began
	said    string // instead of the prompt, once
}

// skip says how far output is taken without a stop.
type skip uint8

const (
	skipNone  skip = iota
	skipToEnd      // G: to the end of the output, and its last screen is shown
	skipFind       // /: to the next line that matches
	skipAll        // c: all the rest is shown
)

// maxKept is how many bytes of output can be gone back to.
const maxKept = 32 << 20

// NewPager returns a pager that writes to w. keys waits for a key and returns its bytes, without an echo; size
// returns the terminal's size, or zero.
func NewPager(w io.Writer, keys func() ([]byte, error), size func() (columns, lines int)) *Pager {
	p := &Pager{w: under(w), keys: keys, size: size}
	p.Reset()
	return p
}

// Reset starts with a fresh screen, as for a new line of input.
func (p *Pager) Reset() {
	_, rows := p.size()
	*p = Pager{w: p.w, keys: p.keys, size: p.size, room: rows - 1, find: p.find, back: p.back}
	if rows < 3 {
		p.skip = skipAll
	}
}

// Write implements io.Writer; it returns ErrQuit or ErrAbort if the user ends the
// output.
func (p *Pager) Write(b []byte) (int, error) {
	if p.skip == skipAll {
		return p.w.Write(b)
	}
	for done := 0; done < len(b); {
		n := bytes.IndexByte(b[done:], '\n') + 1
		if n == 0 {
			p.part = append(p.part, b[done:]...)
			break
		}
		p.keep(string(append(p.part, b[done:done+n-1]...)))
		p.part = p.part[:0]
		done += n
		if err := p.advance(); err != nil {
			return done, err
		}
		if p.skip == skipAll {
			n, err := p.w.Write(b[done:])
			return done + n, err
		}
	}
	return len(b), nil
}

// Finish says that no more will come. If the output filled more than a screen, the user
// may go back in it until a key ends that. It returns what Write does.
func (p *Pager) Finish() error {
	if len(p.part) > 0 {
		if _, err := p.w.Write(p.part); err != nil { // what has no end waits for more
			return err
		}
		p.part = nil
	}
	p.ended = true
	if p.skip == skipFind {
		p.said = "Pattern not found"
		p.skip = skipNone
		p.repaint(max(p.from, 0))
	}
	if p.skip == skipToEnd {
		p.skip = skipNone
		p.repaint(len(p.lines))
	}
	for p.paging && p.skip != skipAll {
		if done, err := p.ask(true); err != nil || done {
			return err
		}
	}
	return nil
}

// keep adds a line, and forgets the eldest of very many.
func (p *Pager) keep(line string) {
	p.lines = append(p.lines, line)
	p.kept += len(line)
	for p.kept > maxKept && p.shown > 1 {
		p.kept -= len(p.lines[0])
		p.lines = p.lines[1:]
		p.shown--
		p.from--
		p.hit--
		p.dropped++
	}
	if p.skip == skipToEnd && p.kept > maxKept {
		p.kept -= len(p.lines[0])
		p.lines = p.lines[1:]
		p.dropped++
	}
}

// advance shows lines that have come, as far as the screen has room for them.
func (p *Pager) advance() error {
	for p.shown < len(p.lines) && p.skip != skipToEnd {
		line := p.lines[p.shown]
		if p.skip == skipFind {
			if !p.find.MatchString(plainText(line)) {
				p.shown++ // it is above the screen
				continue
			}
			p.skip, p.hit = skipNone, p.shown
			p.repaint(p.shown)
			continue
		}
		if p.room < p.rows(line) {
			p.paging = true
			if _, err := p.ask(false); err != nil {
				return err
			}
			continue
		}
		if err := p.show(line); err != nil {
			return err
		}
	}
	return nil
}

// show writes the next line.
func (p *Pager) show(line string) error {
	p.room -= p.rows(line)
	p.shown++
	_, err := io.WriteString(p.w, p.marked(line)+"\n")
	return err
}

// rows is how many rows of the screen a line takes.
func (p *Pager) rows(line string) int {
	columns, _ := p.size()
	if columns <= 0 {
		return 1
	}
	return max(1, (runewidth.StringWidth(plainText(line))+columns-1)/columns)
}

func plainText(line string) string { return string(stripColors([]byte(line))) }

// repaint clears the screen and shows the one that begins at line top, or earlier at the
// end of the output, so that it is full.
func (p *Pager) repaint(top int) {
	_, rows := p.size()
	p.room = rows - 1
	room := p.room
	for i := top; i < len(p.lines) && room > 0; i++ {
		room -= p.rows(p.lines[i])
	}
	for p.ended && top > 0 && room >= p.rows(p.lines[top-1]) {
		top--
		room -= p.rows(p.lines[top])
	}
	io.WriteString(p.w, "\x1b[H\x1b[2J")
	p.shown = max(top, 0)
	for p.shown < len(p.lines) && p.room >= p.rows(p.lines[p.shown]) {
		p.show(p.lines[p.shown])
	}
}

// top returns the first line of the screen.
func (p *Pager) top() int {
	_, rows := p.size()
	used := rows - 1 - p.room
	i := p.shown
	for i > 0 && used >= p.rows(p.lines[i-1]) {
		i--
		used -= p.rows(p.lines[i])
	}
	return i
}

const pageKeys = "space b / n N g G, return, c to the end, q ends"

// prompt is what the last row of the screen says.
func (p *Pager) prompt(end bool) string {
	switch {
	case p.said != "":
		said := p.said
		p.said = ""
		return said
	case end && p.shown == len(p.lines):
		return "(END) " + pageKeys
	}
	return "-- more -- " + pageKeys
}

// ask waits for a key and does what it says. Done is set if the output may end.
func (p *Pager) ask(end bool) (done bool, err error) {
	columns, rows := p.size()
	if _, err := fmt.Fprintf(p.w, "\x1b[7m%s\x1b[27m", runewidth.Truncate(p.prompt(end), max(columns-1, 0),
		"")); err != nil {
		return true, err
	}
	k, err := p.key()
	io.WriteString(p.w, "\r\x1b[K")
	if err != nil {
		return true, ErrAbort
	}
	atEnd := end && p.shown == len(p.lines)
	switch k {
	case " ", "f", "\x1b[6~", "\x06":
		p.room = rows - 1
		return atEnd, p.fill()
	case "\r", "\n", "j", "e", "\x1b[B", "\x1bOB":
		p.room = 1
		return atEnd, p.fill()
	case "b", "\x1b[5~", "\x02":
		p.repaint(p.pageAbove(p.top()))
	case "k", "y", "\x1b[A", "\x1bOA":
		p.repaint(max(p.top()-1, 0))
	case "g", "<", "\x1b[H":
		p.repaint(0)
		if p.dropped > 0 {
			p.said = fmt.Sprintf("%d lines above are forgotten", p.dropped)
		}
	case "G", ">", "\x1b[F":
		p.shown = len(p.lines)
		if end {
			p.repaint(len(p.lines))
		} else {
			p.skip = skipToEnd
		}
	case "/", "?":
		p.search(k == "?", end)
	case "n", "N":
		p.next(p.back != (k == "N"), end)
	case "c":
		p.skip = skipAll
		for p.shown < len(p.lines) {
			if err := p.show(p.lines[p.shown]); err != nil {
				return true, err
			}
		}
		return true, nil
	case "q", "Q":
		if end {
			return true, nil
		}
		return true, ErrQuit
	case "a", "A", "\x03":
		return true, ErrAbort
	default:
		p.said = pageKeys
	}
	return false, nil
}

// fill shows lines that have come as far as there is room.
func (p *Pager) fill() error {
	for p.shown < len(p.lines) && p.room >= p.rows(p.lines[p.shown]) {
		if err := p.show(p.lines[p.shown]); err != nil {
			return err
		}
	}
	return nil
}

// pageAbove returns the first line of the screen that ends above line i.
func (p *Pager) pageAbove(i int) int {
	_, rows := p.size()
	for room := rows - 1; i > 0 && room >= p.rows(p.lines[i-1]); i-- {
		room -= p.rows(p.lines[i-1])
	}
	return i
}

// key returns the next key: a character, or the sequence of a special one.
func (p *Pager) key() (string, error) {
	if len(p.typed) == 0 {
		b, err := p.keys()
		if err != nil || len(b) == 0 {
			return "", io.ErrUnexpectedEOF
		}
		p.typed = append(p.typed, b...)
	}
	n := 1
	switch {
	case p.typed[0] == '\x1b' && len(p.typed) > 1:
		for n = 2; n < len(p.typed) && n < 8 && (p.typed[n-1] < 'A' || n == 2); n++ {
		}
	case p.typed[0] >= utf8.RuneSelf:
		_, n = utf8.DecodeRune(p.typed)
	}
	k := string(p.typed[:n])
	p.typed = p.typed[n:]
	return k, nil
}
