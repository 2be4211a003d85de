package native

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/crash"
	"coredbg/crash/bugs"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

// A banner is the first screen of a session: why the process died, where, the source of that place with the values that
// it names, and the commands to go on with.
type banner struct {
	status *statusRecord
	thread string       // whose frames are shown, by id and name
	raised []string     // the stack of the error that ended the process, a line a frame
	top    []bannerLine // the frames of the thread that died
	more   int          // frames of the program that are left out
	scene  *commands.Scene
	facts  []string // more about the cause, such as what fills the heap
	next   []string // commands
}

// A bannerLine is a frame.
type bannerLine struct {
	index int
	name  string // with its arguments
	place string

	lib     bool // it is no function of the program
	managed bool
}

// How many frames a banner shows.
const (
	bannerNative = 2 // of machine code, if managed ones follow
	bannerAll    = 8
	bannerCauses = 2
	bannerFacts  = 3
)

// Banner describes a core in a screen: the program, why it died in its own words and in the system's, where,
// and its variables there. It walks only the thread that died, and only its first frames. The thread that it shows
// becomes the current one.
func Banner(ctx context.Context, s *commands.Session) commands.Texter {
	b := &banner{status: newStatus(ctx, s, false)}
	t := commands.Crashed(s.Process)
	if t == nil {
		t = s.Thread
	}
	if t == nil {
		return b
	}
	rec := s.Stacks.Thread(ctx, t, stack.Options{Limit: statusReach})
	var verdict *crash.Verdict
	if t.Crashed {
		subject := s.Subject()
		subject.Stack = rec
		verdict = b.status.judge(ctx, subject)
		b.raise(s, verdict)
	}
	if verdict != nil && verdict.Stack != nil && verdict.Stack.Thread != t {
		rec, t = verdict.Stack, verdict.Stack.Thread // the fault was there
		s.Thread = t
	}
	b.thread = threadTitle(s, t)
	if s.Frames != nil {
		s.Frames.Brief(ctx, t, rec, commands.FrameArguments(s))
	}
	b.top, b.more = topFrames(s, rec)
	if verdict != nil && verdict.Cause.FullHeap() {
		b.top, b.more = ofLanguage(b.top), 0 // who asked for memory last says little, and the collector nothing
	} else if s.Frames != nil && verdict != nil && len(b.facts) == 0 {
		b.scene = b.fitting(ctx, s, s.Frames.Scene(ctx, t))
	}
	b.next = b.commands(ctx, s, t, verdict)
	return b
}

// raise takes the error that nothing caught, if one ended the process: its own stack says where it was thrown, and the
// thread's may not any more.
func (b *banner) raise(s *commands.Session, v *crash.Verdict) {
	for i := range b.status.Causes {
		c := &b.status.Causes[i]
		if len(b.raised) > 0 {
			break
		}
		b.raised = slices.Clone(c.Stack)
		for k := 0; k < len(c.Trace) && len(c.Stack) == 0; k++ {
			f := &stack.Frame{Name: c.Trace[k].Name, File: c.Trace[k].File, Line: c.Trace[k].Line,
				Column: c.Trace[k].Column}
			b.raised = append(b.raised, where.Frame(f))
		}
		if own := slices.DeleteFunc(slices.Clone(b.raised), ofNode); len(own) > 0 {
			b.raised = own
		}
	}
	if v.Cause.FullHeap() || v.Cause.FromOutside() {
		for _, e := range v.Beyond() {
			if !slices.Contains(b.status.Reason, e) && len(b.facts) < bannerFacts {
				b.facts = append(b.facts, e)
			}
		}
	}
}

// ofLanguage returns the frames of managed code.
func ofLanguage(list []bannerLine) []bannerLine {
	return slices.DeleteFunc(list, func(x bannerLine) bool { return !x.managed })
}

// fitting returns a scene if it is where the error was thrown that ended the process, or if no error did;
// else that place, as far as the process holds its source.
func (b *banner) fitting(ctx context.Context, s *commands.Session, x *commands.Scene) *commands.Scene {
	if len(b.raised) == 0 {
		return x
	}
	file, line, ok := raisedPlace(b.raised[0])
	if x != nil && x.Line == line && filepath.Base(x.File) == filepath.Base(file) {
		return x
	}
	ctx, cancel := context.WithTimeout(ctx, bannerPatience)
	defer cancel()
	for i := 0; ok && i < len(s.Held); i++ {
		if path, lines := s.Held[i](ctx, file, max(line-2, 1), line+2); len(lines) > 0 {
			return &commands.Scene{File: path, Line: line, Lines: lines}
		}
	}
	return nil
}

// bannerPatience is how long scripts are looked for in a heap.
const bannerPatience = 2 * time.Second

// raisedPlace returns the file and the line of a frame of an error's stack: "f (file:line:column)", or the place alone.
func raisedPlace(at string) (file string, line int, ok bool) {
	place := strings.TrimSuffix(at[strings.LastIndexByte(at, '(')+1:], ")")
	if i := strings.LastIndexByte(place, ':'); i > 0 {
		if file, line, ok := lang.FileLine(place[:i]); ok && file != "" {
			return strings.TrimPrefix(file, "file://"), line, true
		}
	}
	file, line, ok = lang.FileLine(place)
	return file, line, ok && file != ""
}

// ofNode reports whether a line of an error's stack belongs to Node's own code.
func ofNode(line string) bool {
	i := strings.LastIndexByte(line, '(')
	place := line[i+1:]
	return strings.HasPrefix(place, "node:") || strings.HasPrefix(place, "internal/")
}

// interesting reports whether a frame belongs into a summary: code that gave
// up, not the machinery of giving up.
func interesting(s *commands.Session, f *stack.Frame, aborted bool) bool {
	if s.Noise(f.Name) || f.Kind == runtimes.Stub || f.Kind == runtimes.Signal || f.Tier == "builtin" {
		return false
	}
	// A place without a name says nothing, unless the crash happened there. Code that abort calls to raise its
	// signal is not such a place.
	return f.Name != "" || f.Index == 0 && (f.Module == "" || !aborted) || stack.Managed(f)
}

// starts are the functions that a thread has before its own; glibc, musl and libpthread.
var starts = []string{"__libc_start_call_main", "__libc_start_main", "libc_start_main_stage2", "_start", "_start_c",
	"start_thread", "start", "clone", "__clone", "clone3", "__clone3", "thread_start", "_pthread_start"}

// topFrames returns the frames of a stack that say where it happened, at most bannerAll, and how many of the
// program's own are left out: the place itself, then the program's own functions. Behind managed code its
// runtime's frames say nothing. In a program without symbols these are places without names.
func topFrames(s *commands.Session, t *stack.Stack) (list []bannerLine, more int) {
	list = ownFrames(s, t)
	shown := min(len(list), bannerAll)
	return list[:shown], len(list) - shown
}

// OwnFrames returns the places in t.Frames of the same frames, at most most, and how many are left out.
func OwnFrames(s *commands.Session, t *stack.Stack, most int) (list []int, more int) {
	for i, line := range ownFrames(s, t) {
		k := slices.IndexFunc(t.Frames, func(f stack.Frame) bool { return f.Index == line.index })
		switch {
		case i >= most:
			more++
		case k >= 0:
			list = append(list, k)
		}
	}
	return list, more
}

// sortFrames returns the frames that say something: native ones, managed ones of the program and of others, and those
// that have only a module.
func sortFrames(s *commands.Session, t *stack.Stack) (native, managed, nameless, foreign []bannerLine) {
	aborted := t.Signal == "SIGABRT"
	handler := len(t.Frames) // the frames inside it are a signal handler's
	for handler > 0 && t.Frames[handler-1].Kind != runtimes.Signal {
		handler--
	}
	for i := range t.Frames {
		f := &t.Frames[i]
		if f.Name == "" && f.Module != "" && f.Trust != walk.Scanned {
			if x := newBannerLine(f); !slices.ContainsFunc(nameless,
				func(y bannerLine) bool { return y.name == x.name }) {
				nameless = append(nameless, x)
			}
		}
		switch {
		case slices.Contains(starts, f.Name) && i > 0:
		case !interesting(s, f, aborted), f.Trust == walk.Scanned && i > 0:
		case stack.Managed(f):
			if (stack.OfProgram(f) || f.File == "") && !where.OfLibrary(f) {
				managed = append(managed, newBannerLine(f))
			} else {
				foreign = append(foreign, newBannerLine(f))
			}
		case len(managed)+len(foreign) > 0:
		case where.OfLibrary(f) && (len(native) > 0 || i < handler): // between the program's functions
		default:
			native = append(native, newBannerLine(f))
		}
	}
	return native, managed, nameless, foreign
}

// ownFrames returns all of them.
func ownFrames(s *commands.Session, t *stack.Stack) []bannerLine {
	native, managed, nameless, foreign := sortFrames(s, t)
	aborted := t.Signal == "SIGABRT"
	if own := slices.DeleteFunc(slices.Clone(native), func(x bannerLine) bool { return x.lib }); aborted &&
		len(own)+len(managed) > 0 {
		native = own // what gives up says nothing: a library, or the runtime below the program's managed code
	}
	if len(managed) == 0 {
		managed = foreign
	}
	all := native
	switch {
	case len(managed) > 0:
		all = slices.Concat(native[:min(len(native), bannerNative)], managed)
	case len(native) == 0 && len(nameless) > 0:
		all = nameless
	case len(native) == 0 && len(t.Frames) > 0:
		all = []bannerLine{newBannerLine(&t.Frames[0])}
	}
	return all
}

// newBannerLine returns a frame in a line.
func newBannerLine(f *stack.Frame) bannerLine {
	x := bannerLine{index: f.Index, name: f.Name, lib: where.OfLibrary(f), managed: stack.Managed(f)}
	switch {
	case f.Made && f.Name == "":
		x.name = f.Symbolic() + " " + stack.MadeCode
	case f.Name == "" && stack.Managed(f):
		x.name = "<anonymous>"
	case f.Name == "":
		x.name = f.Symbolic()
	case f.File == "" && !stack.Managed(f):
		x.name = f.Symbolic()
	}
	if f.Async {
		x.name = "async " + x.name
	}
	if f.Args != "" {
		x.name += " (" + f.Args + ")"
	}
	if f.File != "" {
		x.place = filepath.Base(f.File)
		if f.Line > 0 {
			x.place += ":" + strconv.Itoa(f.Line)
		}
	}
	return x
}

// commands returns the commands to go on with: two that this cause asks for, and the help.
func (b *banner) commands(ctx context.Context, s *commands.Session, t *core.Thread, v *crash.Verdict) []string {
	var list []string
	add := func(line string) {
		switch {
		case line == "$C":
			line = "::stack"
		case line == "::stacks" && alone(s):
			line = "::analyze" // there is one stack
		case line == "::siginfo", line == "::status":
			return // the screen has what they show
		}
		if len(list) < 2 && !slices.Contains(list, line) &&
			(!slices.Contains(doubtful, line) || answers(ctx, s, line)) {
			list = append(list, line)
		}
	}
	if v == nil {
		add("::stack")
		add("::stacks")
		return append(list, "::help")
	}
	managed := v.Cause.Managed()
	if b.scene != nil && b.scene.Known && !managed && !v.Cause.FromOutside() {
		add("::locals")
	}
	if a := b.freed(s, v); a != "" {
		add(a)
	}
	if !managed && !v.Cause.FromOutside() && slices.ContainsFunc(b.top, func(x bannerLine) bool { return x.managed }) {
		add(variablesOfManaged(s)) // Java that called the native code
	}
	for _, n := range v.Next {
		add(n)
	}
	if managed && len(list) < 2 {
		add("::stack -m")
	}
	add("::stacks")
	add("::stack")
	return append(list, "::help")
}

// doubtful are commands that have no answer in some processes, and are quick.
var doubtful = []string{"<pc::dis", "::uvloop", "::locals"}

// errAnswered ends a command at its first record.
var errAnswered = errors.New("it answers")

// answers reports whether a line has a record to show.
func answers(ctx context.Context, s *commands.Session, line string) (yes bool) {
	s.Ask(ctx, line, func(r commands.Record) error {
		if _, failed := r.(*commands.Failure); failed {
			return nil
		}
		yes = true
		return errAnswered
	})
	return yes
}

// alone reports whether a process has one stack only.
func alone(s *commands.Session) bool {
	if len(s.Process.Threads) > 1 {
		return false
	}
	tasks, _ := s.Tasks()
	return len(tasks) == 0
}

// variablesOfManaged returns the command that shows the frames of Java with their variables; $C in a process
// without Java.
func variablesOfManaged(s *commands.Session) string {
	if slices.Contains(s.Languages(), runtimes.LanguageJava) {
		return "::javastack -l"
	}
	return "$C"
}

// freed returns the command that shows the block whose state was the cause.
func (b *banner) freed(s *commands.Session, v *crash.Verdict) string {
	switch v.Cause {
	case bugs.HeapCorruption, bugs.DoubleFree, bugs.InvalidFree:
		return "::heapcheck"
	case bugs.UseAfterFree, bugs.WildPointer:
		if g := s.Process.Signal; g != nil && g.HasAddr && g.Addr > 0xffff {
			return sym.Clean(g.Addr.String()) + "::whatis"
		}
	}
	return ""
}
