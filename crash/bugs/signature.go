package bugs

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
)

//go:embed signature.txt
var signatureText string

// A Signature is the name of a bug: equal for cores of one bug from other machines, runs
// and builds.
type Signature struct {
	// Name is for people: the cause and the functions that were running, innermost first.
	Name string
	// Coarse is the key of the cause and the first function that is not a prefix, where a lambda counts
	// as the function that contains it. Fine is the key of the cause and all functions. They have 16
	// hexadecimal digits each. They are empty if no frame says what ran: the same cause alone does not
	// make the same bug.
	Coarse, Fine string
	Rules        int // the version of the rules
	// Undecoded is the language of the running code, where it is not decoded. The name and the keys then come
	// from the program and its command line, and other bugs of the program may share them.
	Undecoded string
	// Frames are the frames of the thread that died, each with its part of the name, as far as the name
	// needed them.
	Frames []SignedFrame
}

// A SignedFrame is a frame as the rules saw it.
type SignedFrame struct {
	Function string // as in the stack
	As       string // its part of the name; "" if the frame was left out
	Why      string // the kind of the rule and its pattern
}

// maxSigned is the maximum number of functions in a name. Functions after a prefix do not count.
const maxSigned = 5

// Rules say which parts of a stack name a bug; see signature.txt.
type Rules struct {
	Version int
	rows    []signatureRow
	files   []signatureRow
	images  []signatureRow
	// Interpreters: their functions that evaluate, other functions, images. Images of the system.
	evaluators, interpreters, interpreterImages, systemImages []signatureRow
	normalise                                                 []signatureRow
	wrappers                                                  []signatureRow
}

type signatureRow struct {
	kind, text, to string
	re             *regexp.Regexp
}

// DefaultRules returns the rules that come with coredbg.
var DefaultRules = sync.OnceValue(func() *Rules {
	r, err := ReadRules(strings.NewReader(signatureText))
	if err != nil {
		panic(err) // the file is part of the program
	}
	return r
})

// maxRules bounds a file of rules, in lines.
const maxRules = 10000

// ReadRules reads a file of rules. The error names the line.
func ReadRules(r io.Reader) (*Rules, error) {
	rules := &Rules{}
	in := bufio.NewScanner(r)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimRight(in.Text(), " ")
		kind, rest, _ := strings.Cut(strings.ReplaceAll(line, "  ", "\t"), "\t")
		rest = strings.Trim(rest, " \t")
		switch {
		case n > maxRules:
			return nil, fmt.Errorf("signature rules: line %d: too many lines", n)
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "version "):
			if _, err := fmt.Sscanf(line, "version %d", &rules.Version); err != nil {
				return nil, fmt.Errorf("signature rules: line %d: %w", n, err)
			}
		case slices.Contains([]string{"irrelevant", "library", "prefix", platform, "allocator", "allocator-file",
			"allocator-image", "system-image", "destructor", "sentinel", "file"}, kind):
			re, err := regexp.Compile("^(?:" + rest + ")$")
			if err != nil {
				return nil, fmt.Errorf("signature rules: line %d: %w", n, err)
			}
			to := &rules.rows
			switch kind {
			case "file", "allocator-file":
				to = &rules.files
			case "allocator-image":
				to = &rules.images
			case "system-image":
				to = &rules.systemImages
			}
			*to = append(*to, signatureRow{kind: strings.TrimSuffix(strings.TrimSuffix(kind, "-file"), "-image"),
				text: rest, re: re})
		case rules.pairs(kind) != nil:
			part, to, _ := strings.Cut(strings.TrimPrefix(in.Text(), kind+"\t"), "\t")
			if kind != "normalise" && kind != "wrapper" {
				part, to = "^(?:"+to+")$", part
			}
			re, err := regexp.Compile(part)
			if err != nil {
				return nil, fmt.Errorf("signature rules: line %d: %w", n, err)
			}
			list := rules.pairs(kind)
			*list = append(*list, signatureRow{kind: kind, text: part, to: to, re: re})
		default:
			return nil, fmt.Errorf("signature rules: line %d: %q is not a kind of rule", n, kind)
		}
	}
	return rules, in.Err()
}

// pairs returns the rows of a kind that has two parts, nil if it has one.
func (r *Rules) pairs(kind string) *[]signatureRow {
	switch kind {
	case "normalise":
		return &r.normalise
	case "wrapper":
		return &r.wrappers
	case "evaluator":
		return &r.evaluators
	case "interpreter":
		return &r.interpreters
	case "interpreter-image":
		return &r.interpreterImages
	}
	return nil
}

// Sign names a bug by its cause and the frames of the thread that died. Where the cause
// is one of managed code, only managed frames count if there are any.
func (r *Rules) Sign(cause Cause, frames []stack.Frame) *Signature {
	return r.SignProgram(cause, frames, &Program{})
}

// SignProgram is Sign, and names what ran by the program where a language is not decoded.
func (r *Rules) SignProgram(cause Cause, frames []stack.Frame, p *Program) *Signature {
	s := &Signature{Rules: r.Version}
	on := r.evaluating(frames)
	if u := r.signUndecoded(s, cause, frames, on, p); u != nil {
		return u
	}
	w := signer{rules: r, on: on}
	w.managed = cause.Managed() && slices.ContainsFunc(frames, func(f stack.Frame) bool { return stack.OfProgram(&f) })
	for i := range frames {
		s.Frames = append(s.Frames, w.sign(&frames[i]))
		if w.count == maxSigned || len(w.names) == 4*maxSigned {
			break
		}
	}
	names := w.names
	if !slices.ContainsFunc(names, func(n named) bool { return !prefix(n.kind) }) {
		names = append(names, r.last(s, frames)...)
	}
	s.Name = strings.Join(append([]string{string(cause)}, texts(names[:min(len(names), 3)])...), " | ")
	if len(names) == 0 {
		return s
	}
	s.Coarse = key(coarse(cause, names))
	s.Fine = key(append([]string{string(cause)}, texts(names)...))
	return s
}

// A signer gathers the names of a signature frame by frame, from the innermost out.
type signer struct {
	rules   *Rules
	on      map[string]bool // the interpreters whose frames are left out
	managed bool            // only frames of managed code count
	names   []named
	count   int // names that are no prefix
}

// sign adds the name of a frame, and returns what became of it.
func (w *signer) sign(frame *stack.Frame) SignedFrame {
	f := w.rules.unwrap(frame)
	row := SignedFrame{Function: frame.Name}
	as := w.rules.name(f)
	kind, text := w.rules.kindOf(f, as)
	if kind == "allocator" && f.Name == "" {
		as = imageName(f)
	}
	again := false
	if row.Why = w.leftOut(f, kind, text); row.Why == "" {
		last := len(w.names) - 1
		if again = last >= 0 && w.names[last].as == as; again {
			row.Why = "it calls itself"
			w.names[last].deleting = w.names[last].deleting || f.Deleting
		} else {
			w.add(f, as, kind)
			row.As, row.Why = as, strings.TrimSpace(kind+" "+text)
		}
	}
	if last := len(w.names) - 1; last >= 0 && row.As == "" && kind != "library" && kind != "file" && !again {
		w.names[last].edge = true
	}
	return row
}

// leftOut says why a frame has no part in the name; "" if it has.
func (w *signer) leftOut(f *stack.Frame, kind, text string) string {
	interpreter := w.rules.interpreter(f)
	switch {
	case f.Async:
		return "it awaits"
	case f.Kind == runtimes.Stub || f.Kind == runtimes.Signal || f.Tier == "builtin":
		return "of the engine"
	case w.managed && !stack.OfProgram(f):
		return "the cause is one of managed code"
	case w.on[interpreter]:
		return "of the interpreter of " + interpreter
	case kind == "irrelevant" || kind == "library" || kind == "file":
		return kind + " " + text
	case f.Name == "" && !stack.Managed(f) && kind != "allocator", f.Name == runtimes.UnknownFunction:
		return "it has no name"
	}
	return ""
}

// add adds a name. A sentinel takes the place of all before it.
func (w *signer) add(f *stack.Frame, as, kind string) {
	if kind == "sentinel" {
		w.names, w.count = nil, 0
	}
	w.names = append(w.names, nameOf(f, as, kind))
	if !prefix(kind) {
		w.count++
	}
}

// unwrap returns the frame of the function that a library's wrapper has inlined, if f is
// such a wrapper: where it has not, the two come as one that calls itself.
func (r *Rules) unwrap(f *stack.Frame) *stack.Frame {
	for i := range r.wrappers {
		if x := &r.wrappers[i]; x.re.MatchString(f.Name) {
			own := *f
			own.Name, own.File = x.re.ReplaceAllString(f.Name, x.to), ""
			return &own
		}
	}
	return f
}

// last names a stack that has no names left, or only allocators and copies: by the first frame of a
// library, or by the place in its image of the first frame without a name, which is equal for cores of
// one build.
func (r *Rules) last(s *Signature, frames []stack.Frame) []named {
	for i := range s.Frames {
		f, row := &frames[i], &s.Frames[i]
		if row.As != "" {
			continue
		}
		switch kind, _ := r.kindOf(f, r.name(f)); {
		case kind == "library" || kind == "file":
			row.As = r.name(f)
		case f.Name == "" && f.Module != "" && f.Kind == runtimes.Native:
			row.As = fmt.Sprintf("%s+%#x", core.BaseName(f.Module), uint64(f.ModuleOffset))
		}
		if row.As != "" {
			row.Why = "nothing else is left"
			return []named{{as: row.As}}
		}
	}
	return nil
}

// kindOf returns the row for a frame, whose function has the name as in the bug's name. It tries the
// function's full name, then as, then the source file.
func (r *Rules) kindOf(f *stack.Frame, as string) (kind, text string) {
	kind, text = r.Kind(f.Name)
	if kind == "" {
		kind, text = r.Kind(as)
	}
	if kind != "" {
		return kind, text
	}
	for i := range r.files {
		if x := &r.files[i]; f.File != "" && x.re.MatchString(f.File) {
			return x.kind, x.text
		}
	}
	for i := range r.images {
		if x := &r.images[i]; f.Module != "" && x.re.MatchString(core.BaseName(f.Module)) {
			return x.kind, x.text
		}
	}
	return "", ""
}

// Says reports whether a frame says what was going on: it is neither left out nor a prefix, nor a destructor of the
// standard library.
func (r *Rules) Says(f *stack.Frame) bool {
	kind, _ := r.kindOf(f, r.name(f))
	return f.Name != "" && (kind == "" || kind == "sentinel" ||
		kind == "destructor" && !strings.HasPrefix(f.Name, "std::"))
}

// Kind returns the kind of the first row that matches a function, and its pattern; "" if no row does.
func (r *Rules) Kind(name string) (kind, text string) {
	for i := range r.rows {
		if x := &r.rows[i]; x.re.MatchString(name) {
			return x.kind, x.text
		}
	}
	return "", ""
}

// name returns the stable part of a frame's name. A function without a name is known by its file, but
// not its line, which moves with each change.
func (r *Rules) name(f *stack.Frame) string {
	name := withoutTemplates(f.Name)
	if of, anonymous := strings.CutSuffix(f.Name, "<anonymous>"); anonymous || name == "" {
		name = of + "<anonymous> " + path.Base(f.File)
	}
	for i := range r.normalise {
		x := &r.normalise[i]
		name = x.re.ReplaceAllString(name, x.to)
	}
	return strings.TrimSpace(name)
}

// withoutTemplates leaves out text between angle brackets, except for the brackets of operators and of
// names that are in brackets as a whole.
func withoutTemplates(name string) string {
	if strings.HasPrefix(name, "<") && strings.Index(name, ">") == len(name)-1 {
		return name
	}
	var b strings.Builder
	depth := 0
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '<' && depth == 0 && strings.HasSuffix(b.String(), ".") &&
			(name[i:] == "<init>" || name[i:] == "<clinit>"):
			return b.String() + name[i:] // a constructor or a class initialiser of Java
		case c == '<' && !strings.HasSuffix(b.String(), "operator") && !strings.HasSuffix(b.String(), "operator<"):
			depth++
		case c == '>' && depth > 0 && name[i-1] != '-':
			depth--
		case depth == 0:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// key is a digest of names. No name can imitate the separator.
func key(names []string) string {
	h := sha256.New()
	for _, n := range names {
		fmt.Fprintf(h, "%d:%s\n", len(n), n)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
