package bugs

import (
	"path"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/stack"
)

// A Program is the process that died: its name, its command line, its interpreter.
type Program struct {
	Name     string   // of the executable's file
	Args     []string // the command line, the program first
	Language string   // of the interpreter that is among its images; "" if there is none
}

// Interpreter returns the language of the interpreter that an image belongs to, "" if it belongs to none.
func (r *Rules) Interpreter(image string) string {
	return language(r.interpreterImages, strings.ReplaceAll(image, `\`, "/"))
}

// Evaluator returns the language whose programs a function evaluates, "" if it evaluates none.
func (r *Rules) Evaluator(function string) string { return language(r.evaluators, function) }

// language returns the language of the first row that matches.
func language(rows []signatureRow, text string) string {
	for i := range rows {
		if text != "" && rows[i].re.MatchString(text) {
			return rows[i].to
		}
	}
	return ""
}

// interpreter returns the language whose interpreter a frame belongs to; "" if it belongs to none.
func (r *Rules) interpreter(f *stack.Frame) string {
	if f.Kind != runtimes.Native {
		return ""
	}
	if l := r.Evaluator(f.Name); l != "" {
		return l
	}
	if l := language(r.interpreters, f.Name); l != "" {
		return l
	}
	return r.Interpreter(f.Module)
}

// made reports whether a frame runs code made at run time, which has no name.
func made(f *stack.Frame) bool { return f.Name == "" && f.Module == "" && f.Kind == runtimes.Native }

// evaluating returns the languages whose interpreters evaluate something in a stack, and do not only start,
// compile or collect garbage. An interpreter whose functions have no names may evaluate, and one that compiles
// evaluates if a frame runs code made at run time.
func (r *Rules) evaluating(frames []stack.Frame) map[string]bool {
	on, images := map[string]bool{}, map[string]bool{}
	type place struct{ name, module string }
	seen := map[place]bool{}
	jit := false
	for i := range frames {
		f := &frames[i]
		at := place{f.Name, f.Module}
		if jit = jit || made(f); seen[at] || f.Kind != runtimes.Native {
			continue
		}
		seen[at] = true
		if l := r.Evaluator(f.Name); l != "" {
			on[l] = true
		}
		if l := r.Interpreter(f.Module); l != "" {
			images[l] = true
			on[l] = on[l] || f.Name == ""
		}
	}
	for l := range images {
		on[l] = on[l] || jit
	}
	return on
}

// undecoded returns the language of the code that was running if it is not decoded: what is innermost and says
// something is its interpreter. The frames before at are neither.
func (r *Rules) undecoded(frames []stack.Frame, on map[string]bool, p *Program) (lang string, at int) {
	if slices.ContainsFunc(frames, func(f stack.Frame) bool { return stack.Managed(&f) }) {
		return "", 0
	}
	jit := false
	for i := range frames {
		f := &frames[i]
		if l := r.interpreter(f); on[l] {
			return l, i
		}
		switch kind, _ := r.kindOf(f, r.name(f)); {
		case f.Kind != runtimes.Native:
		case made(f):
			jit = true
		case f.Name == "":
			if !slices.ContainsFunc(r.systemImages,
				func(x signatureRow) bool { return x.re.MatchString(core.BaseName(f.Module)) }) {
				return "", 0
			}
		case kind == "" || kind == "sentinel" || kind == "destructor":
			return "", 0
		}
	}
	if jit && p.Language != "" {
		return p.Language, len(frames)
	}
	return "", 0
}

// signUndecoded names a bug of code that is not decoded by the program: which function it was is not
// known, and other bugs of the program may have the same name.
func (r *Rules) signUndecoded(s *Signature, cause Cause, frames []stack.Frame, on map[string]bool,
	p *Program) *Signature {
	lang, at := r.undecoded(frames, on, p)
	if lang == "" {
		return nil
	}
	s.Undecoded = lang
	var functions []string
	for i := range frames[:min(at+1, len(frames))] {
		f := &frames[i]
		row := SignedFrame{Function: f.Name, Why: "innermost of " + lang}
		if l := r.interpreter(f); l != "" {
			row.Why = "of the interpreter of " + l
		} else if kind, text := r.kindOf(f, r.name(f)); kind != "" {
			row.Why = kind + " " + text
		}
		if kind, _ := r.kindOf(f, r.name(f)); f.Name != "" && kind != "irrelevant" {
			functions = append(functions, r.name(f))
		}
		s.Frames = append(s.Frames, row)
	}
	script, rest := scriptOf(lang, p)
	name := "code of " + lang
	if script != "" {
		name += " in " + shown(script)
	}
	s.Name = strings.Join([]string{string(cause), name + ", not decoded"}, " | ")
	if script == "" && p.Name == "" {
		return s
	}
	names := append([]string{string(cause), lang, p.Name, script}, words(rest)...)
	s.Coarse = key(names)
	s.Fine = key(slices.Concat([]string{string(cause), lang, p.Name, script}, rest, []string{""}, functions))
	return s
}

// A commandLine is how an interpreter is called.
type commandLine struct {
	valued []string // options that take the next argument
	script []string // of these the ones whose argument is what runs
	joined []string // options whose value follows in the same argument, and is what runs
}

// commandLines has each interpreter's command line, by language: what python3 -h, java --help and the like say.
var commandLines = map[string]commandLine{
	"Python": {valued: []string{"-c", "-m", "-W", "-X", "--check-hash-based-pycs"}, script: []string{"-c", "-m"},
		joined: []string{"-c", "-m"}},
	"Java": {valued: []string{"-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path",
		"--add-modules", "--limit-modules",
		"--add-opens", "--add-exports", "--add-reads", "--patch-module", "--enable-native-access", "--source", "-m",
		"--module", "-jar"},
		script: []string{"-m", "--module", "-jar"}, joined: []string{"--module="}},
	"Ruby": {valued: []string{"-e", "-I", "-r", "-C", "-E", "-x", "-F"}, script: []string{"-e"}},
	"Perl": {valued: []string{"-e", "-E", "-I"}, script: []string{"-e", "-E"}},
	"PHP": {valued: []string{"-f", "-r", "-d", "-c", "-z", "-B", "-R", "-F", "-E", "-S", "-t"},
		script: []string{"-f", "-r", "-R"}},
	"Lua":   {valued: []string{"-e", "-l", "-j", "-b"}, script: []string{"-e"}},
	"Tcl":   {valued: []string{"-encoding"}},
	"R":     {valued: []string{"-f", "-e", "-g", "-d"}, script: []string{"-f", "-e"}, joined: []string{"--file="}},
	"Guile": {valued: []string{"-L", "-C", "-x", "-l", "-e", "-s", "-c"}, script: []string{"-s", "-c"}},
	"Julia": {valued: []string{"-e", "-E", "-L", "-J", "-C", "-t", "-p"}, script: []string{"-e", "-E"}},
	".NET":  {},
}

// scriptOf returns what an interpreter ran, as its command line says, and the arguments for that. A program that
// is no interpreter itself, but has one in it, ran no script that its command line names.
func scriptOf(lang string, p *Program) (script string, rest []string) {
	args := p.Args
	if len(args) == 0 {
		return "", nil
	}
	c, known := commandLines[lang]
	if !known || !isInterpreter(lang, p.Name) && !isInterpreter(lang, path.Base(args[0])) {
		return "", args[1:]
	}
	for i := 1; i < len(args); i++ {
		a := args[i]
		for _, o := range c.joined {
			if v, ok := strings.CutPrefix(a, o); ok && v != "" {
				return v, args[i+1:]
			}
		}
		switch {
		case slices.Contains(c.valued, a) || lang == "Perl" && clustered(a):
			if i++; i < len(args) && (slices.Contains(c.script, a) || clustered(a) && lang == "Perl") {
				return args[i], args[i+1:]
			}
		case a == "--" || a == "-":
		case strings.HasPrefix(a, "-"):
		default:
			return path.Base(strings.ReplaceAll(a, `\`, "/")), args[i+1:]
		}
	}
	return "", nil
}

// clustered reports whether an argument of Perl holds several options and ends with -e.
func clustered(a string) bool {
	return len(a) > 2 && a[0] == '-' && a[1] != '-' && len(a) < 8 && (a[len(a)-1] == 'e' || a[len(a)-1] == 'E') &&
		!strings.HasPrefix(a, "-I") && !strings.HasPrefix(a, "-M")
}

// isInterpreter reports whether a file has the name of a language's interpreter.
func isInterpreter(lang, file string) bool {
	file = strings.ToLower(strings.TrimSuffix(file, ".exe"))
	for _, of := range map[string][]string{
		"Python": {"python", "pypy"}, "Java": {"java"}, "Ruby": {"ruby", "irb"}, "Perl": {"perl"}, "PHP": {"php"},
		"Lua": {"lua"},
		"Tcl": {"tclsh", "wish"}, "R": {"r", "rscript"}, "Guile": {"guile"}, "Julia": {"julia"},
		".NET": {"dotnet", "mono"},
	}[lang] {
		if strings.HasPrefix(file, of) && (len(of) > 1 || file == of) {
			return true
		}
	}
	return false
}

// maxWords is how many words of a command line a key has.
const maxWords = 3

// words returns the first arguments as long as they are plain words, as names of modes are. Numbers, files
// and values of options are other ones in each run of a program.
func words(args []string) []string {
	for i, a := range args {
		if i == maxWords || a == "" || strings.Trim(strings.ToLower(a), "abcdefghijklmnopqrstuvwxyz-_:") != "" ||
			a[0] == '-' {
			return args[:i]
		}
	}
	return args
}

// maxShown is how much of a script given on the command line is in a name.
const maxShown = 40

// shown returns a script as it is in a name: code that the command line had is not.
func shown(script string) string {
	if len(script) > maxShown || strings.ContainsAny(script, " \t\n;('\"") {
		return "its command line"
	}
	return path.Base(strings.ReplaceAll(script, `\`, "/"))
}
