package bundle

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"unicode/utf16"

	"coredbg/core"
)

// What Options.Redact leaves out: the top of the first thread's stack, where
// the kernel puts arguments, environment and AT_EXECFN (Linux, fs/binfmt_elf.c,
// create_elf_tables: all of them above the bytes that AT_RANDOM points to);
// pr_psargs of NT_PRPSINFO; and wherever else in the memory that is taken they
// occur, in bytes or in UTF-16, the values of the environment and of options
// that have minSecret bytes or more and do not look like paths: paths are in
// names of scripts and modules too, which stacks need.

const (
	minSecret  = 8
	maxSecret  = 4 << 10
	maxSecrets = 1024
	atRandom   = 25
	ntPRPSInfo = 3
	psArgsSize = 80 // ELF_PRARGSZ
)

// maxArgs is the most that arguments and environment take, in bytes: three
// quarters of _STK_LIM (Linux, fs/exec.c).
const maxArgs = 6 << 20

var errNoArgs = errors.New("redacting: cannot tell where arguments and environment are: no AT_RANDOM in the core's auxiliary vector")

// redact makes gaps of secrets in c's spans.
func (c *plannedCore) redact(p *core.Process, k *keeper) error {
	random, ok := p.AuxValue(atRandom)
	if !ok {
		return errNoArgs
	}
	from := core.Addr(random) + 16
	stack, ok := p.Mapping(from)
	if !ok {
		return errNoArgs
	}
	to := min(stack.End, from+maxArgs)
	out := k.fileRanges(from, to)
	text, _ := core.ReadBytes(p.Space, from, uint64(to-from))
	copies := within(c.find(secrets(text, p.Arch)), k.memory(c.src.Size()))
	c.copies = len(copies)
	out = join(append(out, copies...), c.src.Size())
	c.spans = carve(c.spans, out, core.GapError{Gap: core.Redacted, Detail: "arguments and environment"})
	for _, r := range out {
		c.redacted += r.hi - r.lo
	}
	for _, n := range p.Notes {
		// The field is the last one of the structure on every architecture.
		if n.Type == ntPRPSInfo && n.Owner == "CORE" && len(n.Desc) >= psArgsSize {
			end := n.Off + int64(len(n.Desc))
			c.wiped = append(c.wiped, fileRange{end - psArgsSize, end})
		}
	}
	c.wiped = join(c.wiped, c.src.Size())
	return nil
}

// within returns those of the sorted ranges that lie in memory: notes are not
// to be torn.
func within(rs, memory []fileRange) []fileRange {
	return slices.DeleteFunc(rs, func(r fileRange) bool {
		i, found := slices.BinarySearchFunc(memory, r.lo, func(m fileRange, lo int64) int { return cmp.Compare(m.lo, lo) })
		if !found {
			i--
		}
		return i < 0 || r.hi > memory[i].hi
	})
}

// secrets returns the values in NUL-terminated arguments and environment
// strings that are looked for elsewhere.
func secrets(text []byte, arch *core.Arch) [][]byte {
	var out [][]byte
	for s := range bytes.SplitSeq(text, []byte{0}) {
		name, value, hasValue := bytes.Cut(s, []byte("="))
		if !hasValue {
			value = name
			if len(name) == 0 || name[0] != '-' {
				continue // a plain argument may be the name of a script
			}
		}
		if len(value) < minSecret || value[0] == '/' || value[0] == '.' {
			continue
		}
		value = value[:min(len(value), maxSecret)]
		out = append(out, value)
		var wide []byte
		for _, u := range utf16.Encode([]rune(string(value))) {
			if arch != nil && arch.Order == binary.ByteOrder(binary.BigEndian) {
				wide = binary.BigEndian.AppendUint16(wide, u)
			} else {
				wide = binary.LittleEndian.AppendUint16(wide, u)
			}
		}
		out = append(out, wide)
	}
	slices.SortFunc(out, bytes.Compare)
	out = slices.CompactFunc(out, bytes.Equal)
	return out[:min(len(out), maxSecrets)]
}

// find returns where the bytes that are taken hold one of the values.
func (c *plannedCore) find(values [][]byte) []fileRange {
	const step = 1 << 20
	var out []fileRange
	for _, s := range c.spans {
		if s.kind != extentData {
			continue
		}
		for at := s.lo; at < s.hi; at += step {
			// A value may begin in one step and end in the next.
			data, err := core.SourceSlice(c.src, at, int(min(step+2*maxSecret, s.hi-at)))
			if err != nil && len(data) == 0 {
				break
			}
			for _, v := range values {
				for i := 0; ; {
					k := bytes.Index(data[i:], v)
					if k < 0 {
						break
					}
					i += k + len(v)
					out = append(out, fileRange{at + int64(i-len(v)), at + int64(i)})
				}
			}
		}
	}
	return join(out, c.src.Size())
}
