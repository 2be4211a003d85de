package core

// An Areas is an Image that knows what it has at an address.
type Areas interface {
	// AreaAt names what is at a link-time address, such as the header or a section, and reports whether that
	// holds instructions; ok is false if the image does not say.
	AreaAt(link uint64) (what string, code, ok bool)
}

// zerosAround is how many zero bytes in a row are no code, and how far around an address they are counted.
const zerosAround = 16

// NotCode returns what is at an address that may be executed although no instructions are there: a part of an image
// that holds none, or zeros. It returns "" if there may be some.
func (p *Process) NotCode(a Addr) string {
	if !p.Executable(a) {
		return ""
	}
	if m := p.Module(a); m != nil {
		x, is := m.Facts().Image.(Areas)
		if link, known := m.LinkAddr(a); is && known {
			if what, code, ok := x.AreaAt(link); ok && !code {
				return what + " of " + m.Name()
			}
		}
	}
	if p.zeros(a) {
		return "zeros"
	}
	return ""
}

// zeros reports whether the instruction at a is one of many zero bytes. On MIPS they are instructions that do
// nothing.
func (p *Process) zeros(a Addr) bool {
	least := Addr(2)
	switch p.Arch {
	case nil, MIPS, MIPSEL, MIPSN32, MIPSN32EL, MIPS64, MIPS64EL:
		return false
	case AMD64, I386, RISCV64, S390X, M68K:
	default:
		least = 4
	}
	run := Addr(0)
	for run < zerosAround && p.zero(a+run) {
		run++
	}
	if run < least {
		return false
	}
	for n := Addr(1); run < zerosAround && n <= zerosAround && p.zero(a-n); n++ {
		run++
	}
	return run >= zerosAround
}

// zero reports whether a byte can be read and is zero.
func (p *Process) zero(a Addr) bool {
	b, err := p.Space.Slice(a, 1)
	return err == nil && b[0] == 0
}
