package core

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// The types of auxiliary vector entries that point to the stack's top (Linux,
// include/uapi/linux/auxvec.h).
const (
	atPlatform = 15
	atRandom   = 25
	atExecfn   = 31
)

// Bounds for the strings at a stack's top. The kernel allows more, but no person reads them.
const (
	maxArgs      = 1 << 16
	maxArgBytes  = 1 << 17 // MAX_ARG_STRLEN, the kernel's limit for one string
	maxAuxSearch = 8 << 20
)

// ErrNoArguments is wrapped by errors of Argv and Environ.
var ErrNoArguments = errors.New("arguments and environment not found")

// StartVectors returns the addresses of the process' arguments and of the
// strings of its environment, in their order. The error is a *FaultError or wraps
// ErrNoArguments.
//
// The kernel puts argc, the argument pointers, 0, the environment pointers, 0
// and the auxiliary vector to the stack's top in this order (System V ABI,
// "Process Initialization"); the vector's copy in the core is what is looked
// for.
func StartVectors(p *Process) (argv, env []Addr, err error) {
	top, err := findStackTop(p)
	if err != nil {
		return nil, nil, err
	}
	c := p.Cursor()
	word := Addr(c.PtrSize())
	list := func(at Addr, n int) (out []Addr) {
		for i := range n {
			out = append(out, c.Pointer(at+Addr(i)*word))
		}
		return out
	}
	argv, env = list(top.argv, top.argc), list(top.envp, top.envc)
	return argv, env, c.Err()
}

// Argv returns the process' arguments as they were on its stack when it died. A program may have
// overwritten them. If it wrote a title over all of them, as BSD's setproctitle and Chromium do, the
// pointers lead into the title, and the title is the only argument. The error comes from StartVectors
// or is a *FaultError; the arguments read before it are returned with it.
func Argv(p *Process) ([]string, error) {
	argv, _, err := StartVectors(p)
	if err != nil {
		return nil, err
	}
	return stringsAt(p, argv)
}

// Environ returns the process' environment as it was on its stack, as
// NAME=VALUE; see Argv.
func Environ(p *Process) ([]string, error) {
	_, env, err := StartVectors(p)
	if err != nil {
		return nil, err
	}
	return stringsAt(p, env)
}

// EnvironAt returns the strings of a null-terminated list of pointers, such as the one that the C
// library's variable environ points to. It leaves out unreadable strings and returns the first error, a
// *FaultError.
func EnvironAt(p *Process, list Addr) (out []string, err error) {
	c := p.Cursor()
	word := Addr(c.PtrSize())
	for i := range Addr(maxArgs) {
		at := c.Pointer(list + i*word)
		if c.Err() != nil {
			return out, errors.Join(err, c.Err())
		}
		if at == 0 {
			break
		}
		s, e := CString(p.Space, at, maxArgBytes)
		if e == nil {
			out = append(out, s)
		} else if err == nil {
			err = e
		}
	}
	return out, err
}

func stringsAt(p *Process, at []Addr) ([]string, error) {
	var out []string
	var last written
	for _, a := range at {
		if last.holds(a) {
			continue
		}
		s, err := CString(p.Space, a, maxArgBytes)
		if err != nil {
			return out, err
		}
		out, last = append(out, s), written{a, a + Addr(len(s))}
	}
	return out, nil
}

// written is where a string was read: from its first byte to the zero after it.
type written struct{ start, end Addr }

// holds reports whether what is at a is a part of the string.
func (w written) holds(a Addr) bool { return a > w.start && a < w.end }

// stackTop is where the kernel left the arguments.
type stackTop struct {
	argv, envp Addr
	argc, envc int
}

func findStackTop(p *Process) (*stackTop, error) {
	auxv, err := findAuxv(p)
	if err != nil {
		return nil, err
	}
	c := p.Cursor()
	word := Addr(c.PtrSize())
	t := &stackTop{}
	if c.Word(auxv-word) != 0 || c.Err() != nil {
		return nil, fmt.Errorf("%w: no end of the environment before %v", ErrNoArguments, auxv)
	}
	a := auxv - 2*word
	for ; c.Word(a) != 0 && c.Err() == nil && t.envc < maxArgs; a -= word {
		t.envc++
	}
	t.envp = a + word
	// Below the zero lie the argument pointers, and below them their count, in
	// whose place the start-up code of arm puts the address of the pointers. An
	// argument lies above the vector, so what does not ends the list too.
	for a -= word; c.Err() == nil && t.argc < maxArgs; a -= word {
		w := c.Pointer(a)
		if w == Addr(t.argc) || w == a+word || w < auxv && t.argc > 0 {
			t.argv = a + word
			return t, c.Err()
		}
		t.argc++
	}
	if c.Err() != nil {
		return nil, c.Err()
	}
	return nil, fmt.Errorf("%w: no argument count below %v", ErrNoArguments, t.envp)
}

// findAuxv returns the address of the auxiliary vector on the stack.
func findAuxv(p *Process) (Addr, error) {
	order, ptr := p.Words()
	want := auxvBytes(p.Auxv, order, ptr)
	if len(want) == 0 {
		return 0, fmt.Errorf("%w: the core has no auxiliary vector", ErrNoArguments)
	}
	for _, typ := range []uint64{atRandom, atPlatform, atExecfn} {
		at, ok := p.AuxValue(typ)
		if !ok || at == 0 {
			continue
		}
		seg, ok := p.Space.Find(Addr(at))
		if !ok {
			continue
		}
		lo := seg.Start
		if Addr(at)-lo > maxAuxSearch {
			lo = Addr(at) - maxAuxSearch
		}
		b, err := ReadBytes(p.Space, lo, at-uint64(lo))
		if err != nil {
			return 0, err
		}
		for end := len(b); end > 0; {
			i := bytes.LastIndex(b[:end], want)
			if i < 0 {
				break
			}
			if (lo+Addr(i))%Addr(ptr) == 0 {
				return lo + Addr(i), nil
			}
			end = i + len(want) - 1
		}
	}
	return 0, fmt.Errorf("%w: the stack does not hold the auxiliary vector", ErrNoArguments)
}

func auxvBytes(auxv []AuxEntry, order binary.ByteOrder, ptr int) []byte {
	var b []byte
	for _, e := range auxv {
		var w [16]byte
		if ptr == 4 {
			order.PutUint32(w[:], uint32(e.Type))
			order.PutUint32(w[4:], uint32(e.Value))
		} else {
			order.PutUint64(w[:], e.Type)
			order.PutUint64(w[8:], e.Value)
		}
		b = append(b, w[:2*ptr]...)
	}
	return b
}

// CommandLine returns the command line from the process' stack. If that is missing, it returns the part
// in the core's notes.
func (p *Process) CommandLine() string {
	noted := strings.TrimSpace(p.PSArgs)
	if p.Arch == nil {
		return noted
	}
	argv, _, err := StartVectors(p)
	if err != nil || len(argv) == 0 {
		return noted
	}
	const most = 4 << 10 // bytes shown
	var args []string
	size := 0
	var last written
	for _, a := range argv {
		if last.holds(a) {
			continue
		}
		s, err := CString(p.Space, a, most)
		if err != nil {
			return noted
		}
		if size += len(s); size > most {
			return strings.Join(append(args, "…"), " ")
		}
		args, last = append(args, s), written{a, a + Addr(len(s))}
	}
	return strings.Join(args, " ")
}
