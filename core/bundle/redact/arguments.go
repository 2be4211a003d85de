package redact

import (
	"bytes"
	"errors"
	"strings"

	"coredbg/core"
	"coredbg/core/bundle/span"
)

// maxArgs is the most that arguments and environment take, in bytes: three
// quarters of _STK_LIM (Linux, fs/exec.c); macOS allows 1 MiB.
const maxArgs = 6 << 20

// atRandom points to random bytes that lie directly below the strings of
// arguments and environment (Linux, fs/binfmt_elf.c, create_elf_tables), from
// which guards of stacks and pointers are made.
const (
	atRandom    = 25
	randomBytes = 16
)

// appleString begins the strings that macOS puts to the top of a stack: the path,
// then arguments, environment and further strings (XNU, bsd/kern/kern_exec.c,
// exec_save_path).
const appleString = "executable_path="

// ErrNoArgs says that a core cannot be redacted: what was secret is not known.
var ErrNoArgs = errors.New("redacting: cannot tell what arguments and environment were: the core lacks the stack that holds them")

// arguments finds where the kernel put arguments and environment. The range is empty if they are not on
// the stacks; text is the readable part of the strings in it.
func arguments(p *core.Process) (lo, hi core.Addr, text []byte, err error) {
	if random, ok := p.AuxValue(atRandom); ok {
		lo := core.Addr(random)
		if m, ok := p.Mapping(lo); ok {
			hi = min(endOf(p, m), lo+randomBytes+maxArgs)
			text, _ = core.ReadBytes(p.Space, lo, uint64(hi-lo))
			if len(text) > randomBytes {
				return lo, hi, text[randomBytes:], nil
			}
		}
	}
	seen := false
	for _, m := range stacksOf(p) {
		from := m.End - min(m.End-m.Start, maxArgs)
		top, err := core.ReadBytes(p.Space, from, uint64(m.End-from))
		if err != nil {
			top, from = lastPart(p, from, m.End)
		}
		seen = seen || len(top) > 0
		if i := startOfStrings(p, from, top); i >= 0 {
			return from + core.Addr(i), m.End, top[i:], nil
		}
	}
	if words := strings.ReplaceAll(strings.TrimSpace(p.PSArgs), " ", "\x00"); words != "" {
		return 0, 0, []byte(words), nil
	}
	if !seen {
		return 0, 0, nil, ErrNoArgs
	}
	return 0, 0, nil, nil
}

// lastPart reads the last bytes of [from, to) that can be read in one piece.
func lastPart(p *core.Process, from, to core.Addr) ([]byte, core.Addr) {
	var out []byte
	for to > from {
		page := max(from, (to-1)&^(core.TracePage-1))
		b, err := core.ReadBytes(p.Space, page, uint64(to-page))
		if err != nil {
			break
		}
		out = append(b, out...)
		to = page
	}
	return out, to
}

// stacksOf returns the mappings that threads have their stacks in.
func stacksOf(p *core.Process) (out []core.Mapping) {
	seen := map[core.Addr]bool{}
	for _, t := range p.Threads {
		if p.Arch == nil {
			break
		}
		sp, ok := t.Regs.Get(p.Arch.SP)
		m, mapped := span.StackAt(p, core.Addr(sp))
		if ok && mapped && !seen[m.Start] {
			seen[m.Start] = true
			m.End = endOf(p, m)
			out = append(out, m)
		}
	}
	return out
}

// endOf returns the end of a stack, which a core may have in several mappings.
func endOf(p *core.Process, m core.Mapping) core.Addr {
	for end := m.End; ; {
		next, ok := p.Mapping(end)
		if !ok || next.Start != end || next.Prot&core.Write == 0 || end-m.Start > span.MaxStack {
			return end
		}
		end = next.End
	}
}

// startOfStrings returns where the strings begin in the top of a stack, which
// ends with them; -1 if there are none.
func startOfStrings(p *core.Process, at core.Addr, top []byte) int {
	if i := bytes.LastIndex(top, []byte("\x00"+appleString)); i >= 0 && p.OS == "darwin" {
		return i + 1
	}
	order, size := p.Words()
	word := func(i int) core.Addr {
		if size == 4 {
			return core.Addr(order.Uint32(top[i:]))
		}
		return core.Addr(order.Uint64(top[i:]))
	}
	end := at + core.Addr(len(top))
	// list steps over n pointers to addresses above low, any number if n is negative, and a zero.
	list := func(i, n int, low core.Addr) (next int, ok bool) {
		for ; i+size <= len(top); i += size {
			switch w := word(i); {
			case w == 0:
				return i + size, n <= 0
			case w <= low || w >= end || n == 0:
				return 0, false
			}
			n--
		}
		return 0, false
	}
	first := -1
	for i := 0; i+3*size <= len(top); i += size {
		n, low := word(i), at+core.Addr(i)
		if n == 0 || n > 1<<16 || word(i+size) <= low || word(i+size) >= end {
			continue
		}
		env, ok := list(i+size, int(n), low)
		if !ok {
			continue
		}
		if _, ok := list(env, -1, low); ok {
			first = i
		}
	}
	if first < 0 {
		return -1
	}
	// Programs permute their arguments: the first string is at the least address.
	least := end
	for i := first + size; word(i) != 0; i += size {
		least = min(least, word(i))
	}
	return int(least - at)
}
