package native

import (
	"cmp"
	"context"
	"fmt"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core/sym"
	"coredbg/crash"
	"coredbg/crash/bugs"
)

var analyzeCommands = []commands.Command{
	{
		Name:    "analyze",
		Summary: "say why the process died, and how safe that is",
		Detail: `Looks at the access that the processor refused, the messages that the C library, C++, Rust, V8 and ART
wrote down before they gave up, and which functions were running, and says which kind of
bug it is: in a line, then the evidence, then commands that show more. How safe it
is has three degrees: certain is written down in the process or follows from the
processor's report, likely is a good bet, possible is worth a look. Evidence that is
missing or doubtful, such as a core that was cut short or a program that is not the one
that died, makes it less safe, and is named. If the cause cannot be determined, it is unknown,
and the known facts follow.

If a process was ended from outside, as a watchdog does, the verdict says what it waited for, the most
common wait first: async functions that await, requests queued in an http.Agent, functions that block
the event loop, goroutines, threads. The bug is named by the functions that wait.

In JSON {"type":"verdict","cause":ID,"title":…,"confidence":"certain|likely|possible|none",
"evidence":[…],"next":[…],"signature":…,"coarse":KEY,"fine":KEY,"rule":…}. The ids do not
change: null-dereference, null-call, wild-pointer, use-after-free, double-free,
invalid-free, heap-corruption, stack-overflow, stack-smash, fortify, assertion, abort-message, abort,
pure-virtual, cxx-exception, d-exception, rust-panic, go-panic, sanitizer, illegal-instruction,
misaligned, tag-mismatch, bus-truncated-file, divide-by-zero, out-of-memory,
bad-system-call, resource-limit, killed, watchdog, deadlock, busy-loop, snapshot,
js-heap-limit, js-uncaught, js-unhandled-rejection, js-fatal, js-blocked-loop, js-abort,
java-uncaught, jni-abort, java-deadlock, anr, java-out-of-memory, unknown.`,
		Example: "::analyze",
		SeeAlso: []string{"signature", "status", "siginfo", "leaks"},
		Run:     runAnalyze,
	},
	{
		Name:    "signature",
		Summary: "name the bug, equal for all cores of it",
		Options: []commands.Option{
			{Letter: 'v', Help: "show each frame, its normalised form, and the rule"},
			{Letter: 'f', Arg: "file", Help: "take the rules from a file"},
		},
		Detail: `The name is the cause that ::analyze finds and the functions that were running,
without functions that say nothing about the bug (raise, abort, allocators, trampolines, the engine's
own) and without parts that differ from build to build (template arguments, lambdas' numbers,
clones, hashes). Where the cause is one of managed code, managed frames count. The coarse
key is made from the cause and the first function that is not an allocator, a copy or their
like, the fine key of up to five. Keys of other versions of the rules are not comparable.

A file of rules has lines such as "irrelevant  REGEXP", "library  REGEXP", "file  REGEXP",
"prefix  REGEXP", "sentinel  REGEXP" and "normalise<tab>REGEXP<tab>REPLACEMENT"; "version N"
is part of the output.

In JSON {"type":"signature","name":…,"cause":ID,"coarse":KEY,"fine":KEY,"rules":N} and with -v
"frames":[{"function":…,"as":…,"why":…}].`,
		Example: "::signature -v",
		SeeAlso: []string{"analyze"},
		Run:     runSignature,
	},
}

// A verdictRecord is why the process died.
type verdictRecord struct {
	_          out.Record      `record:"verdict"`
	Cause      bugs.Cause      `json:"cause"`
	Title      string          `json:"title"`
	Confidence bugs.Confidence `json:"confidence"`
	Evidence   []string        `json:"evidence"`
	Next       []string        `json:"next"`
	Signature  string          `json:"signature,omitempty"`
	Coarse     string          `json:"coarse,omitempty"`
	Fine       string          `json:"fine,omitempty"`
	Rule       string          `json:"rule"` // the name of the rule that found it
}

func runAnalyze(ctx context.Context, c *commands.Call) error {
	subject := c.Session.Subject()
	subject.Heap = true
	v := crash.Analyze(ctx, subject)
	r := &verdictRecord{Cause: v.Cause, Title: v.Title, Confidence: v.Confidence, Evidence: v.Evidence,
		Next: v.Next, Rule: v.Rule}
	if s := v.Signature; s != nil {
		r.Signature, r.Coarse, r.Fine = s.Name, s.Coarse, s.Fine
	}
	return c.Emit(r)
}

// Text writes the verdict, its evidence, and the next steps.
func (r *verdictRecord) Text(w *out.Writer) {
	w.Paint(out.Error, "%s", sym.Clean(r.Title))
	w.Printf("\n")
	if r.Confidence == bugs.NoConfidence {
		w.Printf("    cause: %s\n", r.Cause)
	} else {
		w.Printf("    cause: %s, %s\n", r.Cause, r.Confidence)
	}
	for _, e := range r.Evidence {
		if e != r.Title {
			w.Printf("    because: %s\n", sym.Clean(e))
		}
	}
	for _, n := range r.Next {
		w.Printf("    next: %s\n", n)
	}
	if r.Signature != "" {
		w.Printf("    signature: %s (%s)\n", sym.Clean(r.Signature), cmp.Or(r.Coarse, "no key"))
	}
}

// A signatureRecord is the name of a bug.
type signatureRecord struct {
	_      out.Record    `record:"signature"`
	Name   string        `json:"name"`
	Cause  bugs.Cause    `json:"cause"`
	Coarse string        `json:"coarse,omitempty"` // the keys are absent if no frame says what ran
	Fine   string        `json:"fine,omitempty"`
	Rules  int           `json:"rules"` // their version
	Frames []signedFrame `json:"frames,omitempty"`
}

// A signedFrame is a frame as the rules saw it.
type signedFrame struct {
	Function string `json:"function"`
	As       string `json:"as,omitempty"` // its normalised form; absent if it was left out
	Why      string `json:"why,omitempty"`
}

// maxRulesFile is how large a file of rules may be, in bytes.
const maxRulesFile = 1 << 20

func runSignature(ctx context.Context, c *commands.Call) error {
	subject := c.Session.Subject()
	if c.Flag('f') {
		rules, err := readRules(c.Session, c.Str('f'))
		if err != nil {
			return err
		}
		subject.Rules = rules
	}
	subject.Heap = true
	v := crash.Analyze(ctx, subject)
	s := v.Signature
	if s == nil {
		return c.Empty("no signature: no thread died")
	}
	r := &signatureRecord{Name: s.Name, Cause: v.Cause, Coarse: s.Coarse, Fine: s.Fine, Rules: s.Rules}
	if c.Flag('v') {
		for _, f := range s.Frames {
			r.Frames = append(r.Frames, signedFrame(f))
		}
	}
	return c.Emit(r)
}

func readRules(s *commands.Session, path string) (*bugs.Rules, error) {
	f, err := s.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() || st.Size() > maxRulesFile {
		return nil, fmt.Errorf("%s: not a regular file of at most %d bytes", path, maxRulesFile)
	}
	return bugs.ReadRules(f)
}

// Text writes the name and its keys, and each frame with its normalised form.
func (r *signatureRecord) Text(w *out.Writer) {
	if r.Coarse == "" {
		w.Printf("%s\n    no key: no frame says what ran; rules %d\n", sym.Clean(r.Name), r.Rules)
	} else {
		w.Printf("%s\n    coarse %s, fine %s, rules %d\n", sym.Clean(r.Name), r.Coarse, r.Fine, r.Rules)
	}
	for _, f := range r.Frames {
		switch {
		case f.As == "":
			w.Printf("    - %s (%s)\n", sym.Clean(f.Function), sym.Clean(f.Why))
		case f.Why != "":
			w.Printf("    + %s (%s)\n", sym.Clean(f.As), sym.Clean(f.Why))
		default:
			w.Printf("    + %s\n", sym.Clean(f.As))
		}
	}
}
