package bundle

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/elf/note"
	"coredbg/core/macho"
	"coredbg/core/minidump"
)

// What Options.Redact leaves out:
//
//   - the top of the first stack, where the kernel puts arguments and
//     environment, and the random bytes that guards are made from;
//   - NT_PRPSINFO's arguments;
//   - floating-point and vector registers, in notes and in signal frames: the
//     string functions of C libraries leave pieces of whatever they handled there;
//   - wherever else in memory, notes and general registers they occur, values of
//     the environment and of arguments, whole or in pieces, in the encodings that
//     programs use; see secretsOf and grams.
//
// Memory becomes a gap that says so. In notes, which have a form to keep,
// zeros take their place, and question marks in the names of NT_FILE; a note
// of registers loses its type, so that nobody takes the zeros for values.
//
// What is common stays: a value that the program's files have too, or names on
// stacks. What was written is searched once more; see check.

// redaction is what is left out of a core.
type redaction struct {
	*grams
	secrets []secret
	lo, hi  core.Addr // of arguments and environment; empty if they were not found
	// elsewhere is set if a minidump has them outside of memory, and noEnviron if the
	// environment is nowhere in it.
	elsewhere, noEnviron bool

	places  int   // where secrets were found besides
	bytes   int64 // of memory that are left out, arguments and environment included
	words   int   // of general registers
	vectors int   // notes of registers
	frames  int   // signal frames' registers
}

const (
	ntPRPSInfo = 3
	psArgsSize = 80 // ELF_PRARGSZ
)

// redact makes gaps of secrets in c's spans, once all files are planned.
func (plan *Plan) redact(ctx context.Context, p *core.Process, c *plannedCore, k *keeper) error {
	lo, hi, text, err := arguments(p)
	more := given(p, c.src)
	if err != nil && len(more) == 0 {
		return err
	}
	text = append(append(text, 0), more...)
	for _, s := range plan.opt.Environ {
		text = append(append(text, s...), 0)
	}
	r := &redaction{lo: lo, hi: hi, elsewhere: len(more) > 0, secrets: secretsOf(text)}
	r.noEnviron = lo == hi && minidump.Is(c.src) && len(p.Environ) == 0 && len(plan.opt.Environ) == 0
	r.grams = newGrams(r.secrets)
	plan.redaction = r
	if err := plan.learn(ctx, p); err != nil {
		return err
	}
	k.segs = p.Space.Segments()
	out := k.fileRanges(lo, hi)
	found, err := c.find(ctx, r, k, plan.opt.Progress)
	if err != nil {
		return err
	}
	r.places = len(found)
	states := signalStates(c, k, p)
	r.frames = len(states)
	out = join(slices.Concat(out, found, states), c.src.Size())
	c.spans = carve(c.spans, out, core.GapError{Gap: core.Redacted, Detail: "arguments, environment and copies of them"})
	for _, o := range out {
		r.bytes += o.hi - o.lo
	}
	c.redactNotes(p, r, k)
	return ctx.Err()
}

// learn finds out what is common: what the files that are taken have, and names.
func (plan *Plan) learn(ctx context.Context, p *core.Process) error {
	r := plan.redaction
	names := append(slices.Clone(plan.opt.Names), p.Path, p.Exe)
	for _, m := range p.Modules {
		names = append(names, m.Path)
	}
	for _, part := range plan.parts {
		names = append(names, part.path)
	}
	for _, n := range names {
		r.know([]byte(n), false)
		r.know([]byte(strings.ReplaceAll(n, ".", "/")), false) // as classes are called in files
	}
	const step = 4 << 20
	for _, part := range plan.parts[1:] {
		for at := int64(0); at < part.src.Size(); at += step {
			if err := ctx.Err(); err != nil {
				return err
			}
			// A gram or a word may begin in one step and end in the next.
			from := max(at-int64(r.reach)-1, 0)
			data, _ := core.SourceSlice(part.src, from, int(min(at+step, part.src.Size())-from))
			r.know(data, true)
		}
	}
	return nil
}

// find returns where secrets lie in the memory that is taken, as ranges of the
// core file. What is not taken beside that is looked at too: a secret may be
// taken in part.
func (c *plannedCore) find(ctx context.Context, r *redaction, k *keeper, tell func(what string, done, total int64)) ([]fileRange, error) {
	var out []fileRange
	done, total := int64(0), c.bytesOf(extentData)
	s := &sweep{grams: r.grams, found: func(lo, hi uint64) {
		out = append(out, k.fileRanges(core.Addr(lo), core.Addr(hi))...)
	}}
	taken := c.around(block)
	for i := range k.segs {
		seg := &k.segs[i]
		if seg.Kind != core.SegCore {
			continue
		}
		err := c.eachPiece(ctx, taken, fileRange{seg.Off, seg.Off + int64(seg.Size())}, func(off int64, b []byte) {
			s.feed(uint64(seg.Start)+uint64(off-seg.Off), b)
			if done += int64(len(b)); tell != nil {
				tell("looking for secrets in "+c.path, min(done, total-1), total)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	s.end()
	if tell != nil && total > 0 {
		tell("looking for secrets in "+c.path, total, total)
	}
	return join(append(out, c.seams(r, k)...), c.src.Size()), nil
}

// seams returns where memory that does not follow each other does so in the file
// and makes a secret there.
func (c *plannedCore) seams(r *redaction, k *keeper) (out []fileRange) {
	g := *r.grams
	g.edges = nil
	for i := range k.segs {
		seg := &k.segs[i]
		if seg.Kind != core.SegCore {
			continue
		}
		lo, hi := seg.Off, seg.Off+int64(seg.Size())
		for _, seam := range []int64{lo, hi} {
			s := &sweep{grams: &g, found: func(from, to uint64) {
				out = append(out, fileRange{max(int64(from), lo), min(int64(to), hi)})
			}}
			at := max(seam-int64(r.reach), 0)
			b, _ := core.SourceSlice(c.src, at, int(min(2*int64(r.reach), c.src.Size()-at)))
			s.feed(uint64(at), b)
			s.end()
		}
	}
	return out
}

// around returns the bytes that are taken and so many on both sides, joined.
func (p *plannedPart) around(n int64) []fileRange {
	var out []fileRange
	for _, s := range p.spans {
		if s.kind == extentData {
			out = append(out, fileRange{s.lo - n, s.hi + n})
		}
	}
	return join(out, p.src.Size())
}

// eachPiece reads what taken, joined, has of a range of the core, step by step.
func (c *plannedCore) eachPiece(ctx context.Context, taken []fileRange, in fileRange, visit func(off int64, b []byte)) error {
	const step = 1 << 20
	i, _ := slices.BinarySearchFunc(taken, in.lo, func(r fileRange, lo int64) int { return cmp.Compare(r.hi, lo+1) })
	for ; i < len(taken) && taken[i].lo < in.hi; i++ {
		hi := min(taken[i].hi, in.hi)
		for at := max(taken[i].lo, in.lo); at < hi; {
			if err := ctx.Err(); err != nil {
				return err
			}
			b, err := core.SourceSlice(c.src, at, int(min(step, hi-at)))
			if err != nil { // a part of the step may be a gap
				b, err = core.SourceSlice(c.src, at, int(min(block-at%block, hi-at)))
			}
			if err != nil {
				at = min(at-at%block+block, hi)
				continue
			}
			visit(at, b)
			at += int64(len(b))
		}
	}
	return nil
}

// redactNotes finds what is to be wiped outside of memory.
func (c *plannedCore) redactNotes(p *core.Process, r *redaction, k *keeper) {
	outside := outside(k.memory(c.src.Size()), c.src.Size())
	s := &sweep{grams: r.grams, found: func(lo, hi uint64) {
		r.places++
		c.wiped = append(c.wiped, fileRange{int64(lo), int64(hi)})
	}}
	for _, o := range outside {
		c.eachPiece(context.Background(), c.around(0), o, func(off int64, b []byte) { s.feed(uint64(off), b) })
	}
	s.end()
	for _, n := range p.Notes {
		end := n.Off + int64(len(n.Desc))
		switch {
		case n.Name == "NT_PRPSINFO" && len(n.Desc) >= psArgsSize:
			// The field is the last one of the structure on every architecture.
			c.wiped = append(c.wiped, fileRange{end - psArgsSize, end})
		case n.Name == "NT_FILE":
			c.masked = append(c.masked, fileRange{n.Off, end})
		case n.Name == "NT_PRSTATUS":
			c.redactRegisters(p, r, n.Off, n.Desc)
		case note.HoldsVectors(n):
			r.vectors++
			c.wiped = append(c.wiped, fileRange{n.Off, end}, typeOf(c.src, p, n))
		}
	}
	switch {
	case minidump.Is(c.src):
		c.redactMinidump(p, r)
	case p.OS == "darwin":
		c.redactStates(p, r)
	}
	c.wiped = join(c.wiped, c.src.Size())
}

// typeOf returns where the type of a note of an ELF file is: before its
// owner, which is padded to a multiple of 4 bytes.
func typeOf(src core.Source, p *core.Process, n core.Note) fileRange {
	order, _ := p.Words()
	for _, size := range []int{len(n.Owner) + 1, len(n.Owner)} {
		at := n.Off - int64(size+3)&^3 - 4
		if b, err := core.SourceSlice(src, max(at, 0), 4); err == nil && order.Uint32(b) == n.Type {
			return fileRange{at, at + 4}
		}
	}
	return fileRange{}
}

// redactStates is redactNotes for the registers of a Mach-O core.
func (c *plannedCore) redactStates(p *core.Process, r *redaction) {
	for _, s := range macho.ThreadStates(c.src) {
		switch {
		case s.Vectors:
			r.vectors++
			c.wiped = append(c.wiped, fileRange{s.Off, s.Off + s.Size}, fileRange{s.Flavor, s.Flavor + 4})
		case s.General:
			b, _ := core.SourceSlice(c.src, s.Off, int(s.Size))
			c.redactRegisters(p, r, s.Off, b)
		}
	}
}

// redactRegisters wipes general registers with pieces of secrets that are too
// short to be found elsewhere: 4 bytes or more, with zeros above them. Program
// counters and stack pointers are addresses.
func (c *plannedCore) redactRegisters(p *core.Process, r *redaction, at int64, words []byte) {
	order, size := p.Words()
	var b [8]byte
	for i := 0; i+size <= len(words); i += size {
		w := uint64(order.Uint32(words[i:]))
		if size == 8 {
			w = order.Uint64(words[i:])
		}
		binary.LittleEndian.PutUint64(b[:], w)
		piece := bytes.TrimRight(b[:size], "\x00")
		turned := bytes.Clone(piece)
		slices.Reverse(turned)
		if (r.holds(piece) || r.holds(turned)) && !r.isAddress(p, w) {
			r.words++
			c.wiped = append(c.wiped, fileRange{at + int64(i), at + int64(i+size)})
		}
	}
}

// isAddress reports whether a thread runs or has its stack at w.
func (r *redaction) isAddress(p *core.Process, w uint64) bool {
	return p.Arch == nil || slices.ContainsFunc(p.Threads, func(t *core.Thread) bool {
		pc, _ := t.Regs.Get(p.Arch.PC)
		sp, _ := t.Regs.Get(p.Arch.SP)
		return w == pc || w == sp
	})
}

// holds reports whether a secret has a piece that is not common.
func (r *redaction) holds(piece []byte) bool {
	if len(piece) < minSecret || bytes.IndexByte(piece, 0) >= 0 {
		return false
	}
	for _, s := range r.secrets {
		if bytes.Contains(s.value, piece) && r.rare(encoding{s.value, 1, 8}) {
			return true
		}
	}
	return false
}

// describe says what was left out and what may be left.
func (r *redaction) describe(say func(format string, args ...any)) {
	var kept []string
	for _, s := range r.secrets {
		if !r.rare(encoding{s.value, 1, 8}) && !slices.Contains(kept, s.from) {
			kept = append(kept, s.from)
		}
	}
	switch {
	case r.noEnviron:
		say("not looked for: values of the environment, which the dump does not have: stacks may hold some")
	case r.lo == r.hi && !r.elsewhere:
		say("redacted: no arguments and no environment were found on the stacks")
	}
	say("redacted: %s of memory: arguments and environment, and %d other places that hold their values, whole or pieces of them, "+
		"as bytes, Latin-1, UTF-16 or UTF-32", size(r.bytes), r.places)
	say("redacted: of the notes the command line, floating-point and vector registers (%d notes, %d signal frames), "+
		"and %d general registers with pieces of values, which read as 0", r.vectors, r.frames, r.words)
	if len(kept) > 0 {
		slices.Sort(kept)
		say("kept: values that the program's files or names on stacks have too: of %s", strings.Join(kept, ", "))
	}
	say("kept: paths among the values, programs given as arguments (-e, -c), names of variables, modules and scripts, and the files below as " +
		"they are on disk")
	say("may remain: values of fewer than %d bytes, pieces of fewer than 8 bytes (8 characters of UTF-16, 4 of UTF-32), what the "+
		"program encoded otherwise (base64, compressed, encrypted), and secrets that were neither arguments nor environment", minSecret)
}
