package dex

import "fmt"

// A Payload is the data of a switch or of an array.
type Payload struct {
	Cases []Case // of switches
	// Width is the size in bytes of an element of an array, Count their
	// number, and Data the elements themselves.
	Width int
	Count uint32
	Data  []uint16 // code units; an odd last byte is not used
}

// A Case is one case of a switch: where it goes, in code units from the switch
// instruction.
type Case struct {
	Key    int32
	Offset int32
}

// The first units of payloads (kPackedSwitchSignature and its like).
const (
	packedSwitchPayload = 0x0100
	sparseSwitchPayload = 0x0200
	arrayPayload        = 0x0300
)

// payload decodes the payload that u begins with.
func (in Instruction) payload(u []uint16) (Instruction, error) {
	short := func(name string, need uint64) (Instruction, error) {
		in.Name = name
		return in, fmt.Errorf("dex: dex pc %#x: %s has %d units, and the code %d", in.PC, name, need, len(u))
	}
	word := func(at int) uint32 { return uint32(u[at]) | uint32(u[at+1])<<16 }
	switch u[0] {
	case packedSwitchPayload:
		in.Name = "packed-switch-payload"
		if len(u) < 4 {
			return short(in.Name, 4)
		}
		n := int(u[1])
		if need := 4 + 2*n; need > len(u) {
			return short(in.Name, uint64(need))
		}
		in.Size, in.Payload = 4+2*n, &Payload{}
		for i := range n {
			in.Payload.Cases = append(in.Payload.Cases, Case{int32(word(2)) + int32(i), int32(word(4 + 2*i))})
		}
	case sparseSwitchPayload:
		in.Name = "sparse-switch-payload"
		if len(u) < 2 {
			return short(in.Name, 2)
		}
		n := int(u[1])
		if need := 2 + 4*n; need > len(u) {
			return short(in.Name, uint64(need))
		}
		in.Size, in.Payload = 2+4*n, &Payload{}
		for i := range n {
			in.Payload.Cases = append(in.Payload.Cases, Case{int32(word(2 + 2*i)), int32(word(2 + 2*n + 2*i))})
		}
	case arrayPayload:
		in.Name = "array-payload"
		if len(u) < 4 {
			return short(in.Name, 4)
		}
		width, count := int(u[1]), word(2)
		need := 4 + (uint64(width)*uint64(count)+1)/2
		if need > uint64(len(u)) {
			return short(in.Name, need)
		}
		in.Size = int(need)
		in.Payload = &Payload{Width: width, Count: count, Data: u[4:need]}
	default:
		in.Name = "nop"
	}
	return in, nil
}

// Elements returns the first max elements of an array as signed numbers; those
// of a width other than 1, 2, 4 or 8 bytes are left out.
func (p *Payload) Elements(max int) []int64 {
	if p.Width != 1 && p.Width != 2 && p.Width != 4 && p.Width != 8 {
		return nil
	}
	var list []int64
	for i := 0; i < max && uint32(i) < p.Count; i++ {
		var v uint64
		for b := range p.Width {
			at := i*p.Width + b
			v |= uint64(p.Data[at/2]>>(at%2*8)&0xff) << (8 * b)
		}
		shift := 64 - 8*p.Width
		list = append(list, int64(v<<shift)>>shift)
	}
	return list
}

// Disassemble decodes a method's code units one after the other. Invalid instructions are in the list too; the
// error is about the first one.
func Disassemble(units []uint16) ([]Instruction, error) {
	var list []Instruction
	var firstErr error
	for pc := uint32(0); int(pc) < len(units); {
		in, err := Decode(units, pc)
		if err != nil && firstErr == nil {
			firstErr = err
		}
		list = append(list, in)
		pc += uint32(in.Size)
	}
	return list, firstErr
}
