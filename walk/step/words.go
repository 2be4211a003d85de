package step

import "coredbg/core"

// The limits of scans: how many words up the stack a return address is looked
// for, the same beyond code that cannot be read, whose frames may be large, and how many words a walk
// may look at in all.
const (
	maxScan      = 1024
	maxFarScan   = 1 << 14
	maxScanWords = 1 << 22
)

// A Words goes through the words of a stack that are code addresses, within
// the limits of scans.
type Words struct {
	w        *Walk
	At       core.Addr // where the word is
	Code     core.Addr // the word, as an address of code
	end      core.Addr
	from     core.Addr // of the next word
	left     int
	wordSize core.Addr
}

// Words returns the words from an address up to another one, or to the end of the stack if a runtime
// gives it. Next goes through them.
func (w *Walk) Words(from, end core.Addr) Words { return w.words(from, end, maxScan) }

// FarWords is Words beyond code that cannot be read: it goes on for longer.
func (w *Walk) FarWords(from, end core.Addr) Words { return w.words(from, end, maxFarScan) }

func (w *Walk) words(from, end core.Addr, most int) Words {
	if _, high, ok := w.bounds(from); ok {
		end = min(end, high)
	}
	size := core.Addr(w.Text.Process.Arch.RegSize())
	return Words{w: w, end: end, from: from.Align(uint64(size)), wordSize: size,
		left: min(most, maxScanWords-w.scanned)}
}

// Cut reports whether Next has stopped at a limit before the end.
func (s *Words) Cut() bool { return s.left <= 0 && s.from < s.end }

// Next goes on to the next code address; it reports false at the end.
func (s *Words) Next() bool {
	w := s.w
	for s.left > 0 && s.from < s.end {
		s.At = s.from
		s.from += s.wordSize
		s.left--
		w.scanned++
		word := core.Addr(w.Stack.Register(s.At))
		if w.Stack.Reset() != nil {
			return false
		}
		s.Code = w.Text.Strip(word, false)
		if s.Code <= 1 || !w.Text.Executable(s.Code-1) && !w.Text.Executable(s.Code) {
			continue
		}
		// With two instruction sets, some word of data always looks like a call.
		if w.Text.Set.Mode == 0 || w.Text.Process.Module(s.Code) != nil {
			return true
		}
	}
	return false
}
