package dap

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	protocol "github.com/google/go-dap"

	"coredbg/cmd/coredbg/ask"
	"coredbg/commands/out"
	"coredbg/core"
)

// addrOf reads a reference to memory.
func addrOf(ref string, offset int) (core.Addr, error) {
	v, err := strconv.ParseUint(strings.TrimPrefix(ref, "0x"), 16, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not an address", ref)
	}
	return core.Addr(v + uint64(int64(offset))), nil
}

// maxRead bounds the bytes of an answer.
const maxRead = 1 << 20

func readMemory(q *ask.Query, a *protocol.ReadMemoryArguments) (*protocol.ReadMemoryResponseBody, error) {
	at, err := addrOf(a.MemoryReference, a.Offset)
	if err != nil {
		return nil, err
	}
	if a.Count < 0 {
		return nil, fmt.Errorf("%d bytes cannot be read", a.Count)
	}
	n := min(a.Count, maxRead)
	b := make([]byte, n)
	got, err := q.Session().Process.Space.ReadAt(b, at)
	body := &protocol.ReadMemoryResponseBody{Address: at.String(), Data: base64.StdEncoding.EncodeToString(b[:got])}
	if err != nil && got < n {
		body.UnreadableBytes = a.Count - got
	}
	return body, nil
}

// maxInstructions bounds the instructions of an answer, and maxBack the bytes that are decoded before an address.
const (
	maxInstructions = 10_000
	maxBack         = 1 << 20
)

// disassemble returns instructions around an address. It decodes the instructions before the address from the start of
// their function; invalid ones replace instructions before the function, or all of them if no function is known.
func disassemble(q *ask.Query, a *protocol.DisassembleArguments) (*protocol.DisassembleResponseBody, error) {
	s := q.Session()
	at, err := addrOf(a.MemoryReference, a.Offset)
	if err != nil {
		return nil, err
	}
	if s.Disasm == nil {
		return nil, errors.New("there is no disassembler for this architecture")
	}
	count := min(max(a.InstructionCount, 0), maxInstructions)
	back := min(max(-a.InstructionOffset, 0), maxInstructions)
	body := &protocol.DisassembleResponseBody{Instructions: []protocol.DisassembledInstruction{}}
	if back > 0 {
		list := before(q, at)
		list = list[max(0, len(list)-back):]
		first := at
		if len(list) > 0 {
			first = list[0]
		}
		for i := back - len(list); i > 0; i-- {
			body.Instructions = append(body.Instructions, invalid(first-core.Addr(i)))
		}
		for _, a := range list {
			x, _ := instruction(q, a)
			body.Instructions = append(body.Instructions, x)
		}
	}
	next := at
	for range max(a.InstructionOffset, 0) {
		_, size, err := s.Disasm(next, false)
		next += core.Addr(max(size, 1))
		if err != nil {
			break
		}
	}
	for len(body.Instructions) < count {
		x, size := instruction(q, next)
		body.Instructions = append(body.Instructions, x)
		next += core.Addr(size)
	}
	body.Instructions = body.Instructions[:min(count, len(body.Instructions))]
	return body, nil
}

// before returns where the instructions are in the function around an address, up to it.
func before(q *ask.Query, at core.Addr) (list []core.Addr) {
	s := q.Session()
	_, off, ok := s.Name(at)
	if !ok || off > maxBack {
		return nil
	}
	for a := at - core.Addr(off); a < at; {
		list = append(list, a)
		_, size, err := s.Disasm(a, false)
		if err != nil {
			size = 1
		}
		a += core.Addr(max(size, 1))
	}
	return list
}

// instruction returns the instruction at an address, and its length in bytes, at least 1.
func instruction(q *ask.Query, at core.Addr) (protocol.DisassembledInstruction, int) {
	s := q.Session()
	text, size, err := s.Disasm(at, false)
	if err != nil || size < 1 {
		return invalid(at), 1
	}
	x := protocol.DisassembledInstruction{Address: at.String(), Instruction: out.Clean(text, false)}
	b := make([]byte, size)
	if n, _ := s.Process.Space.ReadAt(b, at); n == size {
		x.InstructionBytes = fmt.Sprintf("% x", b)
	}
	if name, off, ok := s.Name(at); ok && off == 0 {
		x.Symbol = out.Clean(name, false)
	}
	return x, size
}

func invalid(at core.Addr) protocol.DisassembledInstruction {
	return protocol.DisassembledInstruction{Address: at.String(), Instruction: "??"}
}
