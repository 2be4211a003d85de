// Package lang is the language of coredbg: MDB's statements, expressions,
// formats, variables and pipelines. It knows the dead process and the commands
// only as the interfaces of a Host.
//
// The chain: a Parser turns text into a Stmt; the Interp evaluates its address,
// count and arguments, and runs its stages one after the other, each handing
// Records to the next; the last stage's records are shown or fed to a shell.
//
// Facts: illumos-gate, man1/mdb.1 and usr/src/cmd/mdb/common/mdb (mdb_lex.l,
// mdb_grammar.y, mdb_fmt.c, mdb_main.c); where the two disagree the code was
// followed.
//
// LIMITATIONS: there is no execution control and no writing; physical address
// spaces ("\" and "@") are answered as unsupported.
package lang

import (
	"context"
	"encoding/binary"
	"io"

	"coredbg/core"
)

// A Record is as much of a command's result as the language needs: the address
// that the next stage of a pipeline runs at.
type Record interface {
	Addr() (a core.Addr, ok bool)
}

// A TextRecord is a Record whose text is read as expressions when it enters a pipeline, as the output of ::echo
// and ::cat.
type TextRecord interface {
	Record
	PipeText() string
}

// A Multi is a Record that stands for several addresses in a pipeline.
type Multi interface {
	Record
	Addrs() []core.Addr
}

// A Sink takes the records of a stage.
type Sink interface {
	// Put takes one record; ErrStop says that no more are wanted.
	Put(r Record) error
	// Close says that there are no more.
	Close() error
}

// An Arg is an operand or an option's argument. A $[expr] is a number without
// text.
type Arg struct {
	Text  string
	Num   uint64
	IsNum bool
	// Parts are the pieces of Text, for commands that give quotes more meaning than keeping blanks in a word.
	Parts []Part
}

// Traits are the facts about a command that the interpreter needs before it runs.
type Traits struct {
	Filter     bool // it wants all records of a pipe, not one address at a time
	TakesCount bool // it reads the count itself and runs once
}

// An Invocation is one run of a command.
type Invocation struct {
	Name  string // with its verb, as in Cmd
	Dot   core.Addr
	Given bool // dot was set by an address or a pipe
	Piped bool
	First bool // the first run of a loop or pipe
	Feeds bool // its records are the input of another command
	Count uint64
	Args  []Arg
	Input Record // the record that dot comes from, if Piped
	Emit  func(Record) error
}

// A Target is the dead process as expressions and formats see it.
type Target interface {
	// Read fills p with the bytes at a: of memory or, if file is set, of the
	// object file that backs a.
	Read(p []byte, a core.Addr, file bool) (int, error)
	// Words returns the byte order and the size of a pointer in bytes.
	Words() (order binary.ByteOrder, ptr int)
	// Disassemble returns the instruction at a and its length in bytes.
	Disassemble(a core.Addr, file bool) (text string, size int, err error)
}

// Names finds values for names and names for addresses.
type Names interface {
	// Symbol returns the value of "sym", "obj`sym" or "obj`file.c`sym". The error
	// says why one that is there has no value, or why one may be there that is not
	// found.
	Symbol(name string) (a core.Addr, ok bool, err error)
	// Name returns the symbol that covers a and a's distance from it.
	Name(a core.Addr) (name string, off uint64, ok bool)
	// Register returns a register of the current thread.
	Register(name string) (uint64, bool)
}

// A Runner runs commands.
type Runner interface {
	// Command returns the traits of a command, or why there is none.
	Command(name string) (Traits, error)
	Run(ctx context.Context, inv *Invocation) error
	// Open starts a filter.
	Open(ctx context.Context, inv *Invocation) (Sink, error)
}

// A Display shows what comes out of pipelines.
type Display interface {
	// Show writes a record to w or, if w is nil, to the session's output.
	Show(r Record, w io.Writer) error
	// Warn reports a failure.
	Warn(err error)
	// Shell runs a shell command. Feed writes its input; nil leaves it the
	// session's.
	Shell(ctx context.Context, line string, feed func(w io.Writer) error) error
}

// Foreign is what a host makes of a statement in the words of another debugger.
type Foreign struct {
	// Run is the statement of this language that means the same; if it is "",
	// Hint says what to type.
	Run, Hint string
	// Note is what to say where Run is run; it may be "". It is said once for each Once,
	// or each time if that is "".
	Note, Once string
	// Always is set for words that mean this even where a symbol has their name.
	Always bool
	// Weak is set for a guess: it holds only where the statement has no
	// meaning of its own.
	Weak bool
	// Last is set where anything else that the text may mean comes first.
	Last bool
}

// A Translator knows the words of other debuggers.
type Translator interface {
	// Foreign looks at the text of a statement that this language cannot read
	// or evaluate, or that is a single word.
	Foreign(text string) (Foreign, bool)
	// Note says something that is not a failure.
	Note(text string)
}

// A Host is everything that the interpreter needs from the debugger.
type Host interface {
	Target
	Names
	Runner
	Display
	Translator
}
