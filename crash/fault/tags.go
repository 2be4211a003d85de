package fault

import (
	"fmt"

	"coredbg/core"
	"coredbg/crash/bugs"
	"coredbg/crash/where"
)

// tagReach is how far from an access, in bytes, memory with its pointer's tag is looked for: tags
// of a heap are chosen by chance, and some farther away is likely to have the same.
const tagReach = 64

// tagFault explains an access by a pointer whose tag differs from its memory's (Linux 6.18,
// Documentation/arch/arm64/memory-tagging-extension.rst). The kernel has recorded the pointer's tag
// with the address since Linux 5.11.
func (e *explainer) tagFault() {
	e.is(bugs.TagMismatch, bugs.Certain)
	a := e.g.Addr
	want := a.LogicalTag()
	run, tagged := e.p.TagRun(a)
	if !tagged {
		e.say("the pointer's tag is %#x; the core has no tags of its memory", want)
	} else if have, err := run.Tag(a); err != nil {
		e.say("the pointer's tag is %#x; that of its memory is not known: %v", want, err)
	} else if have == want {
		e.say("the pointer's tag and that of its memory are both %#x in the core: one was another when the access came",
			want)
	} else {
		e.say("the pointer's tag is %#x, that of its memory %#x", want, have)
		if near := nearTag(run, a.Untagged(), want); near != "" {
			e.say("%s", near)
		}
	}
	if m, ok := e.p.Mapping(a.Untagged()); ok {
		s := fmt.Sprintf("in %s (%v)", where.MappingName(m), m.Prot)
		if name := where.Symbolic(e.s.Process, e.s.Symbols, a.Untagged()); name != "" {
			s += ", " + name
		}
		e.say("%s", s)
	}
	if code := e.code(); code != "" {
		e.say("by %s", code)
	}
}

// nearTag says where memory with the pointer's tag is near a; "" if there is no such memory. Untagged
// memory has the tag 0.
func nearTag(r *core.TagRun, a core.Addr, want uint8) string {
	if want == 0 {
		return ""
	}
	at := a &^ (core.TagGranule - 1)
	has := func(g core.Addr) bool {
		tag, err := r.Tag(g)
		return err == nil && tag == want
	}
	for d := core.Addr(core.TagGranule); d <= tagReach; d += core.TagGranule {
		if at >= r.Start+d && has(at-d) {
			return fmt.Sprintf("memory with the pointer's tag ends %d bytes below the access", a-(at-d+core.TagGranule))
		}
		if at+d < r.End && has(at+d) {
			return fmt.Sprintf("memory with the pointer's tag begins %d bytes above the access", at+d-a)
		}
	}
	return ""
}

// lateTagFault explains one that the processor has only noted: the kernel sees it when the
// thread enters it next.
func (e *explainer) lateTagFault() {
	e.is(bugs.TagMismatch, bugs.Certain)
	e.titled(bugs.TagMismatch, "memory accessed by a pointer with another tag than it has, seen later")
	e.say("checks were asynchronous: neither the address nor the instruction is recorded; the access came before this place, after the thread's last entry to the kernel")
	if code := e.code(); code != "" {
		e.say("seen at %s", code)
	}
}
