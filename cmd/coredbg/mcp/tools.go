package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coredbg/cmd/coredbg/ask"
	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
)

type stacksArgs struct {
	coreArgs
	Thread   int    `json:"thread,omitempty" jsonschema:"id of the thread; without it the one that crashed"`
	All      bool   `json:"all,omitempty" jsonschema:"the stacks of all threads, equal ones once"`
	Language string `json:"language,omitempty" jsonschema:"only frames of one language: javascript, java, or go for the stacks of all goroutines, equal ones once"`
}

type frameArgs struct {
	coreArgs
	Frame  int `json:"frame" jsonschema:"index of the frame, as stacks numbers them"`
	Thread int `json:"thread,omitempty" jsonschema:"id of the thread; without it the one that crashed"`
	Depth  int `json:"depth,omitempty" jsonschema:"how deep the values of variables are shown; 2 without it"`
}

type valueArgs struct {
	coreArgs
	Expression string `json:"expression,omitempty" jsonschema:"a variable with members, as in the program: order.customer->name, T.widget"`
	Address    string `json:"address,omitempty" jsonschema:"address of a value or an object, in hexadecimal"`
	Type       string `json:"type,omitempty" jsonschema:"C or C++ type of the value at the address"`
	Language   string `json:"language,omitempty" jsonschema:"native (C, C++, Rust, Go), javascript or java; without it all are tried"`
	Thread     int    `json:"thread,omitempty" jsonschema:"id of the thread whose variables are meant; without it the one that crashed"`
	Frame      *int   `json:"frame,omitempty" jsonschema:"index of the frame whose variables are meant"`
	Depth      int    `json:"depth,omitempty" jsonschema:"how deep members are shown; 3 without it"`
}

type rootArgs struct {
	coreArgs
	Address string `json:"address" jsonschema:"address of an object of a managed heap, in hexadecimal"`
	Paths   int    `json:"paths,omitempty" jsonschema:"how many paths are shown; 1 without it"`
}

type searchArgs struct {
	coreArgs
	Text    string `json:"text,omitempty" jsonschema:"find this text in memory"`
	Pointer string `json:"pointer,omitempty" jsonschema:"find the words in memory that have this address, in hexadecimal"`
	Symbol  string `json:"symbol,omitempty" jsonschema:"list the functions and variables whose names contain this"`
	Class   string `json:"class,omitempty" jsonschema:"list the objects of this class of JavaScript or Java"`
	Most    int    `json:"most,omitempty" jsonschema:"at most this many hits; 100 without it"`
}

type commandArgs struct {
	coreArgs
	Line string `json:"line" jsonschema:"a command line of coredbg, such as ::help, ::dis main or <sp,10/nap"`
}

// askTools adds the tools that ask one core.
func (s *Server) askTools() error {
	return errors.Join(
		add(s, spec{"verdict", "Why it died",
			"Says why the process died: the cause with its confidence and evidence, the next questions, and the signature, which is equal for all cores of one bug.",
			[]string{"verdict", "signature"}}, s.verdict),
		add(s, spec{"stacks", "Stacks", "Shows the stack of a thread with the frames of all languages in one list, or the stacks of all threads. trust says how a frame was found; scan is a likely caller only.",
			[]string{"thread", "stacks", "goroutine", "goroutines"}}, s.stacks),
		add(s, spec{"frame", "A frame", "Shows a frame with its source, if that is there, its arguments and its local variables.",
			[]string{"frame", "source", "variable"}}, s.frame),
		add(s, spec{"value", "A value", "Shows a variable of the program, or the value at an address: values of C, C++, Rust and Go by their types, objects of JavaScript and Java.",
			[]string{"value", "variable", "jsvalue", "javavalue", "whatis", "member"}}, s.value),
		add(s, spec{"threads", "Threads", "Lists the threads with their states and, if there are any, the threads of Java and the goroutines by where they wait.", nil}, s.threads),
		add(s, spec{"locks", "Locks", "Shows the threads that wait, the locks that they wait for, and who holds each; circles of them are deadlocks.",
			[]string{"mutex", "deadlock", "javamonitor"}}, s.locks),
		add(s, spec{"heap", "Heap suspects", "Shows where memory went: suspects of leaks with their owners, the largest classes of a managed heap, blocks of the C heap that nothing leads to.", nil}, s.heap),
		add(s, spec{"path_to_root", "Path to a root",
			"Shows what keeps an object of a managed heap alive: the references from a root to it.",
			[]string{"gcroot", "heapobject"}}, s.pathToRoot),
		add(s, spec{"search", "Search", "Finds text or pointers in memory, symbols by a part of their name, or objects by their class.",
			[]string{"hit", "symbol", "find", "value", "whatis", "javaobject"}}, s.search),
		add(s, spec{"command", "A command line",
			"Runs a command line of coredbg in its own language. ::help lists the commands, ::help NAME explains one. Nothing is written, and no program or script is run.", nil}, s.command),
	)
}

// in runs lines in a thread of a core: 0 is the one that crashed.
func (s *Server) in(ctx context.Context, id string, thread int, do func(q *ask.Query) error) (*answer, error) {
	c, err := s.core(id)
	if err != nil {
		return nil, err
	}
	return s.ask(ctx, c, func(q *ask.Query) error {
		p := q.Session().Process
		switch {
		case thread != 0:
			if q.Session().Thread = p.Thread(thread); q.Session().Thread == nil {
				return usage("there is no thread %d: threads lists them", thread)
			}
		case len(p.Threads) > 0: // else the commands say that there is none
			q.Session().Thread = p.Threads[0]
		}
		return do(q)
	})
}

func (s *Server) verdict(ctx context.Context, in coreArgs) (*answer, error) {
	return s.in(ctx, in.Core, 0, func(q *ask.Query) error {
		q.Run("::analyze")
		q.Try("::signature")
		return nil
	})
}

func (s *Server) stacks(ctx context.Context, in stacksArgs) (*answer, error) {
	if in.All && in.Thread != 0 {
		return nil, usage("thread and all exclude each other")
	}
	return s.in(ctx, in.Core, in.Thread, func(q *ask.Query) error {
		line, err := stackLine(q.Session().Commands, in)
		if err == nil {
			q.Run("%s", line)
		}
		return err
	})
}

// stackLine returns the line that shows the stacks that a call asks for.
func stackLine(r *commands.Registry, in stacksArgs) (string, error) {
	l := runtimes.Language(in.Language)
	one, all := r.View(l, commands.Stack), r.View(l, commands.Stacks)
	switch {
	case l == "" && in.All:
		return "::stacks", nil
	case l == "":
		return "::stack", nil
	case all == "":
		return "", usage("language is %s, not %q", languages(r, commands.Stacks), in.Language)
	case in.All || one == "" && in.Thread == 0:
		return all, nil
	case one == "":
		return "", usage("the stacks of %s are shown for all threads together", in.Language)
	}
	return one, nil
}

// languages lists the languages that have a command for a subject: "go, java or javascript".
func languages(r *commands.Registry, subject commands.Subject, others ...string) string {
	list := others
	for _, v := range r.Views() {
		if v.Subject == subject && !slices.Contains(list, string(v.Language)) {
			list = append(list, string(v.Language))
		}
	}
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

func (s *Server) frame(ctx context.Context, in frameArgs) (*answer, error) {
	return s.in(ctx, in.Core, in.Thread, func(q *ask.Query) error {
		q.Run("::frame 0t%d", in.Frame)
		if q.Failed != nil {
			return nil
		}
		q.Try("::source")
		q.Try("::locals -d 0t%d", cmp.Or(max(in.Depth, 0), 2))
		return nil
	})
}

// expression refuses a text that would end a command and begin another one.
func expression(name, text string) (string, error) {
	if strings.ContainsAny(text, "|!;\n\r\"'`") {
		return "", usage("%s %q is not the name of a variable with members: command takes whole lines", name, text)
	}
	return text, nil
}

// address reads an address as clients write it.
func address(text string) (core.Addr, error) {
	v, err := lang.ParseNumber(strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(text), "0x"), "0X"), 16)
	if err != nil {
		return 0, usage("%q is not an address in hexadecimal", text)
	}
	return core.Addr(v), nil
}

func (s *Server) value(ctx context.Context, in valueArgs) (*answer, error) {
	name, err := expression("expression", in.Expression)
	of, err2 := expression("type", in.Type)
	at := ""
	if in.Address != "" {
		a, bad := address(in.Address)
		err, at = errors.Join(err, bad), fmt.Sprintf("%#x", uint64(a))
	}
	switch err = errors.Join(err, err2); {
	case err != nil:
		return nil, err
	case at == "" && name == "":
		return nil, usage("expression or address says which value is meant")
	case at == "" && of != "":
		return nil, usage("type is for an address")
	}
	depth := cmp.Or(max(in.Depth, 0), 3)
	return s.in(ctx, in.Core, in.Thread, func(q *ask.Query) error {
		if r := q.Session().Commands; in.Language != "" && in.Language != native &&
			r.View(runtimes.Language(in.Language), commands.Values) == "" {
			return usage("language is %s, not %q", languages(r, commands.Values, native), in.Language)
		}
		if in.Frame != nil {
			if f := q.Records(fmt.Sprintf("::frame 0t%d", *in.Frame),
				func(commands.Record) error { return nil }); f != nil {
				q.Failed = f
				return nil
			}
		}
		tries := valueLines(q.Session(), in.Language, at, strings.TrimSpace(of+" "+name), depth)
		if len(tries) == 0 {
			return usage("the process has no %s", in.Language)
		}
		q.First(tries)
		return nil
	})
}

// native is the language of values that debug information describes.
const native = "native"

// valueLines returns the lines that may show a value, the likeliest first.
func valueLines(s *commands.Session, language, at, name string, depth int) (lines []string) {
	line := func(of, command string) {
		if language == "" || language == of {
			lines = append(lines, fmt.Sprintf("%s%s -d 0t%d %s", at, command, depth, name))
		}
	}
	if at == "" || name != "" {
		line(native, "::print")
	}
	for _, l := range s.Languages() {
		if view := s.Commands.View(l, commands.Values); view != "" {
			line(string(l), view)
		}
	}
	if at == "" && language != "" && language != native {
		lines = append(lines, fmt.Sprintf("::print -d 0t%d %s", depth, name)) // a variable of a frame
	}
	if at != "" && name == "" && (language == "" || language == native) {
		lines = append(lines, at+"::whatis")
	}
	return lines
}

func (s *Server) threads(ctx context.Context, in coreArgs) (*answer, error) {
	return s.in(ctx, in.Core, 0, func(q *ask.Query) error {
		q.Run("::threads")
		views(q, commands.Threads)
		return nil
	})
}

func (s *Server) locks(ctx context.Context, in coreArgs) (*answer, error) {
	return s.in(ctx, in.Core, 0, func(q *ask.Query) error {
		q.Try("::deadlock") // first: the others may be many
		views(q, commands.Locks)
		q.Run("::mutexes")
		return nil
	})
}

// views runs the lines that show a subject in the languages of the process.
func views(q *ask.Query, subject commands.Subject) {
	for _, line := range q.Session().Views(subject) {
		q.Try("%s", line)
	}
}

func (s *Server) heap(ctx context.Context, in coreArgs) (*answer, error) {
	return s.in(ctx, in.Core, 0, func(q *ask.Query) error {
		_, graph := commands.RuntimeOf[runtimes.Grapher](q.Session())
		if graph {
			q.Try("::leaks")
			q.Run("::heapstat -r -n 20")
		} else {
			q.Try("::findleaks")
		}
		q.Try("::memory")
		return nil
	})
}

func (s *Server) pathToRoot(ctx context.Context, in rootArgs) (*answer, error) {
	at, err := address(in.Address)
	if err != nil {
		return nil, err
	}
	return s.in(ctx, in.Core, 0, func(q *ask.Query) error {
		q.Run("%#x::gcroot -n 0t%d", uint64(at), cmp.Or(max(in.Paths, 0), 1))
		return nil
	})
}

func (s *Server) search(ctx context.Context, in searchArgs) (*answer, error) {
	most := min(cmp.Or(max(in.Most, 0), 100), 10_000)
	var at core.Addr
	asked := 0
	for _, text := range []string{in.Text, in.Pointer, in.Symbol, in.Class} {
		if text != "" {
			asked++
		}
	}
	if asked != 1 {
		return nil, usage("one of text, pointer, symbol and class says what is searched")
	}
	class, err := expression("class", in.Class)
	if in.Pointer != "" {
		at, err = address(in.Pointer)
	}
	if err != nil {
		return nil, err
	}
	return s.in(ctx, in.Core, 0, func(q *ask.Query) error {
		switch {
		case in.Text != "":
			q.Run("::findstr -l 0t%d %s", most, lang.Part{Text: in.Text, Quote: '"'}.String())
		case in.Pointer != "":
			q.Run("%#x::ugrep -l 0t%d", uint64(at), most)
		case in.Class != "":
			q.Run("::find -n 0t%d %s", most, class)
		default:
			return symbols(q, in.Symbol, most)
		}
		return nil
	})
}

// symbols adds the symbols whose names contain a text.
func symbols(q *ask.Query, text string, most int) error {
	n := 0
	q.Failed = q.Records("::nm -C", func(r commands.Record) error {
		if !strings.Contains(q.TextOf(r), text) {
			return nil
		}
		if n++; n > most {
			q.Note(fmt.Sprintf("there are more than %s: most allows more", out.Count(most, "symbol")))
			return lang.ErrStop
		}
		return q.Keep(r)
	})
	if n == 0 && q.Failed == nil {
		q.Note("no symbol has that in its name")
	}
	return nil
}

func (s *Server) command(ctx context.Context, in commandArgs) (*answer, error) {
	if strings.TrimSpace(in.Line) == "" {
		return nil, usage("line is empty")
	}
	c, err := s.core(in.Core)
	if err != nil {
		return nil, err
	}
	return s.asked(ctx, c, func(q *ask.Query) error {
		q.Run("%s", in.Line)
		return nil
	})
}
