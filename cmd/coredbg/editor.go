package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/peterh/liner"
)

// A lineReader reads the lines of a prompt. ReadLine returns io.EOF at the end
// of input and errAborted if the line was given up.
type lineReader interface {
	ReadLine(prompt string) (string, error)
	AddHistory(line string)
	Close() error
}

// errAborted is returned for a line that was ended with ^C.
var errAborted = liner.ErrPromptAborted

// A completer returns what may stand at pos in line: the text before the word,
// the words, the text behind it.
type completer = func(line string, pos int) (head string, words []string, tail string)

// An editor is a lineReader with editing, history and completion. It has the
// terminal to itself only while it reads a line; commands find it as it was.
type editor struct {
	state        *liner.State
	cooked, own  liner.ModeApplier
	history      *os.File
	historyError error
}

// newEditor takes over the terminal.
func newEditor(complete completer) (*editor, error) {
	cooked, err := liner.TerminalMode()
	if err != nil {
		return nil, err
	}
	e := &editor{cooked: cooked, state: liner.NewLiner()}
	e.state.SetCtrlCAborts(true)
	e.state.SetTabCompletionStyle(liner.TabPrints)
	if complete != nil {
		e.state.SetWordCompleter(complete)
	}
	if e.own, err = liner.TerminalMode(); err != nil {
		e.state.Close()
		return nil, err
	}
	e.historyError = e.openHistory()
	return e, cooked.ApplyMode()
}

// ReadLine implements lineReader.
func (e *editor) ReadLine(prompt string) (string, error) {
	if err := e.own.ApplyMode(); err != nil {
		return "", err
	}
	defer e.cooked.ApplyMode()
	return e.state.Prompt(prompt)
}

// AddHistory keeps a line for this session and, if there is a history file,
// for later ones.
func (e *editor) AddHistory(line string) {
	e.state.AppendHistory(line)
	if e.history != nil && !strings.ContainsAny(line, "\r\n") {
		fmt.Fprintln(e.history, line)
	}
}

// Close gives the terminal back.
func (e *editor) Close() error {
	err := e.state.Close()
	e.cooked.ApplyMode()
	if e.history != nil {
		e.history.Close()
	}
	return err
}

// historyPath is where lines are kept between sessions: in $XDG_STATE_HOME, by
// the XDG base directory specification.
func historyPath() (string, error) {
	dir := os.Getenv("XDG_STATE_HOME")
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
func (e *editor) openHistory() error {
	path, err := historyPath()
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
	_, err = e.state.ReadHistory(e.history)
	return err
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
	scan.Buffer(nil, maxLine)
	for scan.Scan() {
		lines = append(lines, scan.Text())
	}
	if len(lines) < 2*liner.HistoryLimit {
		return nil
	}
	lines = lines[len(lines)-liner.HistoryLimit:]
	return os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600)
}
