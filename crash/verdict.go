package crash

import (
	"context"
	"fmt"

	"coredbg/crash/bugs"
	"coredbg/crash/fault"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

// A Verdict says why a process died.
type Verdict struct {
	Cause      bugs.Cause
	Title      string // in a line
	Confidence bugs.Confidence
	// Evidence is the basis of the verdict, and the doubts about it, a sentence each.
	Evidence []string
	// Next are commands that show more.
	Next []string
	// Rule is the name of the rule that found it.
	Rule string
	// Causes are what runtimes and libraries know, whether the verdict rests on them or
	// not; Fault is what the signal means.
	Causes    []runtimes.Cause
	Fault     fault.Fault
	Signature *bugs.Signature // nil if the thread that died is not known
	// Stack is the stack of the thread that died, as far as a recursion is followed; nil if it is not
	// known.
	Stack *stack.Stack
}

// Analyze says why the process died. If no rule finds anything, the answer is Unknown, with the known
// facts.
func Analyze(ctx context.Context, s *Subject) *Verdict {
	x := &examination{ctx: ctx, s: s, p: s.Process, threads: s.Threads()}
	crashed := s.Thread
	x.fault = fault.Explain(ctx, s.fault())
	if t := x.fault.Thread; t != s.Thread { // what happened is there
		of := *s
		of.Thread, of.Stack = t, nil
		x.s, s = &of, &of
	}
	x.stack = s.Stack
	if x.stack == nil && s.Thread != nil && s.Stacks != nil && s.Stacks.Walk != nil {
		limit := s.Limit
		if limit == 0 {
			limit = maxFrames
		}
		x.stack = s.Stacks.Thread(ctx, s.Thread, stack.Options{Limit: limit})
	}
	if x.stack != nil && s.Causes != nil {
		x.causes = s.Causes(ctx, x.stack)
	}
	v := x.verdict()
	if v.Evidence == nil {
		v.Evidence = []string{}
	}
	if s.Thread != crashed {
		v.Next = append([]string{fmt.Sprintf("0t%d::thread", s.Thread.TID)}, v.Next...)
	}
	v.Causes, v.Fault, v.Stack = x.causes, x.fault, x.stack
	if (x.stack != nil || x.signed != nil) && v.Cause != bugs.Snapshot {
		if v.Signature = x.sign(v.Cause); v.Signature.Coarse == "" && x.waited != nil && x.signed == nil &&
			v.Cause == bugs.Killed {
			v.Signature = x.rules().Sign(v.Cause, x.waited)
		}
		v.undecoded()
	}
	return v
}

// undecoded lowers the confidence in what a thread died of whose own code is not decoded. That something came from
// outside is as sure as it was.
func (v *Verdict) undecoded() {
	lang := v.Signature.Undecoded
	if lang == "" || v.Cause.FromOutside() {
		return
	}
	if v.Confidence > bugs.Possible {
		v.Confidence--
	}
	v.Evidence = append(v.Evidence, "the code of "+lang+
		" that was running is not decoded: the signature is the program's, and other bugs of it may have the same")
}

// verdict takes the surest finding of the rules: of equally sure ones the first.
func (x *examination) verdict() *Verdict {
	best := finding{cause: bugs.Unknown}
	rule := "none"
	for i := range rules {
		r := &rules[i]
		f, ok := r.find(x)
		if !ok {
			continue
		}
		if doubt := x.doubts(r); doubt != "" {
			f.sure = max(f.sure-1, bugs.Possible)
			f.evidence = append(f.evidence, doubt)
		}
		if f.sure > best.sure {
			best, rule = f, r.name
		}
		if best.sure == bugs.Certain || f.settled && rule == r.name {
			break
		}
	}
	if best.cause == bugs.Unknown {
		best.title, best.evidence = x.unknown()
		best.next = []string{"$C", "::stacks", "::status -v"}
	}
	return &Verdict{Cause: best.cause, Title: best.title, Confidence: best.sure, Evidence: best.evidence,
		Next: best.next, Rule: rule}
}

// doubts says what makes the findings of a rule less sure than they would be.
func (x *examination) doubts(r *rule) string {
	if r.needs&needsFrames != 0 {
		for _, m := range x.p.Modules {
			if f := m.Facts(); m.Exe && f.Err != nil && (f.Image == nil || f.InMemory) {
				return fmt.Sprintf("doubtful: %v", f.Err)
			}
		}
	}
	if r.needs&needsMemory != 0 && x.p.Truncated {
		return "doubtful: the core was cut short"
	}
	return ""
}

// unknown says what is known where no rule has found anything.
func (x *examination) unknown() (title string, evidence []string) {
	evidence = append(evidence, x.fault.Words...)
	if f := x.place(); f != nil {
		evidence = append(evidence, "the first frame of the program's own code is "+where.Frame(f))
	}
	return fault.Ending(x.p), evidence
}
