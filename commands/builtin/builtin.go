// Package builtin holds the dcmds of the language itself: help, listings of commands, walkers,
// variables and formats, filters of a pipeline, and evaluation of text. They know nothing of how a
// process is decoded.
package builtin

import (
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
)

const module = "mdb"

// Commands returns the table of this package's dcmds.
func Commands() []commands.Command {
	all := slices.Concat(helpCommands(), listCommands(), filterCommands(), evalCommands(), stateCommands(),
		moduleCommands())
	for i := range all {
		all[i].Module = module
	}
	return all
}

// A listRecord is a line of a listing: a name and its meaning.
type listRecord struct {
	Type    string `json:"type" record:"command,walker"`
	Name    string `json:"name" col:",24" ink:"keyword"`
	Module  string `json:"module,omitempty"`
	Summary string `json:"summary" col:",- %s"`
}

// A formatRecord is a letter of a format and its meaning.
type formatRecord struct {
	_       out.Record `record:"format"`
	Name    string     `json:"name" col:"" ink:"keyword"`
	Summary string     `json:"summary" col:",- %s"`
	Size    int        `json:"size,omitempty"` // in bytes
}

// A textRecord is text that a user wrote: in a pipeline its lines are expressions.
type textRecord struct {
	_       out.Record `record:"text"`
	Content string     `json:"text"` // without the final newline
}

// Addr implements lang.TextRecord: what has an address is in the text.
func (r *textRecord) Addr() (core.Addr, bool) { return 0, false }

// Text writes the text.
func (r *textRecord) Text(w *out.Writer) { w.Printf("%s\n", r.Content) }

// PipeText implements lang.TextRecord.
func (r *textRecord) PipeText() string { return r.Content }

func newText(s string) *textRecord {
	return &textRecord{Content: strings.TrimSuffix(s, "\n")}
}

// words joins all arguments of a call with blanks, as ::eval and ::echo see
// them.
func words(c *commands.Call) string {
	all := make([]string, len(c.Args))
	for i, a := range c.Args {
		all[i] = c.Text(a)
	}
	return strings.Join(all, " ")
}
