package bytecode

import (
	"strconv"
	"strings"
	"sync"

	"coredbg/runtimes/v8/layout"
)

// An operandKind is the type of an operand of a bytecode
// (interpreter/bytecode-operands.h: OperandType), by a letter. Where V8 has one
// type for several uses and a later version distinguishes them, the letters
// follow the later version. Operands that are read and written are one kind.
type operandKind byte

const (
	opFlag8     operandKind = 'F'
	opFlag16    operandKind = 'H'
	opIntrinsic operandKind = 'N'
	opRuntime   operandKind = 'T'
	opNative    operandKind = 'X' // an index in the native context
	opAbort     operandKind = 'A'
	opEmbedded  operandKind = 'E' // feedback that V8 14.6 keeps in the bytecode
	opEmbedded8 operandKind = 'e' // as 15.0 keeps it
	opConstant  operandKind = 'K' // an index in the constant pool
	opFeedback  operandKind = 'V' // a slot of the feedback vector
	opContext   operandKind = 'C' // a slot of a context
	opCoverage  operandKind = 'B'
	opUnsigned  operandKind = 'U'
	opCount     operandKind = '#' // registers in the list in front
	opSigned    operandKind = 'S'
	opRegister  operandKind = 'R'
	opList      operandKind = 'L'
	opPair      operandKind = 'P'
	opTriple    operandKind = 't'
)

// size returns the bytes of an operand. Operands that a prefix widens have scale
// times one byte.
func (k operandKind) size(scale int) int {
	switch k {
	case opFlag8, opIntrinsic, opNative, opAbort, opEmbedded8:
		return 1
	case opFlag16, opRuntime, opEmbedded:
		return 2
	}
	return scale
}

func (k operandKind) signed() bool {
	switch k {
	case opSigned, opRegister, opList, opPair, opTriple:
		return true
	}
	return false
}

// A Set is the bytecodes of one version by number.
type Set struct {
	Version layout.Version // the first that has it
	names   []string
	kinds   [][]operandKind
}

// size returns the length of a bytecode without prefix.
func (s *Set) size(op, scale int) int {
	n := 1
	for _, k := range s.kinds[op] {
		n += k.size(scale)
	}
	return n
}

// Sizes returns the set's table of sizes in the form of V8's own.
func (s *Set) Sizes() []byte {
	out := make([]byte, 0, 3*len(s.names))
	for _, scale := range []int{1, 2, 4} {
		for op := range s.names {
			out = append(out, byte(s.size(op, scale)))
		}
	}
	return out
}

// Fits reports whether all bytecodes have the lengths in V8's own table
// of sizes.
func (s *Set) Fits(sizes []byte) bool {
	row := len(sizes) / 3
	if row != len(s.names) {
		return false
	}
	for scale, r := 1, 0; r < 3; scale, r = 2*scale, r+1 {
		for op := range s.names {
			// The prefixes themselves and breakpoints of the debugger have no
			// size when widened in some versions.
			if n := int(sizes[r*row+op]); n != 0 && n != s.size(op, scale) {
				return false
			}
		}
	}
	return true
}

// versions are the versions of Node's releases that added or removed bytecodes.
var versions = []layout.Version{layout.V(7, 8), layout.V(8, 1), layout.V(8, 4), layout.V(9, 0), layout.V(9, 4),
	layout.V(10, 1), layout.V(11, 3), layout.V(11, 8),
	layout.V(12, 4), layout.V(12, 9), layout.V(13, 6), layout.V(14, 1), layout.V(14, 6)}

// Sets returns the bytecodes of each of versions.
var Sets = sync.OnceValue(func() []*Set {
	var sets []*Set
	for _, ver := range versions {
		s := &Set{Version: ver}
		for line := range strings.Lines(rows) {
			f := strings.Fields(line)
			if len(f) < 2 || !listed(f[2:], ver) {
				continue
			}
			s.names = append(s.names, f[0])
			s.kinds = append(s.kinds, []operandKind(strings.Trim(f[1], "-")))
		}
		sets = append(sets, s)
	}
	return sets
})

// Nearest returns the index of the set of a version: the newest one that is not newer, or the first one. It compares
// versions because a set is a list of its own, which no single number of the layout can select.
func Nearest(sets []*Set, ver layout.Version) int {
	at := 0
	for i, s := range sets {
		if ver.AtLeast(s.Version.Major, s.Version.Minor) {
			at = i
		}
	}
	return at
}

// listed reports whether a version has the row of a list that ends in the versions since: the first one that
// has it, or "-", and the first one that lacks it again. It compares versions because the lists are data
// themselves.
func listed(since []string, ver layout.Version) bool {
	if len(since) > 0 && since[0] != "-" && ver.Before(twoNumbers(since[0])) {
		return false
	}
	return len(since) < 2 || !ver.AtLeast(twoNumbers(since[1]))
}

// FromTable returns the bytecodes that a table of constants lists, as layout/gen writes them
// from V8's sources: bytecode_3_Ldar__R. It reports false if one is missing or is not known how
// to decode, and if V8's own table of sizes has others.
func FromTable(constants map[string]int, ver layout.Version, sizes []byte) (*Set, bool) {
	rows := map[int][2]string{}
	for name := range constants {
		rest, ok := strings.CutPrefix(name, "bytecode_")
		number, rest, ok1 := strings.Cut(rest, "_")
		n, err := strconv.Atoi(number)
		name, letters, ok2 := strings.Cut(rest, "__")
		if ok && ok1 && ok2 && err == nil {
			rows[n] = [2]string{name, strings.Trim(letters, "-")}
		}
	}
	s := &Set{Version: ver}
	for n := range len(rows) {
		row, ok := rows[n]
		kinds := indexKinds(row[0], row[1])
		if !ok || n > 255 || strings.Trim(kinds, operandLetters) != "" {
			return nil, false
		}
		s.names, s.kinds = append(s.names, row[0]), append(s.kinds, []operandKind(kinds))
	}
	if s.Fits(sizes) {
		return s, len(rows) > 0
	}
	for _, kinds := range s.kinds {
		for i, k := range kinds {
			if k == opEmbedded {
				kinds[i] = opEmbedded8
			}
		}
	}
	return s, s.Fits(sizes)
}

// indexKinds returns the letters of operands that are an index, OperandType::kIdx, by the operands of a
// bytecode of the same name: V8 has distinguished them since 13.x. Without such a bytecode they
// are numbers.
func indexKinds(name, letters string) string {
	const index = 'I'
	if !strings.ContainsRune(letters, index) {
		return letters
	}
	for line := range strings.Lines(rows) {
		f := strings.Fields(line)
		if len(f) < 2 || f[0] != name || len(f[1]) != len(letters) {
			continue
		}
		same := true
		for i := range letters {
			same = same && (letters[i] == f[1][i] || letters[i] == index && strings.IndexByte("KVCBU", f[1][i]) >= 0)
		}
		if same {
			return f[1]
		}
	}
	return strings.ReplaceAll(letters, string(index), string(rune(opUnsigned)))
}

// operandLetters are the letters of all kinds of operands.
const operandLetters = "FHNTXAEKVCBU#SRLPt"

// twoNumbers reads "13.6".
func twoNumbers(s string) (major, minor int) {
	for _, r := range s {
		if r == '.' {
			major, minor = minor, 0
			continue
		}
		minor = 10*minor + int(r-'0')
	}
	return major, minor
}
