package crash

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/insn"
	"coredbg/crash/bugs"
	"coredbg/crash/where"
	"coredbg/stack"
)

// made adds the caller to a fault whose frames begin in code that was made at run time and that nothing names.
func made(f *finding, frames []stack.Frame) {
	if len(frames) == 0 || !frames[0].Made {
		return
	}
	f.evidence = append(f.evidence, "the process made this code at run time, and nothing names it; -perf-map FILE would")
	if i := slices.IndexFunc(frames, func(f stack.Frame) bool { return f.Name != "" }); i > 0 {
		f.evidence = append(f.evidence, "called from "+where.Frame(&frames[i]))
	}
}

// maxShape is the number of instructions in the shape of a place.
const maxShape = 6

// numbers matches numbers in an instruction that another run may change: they have more than four digits.
var numbers = regexp.MustCompile(`-?0x[0-9a-f]{5,}`)

// shape is a digest of the instructions at an address, without the addresses in them; "" if they are not known.
func shape(p *core.Process, a core.Addr) string {
	if !insn.Known(p.Arch) {
		return ""
	}
	var text []string
	for range maxShape {
		w, _ := p.Space.Slice(a, insn.MaxLen)
		if len(w) == 0 {
			w, _ = p.Space.Slice(a, 4)
		}
		in, ok := insn.Disassemble(p.Arch, w, a)
		if !ok || len(in.Bytes) == 0 {
			break
		}
		text = append(text, numbers.ReplaceAllString(in.Text, ""))
		a += core.Addr(len(in.Bytes))
		if strings.HasPrefix(in.Text, "ret") {
			break
		}
	}
	if len(text) == 0 {
		return ""
	}
	h := sha256.Sum256([]byte(strings.Join(text, "\n")))
	return hex.EncodeToString(h[:4])
}

// shaped gives code that nothing names a name by its shape, so that different code has different names: the frames
// before the first one that names a bug itself.
func shaped(p *core.Process, frames []stack.Frame, threads *where.Threads, rules *bugs.Rules) []stack.Frame {
	named := func(f stack.Frame) bool {
		kind, _ := rules.Kind(f.Name)
		return f.Name != "" && !threads.Noisy(&f) && (kind == "" || kind == "sentinel")
	}
	n := slices.IndexFunc(frames, named)
	if n < 0 {
		n = len(frames)
	}
	if !slices.ContainsFunc(frames[:n], func(f stack.Frame) bool { return f.Made }) {
		return frames
	}
	frames = slices.Clone(frames)
	for i := range frames[:n] {
		if f := &frames[i]; f.Made {
			f.Name = stack.MadeCode
			if s := shape(p, f.PC); s != "" {
				f.Name = strings.TrimSuffix(stack.MadeCode, ">") + " " + s + ">"
			}
		}
	}
	return frames
}
