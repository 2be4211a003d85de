package commands

import (
	"fmt"

	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
)

// A Record is one result of a command: a struct declared as out.Record describes. Its declaration gives its
// text, its JSON, and its address for the next stage of a pipeline. A method takes the place of a declaration
// that cannot say it: Text of a Texter, Header of a Header, Addr of a lang.Record, MarshalJSON of a
// json.Marshaler.
type Record any

// Schema is the version of the records as programs see them, which the record of
// ::version has. It grows when a key is renamed or removed, or means something
// else; new keys and types leave it.
const Schema = 1

// A Texter is a Record whose form for people is neither a line of a table nor a
// sentence.
type Texter interface {
	// Text writes the record's lines, each with its newline.
	Text(w *out.Writer)
}

// A Detailer is a Record that has more to say below its line of a table.
type Detailer interface {
	// Details writes further lines, each with its newline.
	Details(w *out.Writer)
}

// A Header is a Record with a heading of its own: it is written above the first
// record of its kind in a run of output.
type Header interface {
	Header(w *out.Writer)
}

// WriteText writes the text form of a record, without a heading. It fails for a value that is not a record.
func WriteText(w *out.Writer, r Record) error {
	switch x := Plain(r).(type) {
	case Texter:
		x.Text(w)
	case *lang.Line:
		writeLine(w, x)
	default:
		if text, _ := out.Declared(x); text {
			w.Record(x)
			break
		}
		s, ok := x.(fmt.Stringer)
		if !ok {
			return fmt.Errorf("a record of %T has no text", x)
		}
		w.Printf("%s\n", s)
	}
	if d, ok := Plain(r).(Detailer); ok {
		d.Details(w)
	}
	return nil
}

// WriteHeader writes the heading of a record, if it has one.
func WriteHeader(w *out.Writer, r Record) {
	if h, ok := Plain(r).(Header); ok {
		h.Header(w)
		return
	}
	w.Header(Plain(r))
}

// headed reports whether a record is a line of a table with a heading.
func headed(r Record) bool {
	_, own := Plain(r).(Header)
	_, table := out.Declared(Plain(r))
	return own || table
}

// A declared record is one whose address is declared, as the language sees it.
type declared struct{ record Record }

// Addr implements lang.Record.
func (d declared) Addr() (core.Addr, bool) { return out.Dot(d.record) }

// recordOf shows a record to the language.
func recordOf(r Record) lang.Record {
	if r, ok := r.(lang.Record); ok {
		return r
	}
	return declared{r}
}

// Plain returns the record that a command emitted, from the language's form of it.
func Plain(r Record) Record {
	if d, ok := r.(declared); ok {
		return d.record
	}
	return r
}

// writeLine writes what a format command printed.
func writeLine(w *out.Writer, l *lang.Line) {
	if l.Title != "" {
		w.Paint(out.Symbol, "%s", l.Title)
		w.Printf("\n")
	}
	ink := out.Addr
	if l.Symbol != "" {
		ink = out.Symbol
	}
	w.Paint(ink, "%s", l.Label)
	w.Printf("%s", l.Body())
}
