package redact

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/bundle"
	"coredbg/core/bundle/secret"
	"coredbg/core/bundle/span"
	"coredbg/core/elf/note"
	"coredbg/core/macho/thread"
	"coredbg/core/minidump"
)

// These are left out:
//
//   - the top of the first stack, where the kernel puts arguments and
//     environment, and the random bytes that guards are made from;
//   - NT_PRPSINFO's arguments;
//   - floating-point and vector registers, in notes and in signal frames: the
//     string functions of C libraries leave pieces of whatever they handled there;
//   - wherever else in memory, notes and general registers they occur, values of
//     the environment and of arguments, whole or in pieces, in the encodings that
//     programs use; see core/bundle/secret.
//
// Memory becomes a gap that says so. Notes keep their form: zeros replace the bytes, and question marks
// the names of NT_FILE. A note of registers loses its type, so that no reader takes the zeros for
// values.
//
// Common text stays: a value that is also in the program's files, or in names on stacks. The written
// bytes are searched once more; see Check.

// Options add secrets to the arguments and the environment, and name texts that are not secret.
type Options struct {
	// Environ are further strings of the form NAME=VALUE to redact.
	Environ []string
	// Names are texts that have to stay.
	Names []string
	// Progress is called with how many bytes have been searched; it may be nil.
	Progress func(what string, done, total int64)
}

// A Redaction is what is left out of a core.
type Redaction struct {
	grams   *secret.Grams
	secrets []secret.Secret
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

// work is a core that is being redacted.
type work struct {
	*Redaction
	p   *core.Process
	c   *bundle.Planned
	mem span.Memory
}

// Core makes gaps of secrets in the spans of a core that p was opened from, and wipes them outside of
// memory, once the files that go with it are planned. It fails with ErrNoArgs if what was secret is not known.
func Core(ctx context.Context, p *core.Process, c *bundle.Planned, files []*bundle.Planned,
	opt Options) (*Redaction, error) {
	lo, hi, text, err := arguments(p)
	more := given(p, c.Source)
	if err != nil && len(more) == 0 {
		return nil, err
	}
	text = append(append(text, 0), more...)
	for _, s := range opt.Environ {
		text = append(append(text, s...), 0)
	}
	r := &Redaction{lo: lo, hi: hi, elsewhere: len(more) > 0, secrets: secret.Find(text)}
	r.noEnviron = lo == hi && minidump.Is(c.Source) && len(p.Environ) == 0 && len(opt.Environ) == 0
	r.grams = secret.NewGrams(r.secrets)
	w := &work{Redaction: r, p: p, c: c}
	if err := w.learn(ctx, files, opt.Names); err != nil {
		return nil, err
	}
	w.mem = span.Memory{Segments: p.Space.Segments()}
	out := w.mem.Ranges(lo, hi)
	found, err := w.find(ctx, opt.Progress)
	if err != nil {
		return nil, err
	}
	r.places = len(found)
	states := w.signalStates()
	r.frames = len(states)
	out = span.Join(slices.Concat(out, found, states), c.Source.Size())
	c.Spans = span.Carve(c.Spans, out, core.GapError{Gap: core.Redacted,
		Detail: "arguments, environment and copies of them"})
	for _, o := range out {
		r.bytes += o.Hi - o.Lo
	}
	w.redactNotes()
	return r, ctx.Err()
}

// learn finds out what is common: what the files that are taken have, and names.
func (w *work) learn(ctx context.Context, files []*bundle.Planned, stay []string) error {
	names := append(slices.Clone(stay), w.p.Path, w.p.Exe)
	for _, m := range w.p.Modules {
		names = append(names, m.Path)
	}
	names = append(names, w.c.Path)
	for _, part := range files {
		names = append(names, part.Path)
	}
	for _, n := range names {
		w.grams.Know([]byte(n), false)
		w.grams.Know([]byte(strings.ReplaceAll(n, ".", "/")), false) // as classes are called in files
	}
	const step = 4 << 20
	for _, part := range files {
		for at := int64(0); at < part.Source.Size(); at += step {
			if err := ctx.Err(); err != nil {
				return err
			}
			// A gram or a word may begin in one step and end in the next.
			from := max(at-int64(w.grams.Reach())-1, 0)
			data, _ := core.SourceSlice(part.Source, from, int(min(at+step, part.Source.Size())-from))
			w.grams.Know(data, true)
		}
	}
	return nil
}

// find returns the places of secrets in the taken memory, as ranges of the core file. It also searches
// the bytes around that memory: a secret may be taken in part.
func (w *work) find(ctx context.Context, tell func(what string, done, total int64)) ([]span.Range, error) {
	var out []span.Range
	done, total := int64(0), w.c.BytesOf(span.Data)
	s := &secret.Sweep{Grams: w.grams, Found: func(lo, hi uint64) {
		out = append(out, w.mem.Ranges(core.Addr(lo), core.Addr(hi))...)
	}}
	taken := around(w.c, span.Block)
	for i := range w.mem.Segments {
		seg := &w.mem.Segments[i]
		if seg.Kind != core.SegCore {
			continue
		}
		err := w.eachPiece(ctx, taken, span.Between(seg.Off, seg.Off+int64(seg.Size())), func(off int64, b []byte) {
			s.Feed(uint64(seg.Start)+uint64(off-seg.Off), b)
			if done += int64(len(b)); tell != nil {
				tell("looking for secrets in "+w.c.Path, min(done, total-1), total)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	s.End()
	if tell != nil && total > 0 {
		tell("looking for secrets in "+w.c.Path, total, total)
	}
	return span.Join(append(out, w.seams()...), w.c.Source.Size()), nil
}

// seams returns where memory that does not follow each other does so in the file
// and makes a secret there.
func (w *work) seams() (out []span.Range) {
	g := w.grams.WithoutEdges()
	for i := range w.mem.Segments {
		seg := &w.mem.Segments[i]
		if seg.Kind != core.SegCore {
			continue
		}
		lo, hi := seg.Off, seg.Off+int64(seg.Size())
		for _, seam := range []int64{lo, hi} {
			s := &secret.Sweep{Grams: g, Found: func(from, to uint64) {
				out = append(out, span.Between(max(int64(from), lo), min(int64(to), hi)))
			}}
			at := max(seam-int64(w.grams.Reach()), 0)
			b, _ := core.SourceSlice(w.c.Source, at, int(min(2*int64(w.grams.Reach()), w.c.Source.Size()-at)))
			s.Feed(uint64(at), b)
			s.End()
		}
	}
	return out
}

// around returns the taken bytes and n bytes on both sides, joined.
func around(p *bundle.Planned, n int64) []span.Range {
	var out []span.Range
	for _, s := range p.Spans {
		if s.Kind == span.Data {
			out = append(out, span.Between(s.Lo-n, s.Hi+n))
		}
	}
	return span.Join(out, p.Source.Size())
}

// eachPiece reads the parts of the range in that are in taken, which is joined, step by step.
func (w *work) eachPiece(ctx context.Context, taken []span.Range, in span.Range,
	visit func(off int64, b []byte)) error {
	const step = 1 << 20
	i, _ := slices.BinarySearchFunc(taken, in.Lo, func(r span.Range, lo int64) int { return cmp.Compare(r.Hi, lo+1) })
	for ; i < len(taken) && taken[i].Lo < in.Hi; i++ {
		hi := min(taken[i].Hi, in.Hi)
		for at := max(taken[i].Lo, in.Lo); at < hi; {
			if err := ctx.Err(); err != nil {
				return err
			}
			b, err := core.SourceSlice(w.c.Source, at, int(min(step, hi-at)))
			if err != nil { // a part of the step may be a gap
				b, err = core.SourceSlice(w.c.Source, at, int(min(span.Block-at%span.Block, hi-at)))
			}
			if err != nil {
				at = min(at-at%span.Block+span.Block, hi)
				continue
			}
			visit(at, b)
			at += int64(len(b))
		}
	}
	return nil
}

// redactNotes finds what is to be wiped outside of memory.
func (w *work) redactNotes() {
	outside := span.Outside(w.mem.All(w.c.Source.Size()), w.c.Source.Size())
	s := &secret.Sweep{Grams: w.grams, Found: func(lo, hi uint64) {
		w.places++
		w.c.Wiped = append(w.c.Wiped, span.Between(int64(lo), int64(hi)))
	}}
	for _, o := range outside {
		w.eachPiece(context.Background(), around(w.c, 0), o, func(off int64, b []byte) { s.Feed(uint64(off), b) })
	}
	s.End()
	for _, n := range w.p.Notes {
		end := n.Off + int64(len(n.Desc))
		switch {
		case n.Name == "NT_PRPSINFO" && len(n.Desc) >= core.PSArgsSize:
			// The field is the last one of the structure on every architecture.
			w.c.Wiped = append(w.c.Wiped, span.Between(end-core.PSArgsSize, end))
		case n.Name == "NT_FILE":
			w.c.Masked = append(w.c.Masked, span.Between(n.Off, end))
		case n.Name == "NT_PRSTATUS":
			w.redactRegisters(n.Off, n.Desc)
		case note.HoldsVectors(n):
			w.vectors++
			w.c.Wiped = append(w.c.Wiped, span.Between(n.Off, end), typeOf(w.c.Source, w.p, n))
		}
	}
	switch {
	case minidump.Is(w.c.Source):
		w.redactMinidump()
	case w.p.OS == "darwin":
		w.redactStates()
	}
	w.c.Wiped = span.Join(w.c.Wiped, w.c.Source.Size())
}

// typeOf returns where the type of a note of an ELF file is: before its
// owner, which is padded to a multiple of 4 bytes.
func typeOf(src core.Source, p *core.Process, n core.Note) span.Range {
	order, _ := p.Words()
	for _, size := range []int{len(n.Owner) + 1, len(n.Owner)} {
		at := n.Off - int64(size+3)&^3 - 4
		if b, err := core.SourceSlice(src, max(at, 0), 4); err == nil && order.Uint32(b) == n.Type {
			return span.Between(at, at+4)
		}
	}
	return span.Range{}
}

// redactStates is redactNotes for the registers of a Mach-O core.
func (w *work) redactStates() {
	for _, s := range thread.States(w.c.Source) {
		switch {
		case s.Vectors:
			w.vectors++
			w.c.Wiped = append(w.c.Wiped, span.Between(s.Off, s.Off+s.Size), span.Between(s.Flavor, s.Flavor+4))
		case s.General:
			b, _ := core.SourceSlice(w.c.Source, s.Off, int(s.Size))
			w.redactRegisters(s.Off, b)
		}
	}
}

// redactRegisters wipes general registers with pieces of secrets that are too
// short to be found elsewhere: 4 bytes or more, with zeros above them. Program
// counters and stack pointers are addresses.
func (w *work) redactRegisters(at int64, words []byte) {
	order, size := w.p.Words()
	var b [8]byte
	for i := 0; i+size <= len(words); i += size {
		v := uint64(order.Uint32(words[i:]))
		if size == 8 {
			v = order.Uint64(words[i:])
		}
		binary.LittleEndian.PutUint64(b[:], v)
		piece := bytes.TrimRight(b[:size], "\x00")
		turned := bytes.Clone(piece)
		slices.Reverse(turned)
		if (w.holds(piece) || w.holds(turned)) && !w.isAddress(v) {
			w.words++
			w.c.Wiped = append(w.c.Wiped, span.Between(at+int64(i), at+int64(i+size)))
		}
	}
}

// isAddress reports whether a thread runs or has its stack at v.
func (w *work) isAddress(v uint64) bool {
	p := w.p
	return p.Arch == nil || slices.ContainsFunc(p.Threads, func(t *core.Thread) bool {
		pc, _ := t.Regs.Get(p.Arch.PC)
		sp, _ := t.Regs.Get(p.Arch.SP)
		return v == pc || v == sp
	})
}

// holds reports whether a secret has a piece that is not common.
func (r *Redaction) holds(piece []byte) bool {
	if len(piece) < secret.Min || bytes.IndexByte(piece, 0) >= 0 {
		return false
	}
	for _, s := range r.secrets {
		if bytes.Contains(s.Value, piece) && r.grams.Rare(s.Value) {
			return true
		}
	}
	return false
}

// Describe says which bytes were left out, and which secrets may remain.
func (r *Redaction) Describe(say func(format string, args ...any)) {
	var kept []string
	for _, s := range r.secrets {
		if !r.grams.Rare(s.Value) && !slices.Contains(kept, s.From) {
			kept = append(kept, s.From)
		}
	}
	switch {
	case r.noEnviron:
		say("not looked for: values of the environment, which the dump does not have: stacks may hold some")
	case r.lo == r.hi && !r.elsewhere:
		say("redacted: no arguments and no environment were found on the stacks")
	}
	say("redacted: %s of memory: arguments and environment, and %d other places that hold their values, whole or pieces of them, "+
		"as bytes, Latin-1, UTF-16 or UTF-32", span.Size(r.bytes), r.places)
	say("redacted in notes: the command line, floating-point and vector registers (%d notes, %d signal frames), "+
		"and %d general registers with pieces of values, which read as 0", r.vectors, r.frames, r.words)
	if len(kept) > 0 {
		slices.Sort(kept)
		say("kept: values that the program's files or names on stacks have too: of %s", strings.Join(kept, ", "))
	}
	say("kept: paths among the values, programs given as arguments (-e, -c), names of variables, modules and scripts, and the files below as " +
		"they are on disk")
	say("may remain: values of fewer than %d bytes, pieces of fewer than 8 bytes (8 characters of UTF-16, 4 of UTF-32) that no name of 7 letters or more precedes, data that the "+
		"program encoded otherwise (base64, compressed, encrypted), and secrets that were neither arguments nor environment", secret.Min)
}
