package machine_test

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/machine"
)

const (
	codeAt core.Addr = 0x400000
	dataAt core.Addr = 0x600000
)

// memory lays out code and words of data.
func memory(code []byte, words ...uint64) *core.Space {
	data := make([]byte, 4096)
	for i, w := range words {
		binary.LittleEndian.PutUint64(data[8*i:], w)
	}
	page := make([]byte, 4096)
	copy(page, code)
	return core.NewSpace([]core.Segment{
		{Start: codeAt, End: codeAt + 4096, Kind: core.SegCore, Src: core.Bytes(page)},
		{Start: dataAt, End: dataAt + 4096, Kind: core.SegCore, Src: core.Bytes(data)},
	}, nil)
}

// The code comes from the assembler as; its results follow from the Intel SDM.
var functions = []struct {
	name string
	code string
	args []uint64
	want uint64
}{
	{"mov 8(%rdi),%rax; ret", "\x48\x8b\x47\x08\xc3", []uint64{uint64(dataAt)}, 22},
	{"lea (%rdi,%rdi,2),%rax; add %rsi,%rax; ret", "\x48\x8d\x04\x7f\x48\x01\xf0\xc3", []uint64{5, 7}, 22},
	{"mov -8(%rdi),%rax; ret, 32 bits", "\x48\x8b\x87\xf8\xff\xff\xff\xc3", []uint64{uint64(dataAt) + 16}, 22},
	{"xor %eax,%eax; 1: add %rdi,%rax; dec %rdi; jne 1b; ret", "\x31\xc0\x48\x01\xf8\x48\xff\xcf\x75\xf8\xc3",
		[]uint64{10}, 55},
	{"push %rbx; mov %rdi,%rbx; call f; add %rbx,%rax; pop %rbx; ret; f: mov $3,%eax; ret",
		"\x53\x48\x89\xfb\xe8\x05\x00\x00\x00\x48\x01\xd8\x5b\xc3\xb8\x03\x00\x00\x00\xc3", []uint64{4}, 7},
	{"mov $-1,%eax; movslq %eax,%rax; ret", "\xb8\xff\xff\xff\xff\x48\x63\xc0\xc3", nil, ^uint64(0)},
	{"cmp %rsi,%rdi; cmovae %rdi,%rsi; mov %rsi,%rax; ret", "\x48\x39\xf7\x48\x0f\x43\xf7\x48\x89\xf0\xc3",
		[]uint64{9, 3}, 9},
	{"cmp $5,%edi; setl %al; movzbl %al,%eax; ret", "\x83\xff\x05\x0f\x9c\xc0\x0f\xb6\xc0\xc3",
		[]uint64{0xffffffff}, 1},
	{"imul $7,%rdi,%rax; shl $2,%rax; sar $1,%rax; ret", "\x48\x6b\xc7\x07\x48\xc1\xe0\x02\x48\xd1\xf8\xc3",
		[]uint64{3}, 42},
	{"mov (%rdi),%eax; lock xadd %esi,(%rdi); add (%rdi),%eax; ret",
		"\x8b\x07\xf0\x0f\xc1\x37\x03\x07\xc3", []uint64{uint64(dataAt), 5}, 11 + 16},
	{"movq %rdi,%xmm0; punpcklqdq %xmm0,%xmm0; movups %xmm0,-24(%rsp); mov -16(%rsp),%rax; ret",
		"\x66\x48\x0f\x6e\xc7\x66\x0f\x6c\xc0\x0f\x11\x44\x24\xe8\x48\x8b\x44\x24\xf0\xc3", []uint64{77}, 77},
}

func TestFunctions(t *testing.T) {
	for _, f := range functions {
		m := machine.New(memory([]byte(f.code), 11, 22), 0)
		got, err := m.Call(codeAt, f.args...)
		if err != nil || !got.Known || got.N != f.want {
			t.Errorf("%s: %d, known: %t, %v, want %d", f.name, got.N, got.Known, err, f.want)
		}
	}
}

// TestUnknown: what depends on memory that the core lacks is unknown, and a
// callee that goes wrong leaves nothing behind.
func TestUnknown(t *testing.T) {
	// mov (%rdi),%rax; add $1,%rax; ret
	m := machine.New(memory([]byte("\x48\x8b\x07\x48\x83\xc0\x01\xc3")), 0)
	if got, err := m.Call(codeAt, 0x1000); err != nil || got.Known {
		t.Errorf("%+v, %v, want unknown", got, err)
	}
	// push %rbx; mov %rdi,%rbx; call f; mov %rbx,%rax; pop %rbx; ret;
	// f: movq $1,(%rdi); mov $0x1000,%ebx; cmp $0,(%rbx); je f; ret
	code := "\x53\x48\x89\xfb\xe8\x05\x00\x00\x00\x48\x89\xd8\x5b\xc3" +
		"\x48\xc7\x07\x01\x00\x00\x00\xbb\x00\x10\x00\x00\x48\x83\x3b\x00\x74\xee\xc3"
	m = machine.New(memory([]byte(code), 11), 0)
	var lost []core.Addr
	m.Lost = func(fn core.Addr, _ error) { lost = append(lost, fn) }
	got, err := m.Call(codeAt, uint64(dataAt))
	if err != nil || !got.Known || got.N != uint64(dataAt) || len(lost) != 1 || lost[0] != codeAt+14 {
		t.Errorf("%+v, %v, lost %v", got, err, lost)
	}
	if x := m.Load(dataAt, 8); !x.Known || x.N != 11 {
		t.Errorf("what a function wrote that was not followed stayed: %+v", x)
	}
}

// TestEndless: jmp to itself ends.
func TestEndless(t *testing.T) {
	m := machine.New(memory([]byte("\xeb\xfe")), 0)
	if _, err := m.Call(codeAt); err == nil {
		t.Error("no error")
	}
	// f: call f
	m = machine.New(memory([]byte("\xe8\xfb\xff\xff\xff")), 0)
	if _, err := m.Call(codeAt); err == nil {
		t.Error("no error for endless recursion")
	}
}

// FuzzCall runs random bytes.
func FuzzCall(f *testing.F) {
	for _, x := range functions {
		f.Add([]byte(x.code), uint64(dataAt))
	}
	f.Fuzz(func(t *testing.T, code []byte, arg uint64) {
		m := machine.New(memory(code, 1, 2, uint64(dataAt)), codeAt)
		m.MaxSteps = 1 << 12
		_, _ = m.Call(codeAt, arg, arg)
	})
}
