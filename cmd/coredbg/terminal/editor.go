package terminal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"github.com/peterh/liner"
)

// MaxLine is the length in bytes of the longest line of input.
const MaxLine = 1 << 20

// A LineReader reads the lines of a prompt. ReadLine returns io.EOF at the end
// of input and ErrAborted if the line was given up.
type LineReader interface {
	ReadLine(prompt string) (string, error)
	AddHistory(line string)
	Close() error
}

// ErrAborted is returned for a line that was ended with ^C.
var ErrAborted = liner.ErrPromptAborted

// A completer returns what may be at pos in line: the text before the word,
// the words, and the text after it.
type completer = func(line string, pos int) (head string, words []string, tail string)

// An Editor is a LineReader with editing, history and completion. It has the
// terminal to itself only while it reads a line; commands find it as it was.
// Where the terminal cannot be edited on, it reads lines as they come.
type Editor struct {
	cooked, own liner.ModeApplier
	state       *liner.State // nil until a line was edited
	complete    completer
	plain       *plainReader
	columns     func() int
	past        []string // lines of before state was made
	history     *os.File
	// HistoryError says why no history is kept; nil if it is.
	HistoryError error
}

// NewEditor takes over the terminal.
func NewEditor(complete completer, keys Interrupts, system commands.System, stdin *os.File, stdout,
	stderr *out.Terminal) (*Editor, error) {
	cooked, err := liner.TerminalMode()
	if err != nil {
		return nil, err
	}
	e := &Editor{cooked: cooked, complete: complete, plain: newPlainReader(stdin, stdout, keys)}
	if !Is(stdout.File()) {
		e.plain.out = stderr // what stdout goes to is not for prompts
	}
	e.columns = func() int { return Columns(stdout.File()) }
	e.HistoryError = e.openHistory(system)
	return e, nil
}

// workingSpace is how many columns the library wants after a prompt.
const workingSpace = 10

// editable reports whether a line with this prompt can be edited.
func (e *Editor) editable(prompt string) bool {
	return !e.plain.waiting && liner.TerminalSupported() && e.columns() >= out.Width(prompt)+workingSpace
}

// start takes the modes of the terminal that editing wants.
func (e *Editor) start() error {
	if e.state != nil {
		return e.own.ApplyMode()
	}
	e.state = liner.NewLiner()
	e.state.SetCtrlCAborts(true)
	e.state.SetTabCompletionStyle(liner.TabPrints)
	if e.complete != nil {
		e.state.SetWordCompleter(cleanWords(e.complete))
	}
	for _, line := range e.past {
		e.state.AppendHistory(line)
	}
	e.past = nil
	var err error
	e.own, err = liner.TerminalMode()
	return err
}

// cleanWords leaves out words that a terminal could take for more than text: the library prints them as they
// are, and they cannot be typed.
func cleanWords(complete completer) liner.WordCompleter {
	return func(line string, pos int) (string, []string, string) {
		head, words, tail := complete(line, pos)
		return head, slices.DeleteFunc(slices.Clone(words), func(w string) bool { return out.Clean(w, false) != w }),
			tail
	}
}

// ReadLine implements LineReader.
func (e *Editor) ReadLine(prompt string) (string, error) {
	if !e.editable(prompt) {
		return e.plain.ReadLine(prompt)
	}
	defer e.cooked.ApplyMode()
	if err := e.start(); err != nil {
		return "", err
	}
	return e.state.Prompt(out.Clean(prompt, false)) // it takes no control characters
}

// A plainReader reads lines of a terminal that shows what is typed by itself.
type plainReader struct {
	in      *bufio.Reader
	out     io.Writer
	keys    Interrupts
	lines   chan plainLine
	waiting bool // a line is being read
}

type plainLine struct {
	text string
	err  error
}

func newPlainReader(in io.Reader, out io.Writer, keys Interrupts) *plainReader {
	return &plainReader{in: bufio.NewReader(in), out: out, keys: keys, lines: make(chan plainLine, 1)}
}

// ReadLine reads a line. ^C gives it up: the terminal then drops what was
// typed, and the next call goes on with the same read.
func (r *plainReader) ReadLine(prompt string) (string, error) {
	fmt.Fprint(r.out, prompt)
	if !r.waiting {
		r.waiting = true
		go func() {
			text, err := r.in.ReadString('\n')
			if text != "" && errors.Is(err, io.EOF) {
				err = nil
			}
			// A ^C that was typed at a pager's question and not read.
			text = text[strings.LastIndexByte(text, 3)+1:]
			r.lines <- plainLine{strings.TrimRight(text, "\r\n"), err}
		}()
	}
	select {
	case l := <-r.lines:
		r.waiting = false
		return l.text, l.err
	case <-r.keys:
		fmt.Fprintln(r.out)
		return "", ErrAborted
	}
}

// AddHistory keeps a line for this session and, if there is a history file,
// for later ones.
func (e *Editor) AddHistory(line string) {
	if e.state != nil {
		e.state.AppendHistory(line)
	} else {
		e.past = append(e.past, line)
	}
	if e.history != nil && !strings.ContainsAny(line, "\r\n") {
		fmt.Fprintln(e.history, line)
	}
}

// Close gives the terminal back.
func (e *Editor) Close() error {
	var err error
	if e.state != nil {
		err = e.state.Close()
	}
	e.cooked.ApplyMode()
	if e.history != nil {
		e.history.Close()
	}
	return err
}

// historyPath is where lines are kept between sessions: in $XDG_STATE_HOME, by
// the XDG base directory specification.
func historyPath(system commands.System) (string, error) {
	dir := system.Getenv("XDG_STATE_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "coredbg", "history"), nil
}

// openHistory reads the history file and keeps it open for new lines, which
// are appended one by one: several sessions may share it.
func (e *Editor) openHistory(system commands.System) error {
	path, err := historyPath(system)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := trimHistory(path); err != nil {
		return err
	}
	if e.history, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600); err != nil {
		return err
	}
	scan := bufio.NewScanner(e.history)
	scan.Buffer(nil, MaxLine)
	for scan.Scan() {
		e.past = append(e.past, scan.Text())
	}
	return scan.Err()
}

// trimHistory cuts a history file that has grown to twice what is kept.
func trimHistory(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil // there is none yet
	}
	defer f.Close()
	var lines []string
	scan := bufio.NewScanner(io.LimitReader(f, 64<<20))
	scan.Buffer(nil, MaxLine)
	for scan.Scan() {
		lines = append(lines, scan.Text())
	}
	if len(lines) < 2*liner.HistoryLimit {
		return nil
	}
	lines = lines[len(lines)-liner.HistoryLimit:]
	return os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600)
}
