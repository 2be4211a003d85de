package object

import (
	"errors"
	"fmt"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
)

// A BytecodeReader reads bytecode and the places in scripts that it stands for.
type BytecodeReader struct {
	Scripts
	*code.Reader

	sizes    sizesOnce
	bytecode bytecodesOnce
}

// BytecodeArray is a function's code for the interpreter with all its tables.
type BytecodeArray struct {
	Word      layout.Tagged
	Function  layout.Tagged // the SharedFunctionInfo; 0 if the array was asked for alone
	Name      string
	Script    layout.Tagged
	Start     core.Addr // of the first bytecode
	Length    int       // bytes
	Params    int       // with the receiver; 0 if unknown
	Registers int
	FrameSize int // bytes
	// Bytecodes are the bytecodes before the first that cannot be decoded.
	// Problem says what is wrong with it.
	Bytecodes []bytecode.Bytecode
	Problem   error
	Constants []layout.Tagged
	Handlers  []Handler
	Positions []BytecodePosition
	// Assumed is set if the numbers of bytecodes belong to another version
	// than the core's.
	Assumed *layout.Version
}

// A Handler is an entry of the handler table: the range of a try block and the
// code that catches.
type Handler struct {
	Start, End int // offsets of bytecodes
	Handler    int
	Prediction int // HandlerTable::CatchPrediction
	Register   int // that keeps the context
}

// A BytecodePosition says which place in the script a bytecode was made for.
type BytecodePosition struct {
	Offset    int  // of the bytecode
	Position  int  // in the script
	Statement bool // else an expression
	Line      int  // from 1; 0 if unknown
	Column    int
}

// bytecodesOnce is the set of bytecodes of the process, chosen once.
type bytecodesOnce struct {
	once    sync.Once
	set     *bytecode.Set
	assumed bool
}

// sizesOnce is V8's table of bytecode sizes, or why it is not known, read once.
type sizesOnce struct {
	once  sync.Once
	table []byte
	err   error
}

// bytecodeSet returns the bytecodes of the core's version. A version between
// the known ones takes the nearest set with the lengths in V8's own table.
// Without that table, or if no set fits, the nearest older one is assumed.
func (r *BytecodeReader) bytecodeSet() (*bytecode.Set, bool) {
	b := &r.bytecode
	b.once.Do(func() {
		sets := bytecode.Sets()
		at := bytecode.Nearest(sets, r.Layout.Version)
		b.set = sets[at]
		sizes, err := r.bytecodeSizes()
		if err != nil {
			b.assumed = r.Uncertain()
			return
		}
		for d := range len(sets) {
			for _, i := range []int{at - d, at + d} {
				if i >= 0 && i < len(sets) && sets[i].Fits(sizes) {
					b.set = sets[i]
					return
				}
			}
		}
		if s, ok := bytecode.FromTable(r.Image.Constants.Values, r.Layout.Version, sizes); ok {
			b.set = s
			return
		}
		b.assumed = true
		if s, ok := bytecode.OfSizes(sizes, r.Layout.Version); ok {
			b.set = s
		}
	})
	return b.set, b.assumed
}

// maxConstants bounds the constant pool and the handler table of one function.
const maxConstants = 1 << 20

// BytecodeArray decodes the bytecodes of o: a BytecodeArray, or a function as
// JSFunction or SharedFunctionInfo. It fails if there are none; what is wrong
// with a part only costs that part.
func (r *Functions) BytecodeArray(o layout.Tagged) (*BytecodeArray, error) {
	a := &BytecodeArray{Word: o}
	if s, ok := r.ClosureShared(o); ok {
		o = s
	}
	if r.IsSharedFunctionInfo(o) {
		w, ok := r.BytecodeOf(o)
		if !ok {
			return nil, fmt.Errorf("v8: function %v has no bytecode: it was not compiled, or is not written in JavaScript", core.Addr(o))
		}
		f, _ := r.SharedInfo(o)
		a.Word, a.Function, a.Script, a.Name = w, o, f.Script, r.SharedName(o)
	}
	if !r.Is(a.Word, r.Types.BytecodeArray) {
		return nil, fmt.Errorf("v8: %v is neither a BytecodeArray nor a function", core.Addr(o))
	}
	l := &r.Layout.BytecodeArray
	code, ok := r.bytecodes(a.Word)
	if !ok {
		return nil, fmt.Errorf("v8: %v: its bytecodes are not in the core", core.Addr(a.Word))
	}
	a.Start, a.Length = a.Word.Addr().Add(int64(l.Data)), len(code)
	if n, ok := r.U32Field(a.Word, l.FrameSize); ok {
		a.FrameSize, a.Registers = int(n), int(n/8)
	}
	a.Params = r.BytecodeParams(a.Word)
	a.Constants = r.tagged(a.Word, l.ConstantPool)
	a.Handlers = r.handlers(a.Word)
	a.positions(r)
	set, assumed := r.bytecodeSet()
	if assumed {
		a.Assumed = &set.Version
	}
	d := &bytecode.Decoder{Set: set, Code: code, Registers: r.RegistersOf(a.Params), Constant: a.constant,
		Runtime: r.runtimeName}
	a.Bytecodes, a.Problem = d.All()
	return a, nil
}

func (a *BytecodeArray) constant(i int64) (layout.Tagged, bool) {
	if i < 0 || i >= int64(len(a.Constants)) {
		return 0, false
	}
	return a.Constants[i], true
}

// FirstRegister returns where the first register is, in words from the frame pointer: one word
// below the bytecode offset, or below the feedback vector where frames have one
// (execution/frame-constants.h: kRegisterFileFromFp).
func (r *BytecodeReader) FirstRegister() int {
	first := r.Layout.Frame.BytecodeOffset/8 - 1
	if r.Layout.Frame.FeedbackVector == 1 {
		first--
	}
	return first
}

// RegistersOf returns the numbering of the registers of a function with params parameters.
func (r *BytecodeReader) RegistersOf(params int) bytecode.Registers {
	return bytecode.Registers{File: r.FirstRegister(), Params: params, ReceiverFirst: r.Layout.Frame.ReceiverFirst == 1}
}

// BytecodeParams returns the number of parameters with the receiver. V8 keeps
// it as bytes until 12, as a number of 16 bits later.
func (r *BytecodeReader) BytecodeParams(a layout.Tagged) int {
	l := &r.Layout.BytecodeArray
	if l.ParameterWords == 1 {
		n, _ := r.U16(a.Addr().Add(int64(l.ParameterSize)))
		return int(n)
	}
	n, ok := r.U32Field(a, l.ParameterSize)
	if !ok || n > 8<<16 {
		return 0
	}
	return int(n / 8)
}

// tagged reads the elements of the array of tagged words in a field.
func (r *BytecodeReader) tagged(o layout.Tagged, off int) []layout.Tagged {
	arr, ok := r.ProtectedField(o, off)
	if !ok || !r.TypeNamed(arr, "FIXED_ARRAY") {
		return nil
	}
	n, ok := r.ArrayLength(arr)
	if !ok || n <= 0 || n > maxConstants {
		return nil
	}
	return r.taggedList(arr.Addr().Add(int64(r.Layout.FixedArray.Data)), n)
}

// handlers reads the handler table: four words of 32 bits an entry, start, end,
// the handler with flags below it, and a register (codegen/handler-table.h).
func (r *BytecodeReader) handlers(a layout.Tagged) []Handler {
	t, ok := r.ProtectedField(a, r.Layout.BytecodeArray.HandlerTable)
	if !ok {
		return nil
	}
	b, ok := r.ByteArray(t, 16*maxConstants)
	if !ok {
		return nil
	}
	// Three bits of prediction; one more from V8 12.8 on says that the handler
	// was used.
	shift := 3
	if r.Layout.BytecodeArray.HandlerUsed == 1 {
		shift = 4
	}
	var out []Handler
	for ; len(b) >= 16; b = b[16:] {
		word := func(i int) int { return int(int32(r.Order.Uint32(b[4*i:]))) }
		out = append(out, Handler{word(0), word(1), int(uint32(word(2)) >> shift), word(2) & 7, word(3)})
	}
	return out
}

// positions fills in the source position table, with lines if the script is
// known.
func (a *BytecodeArray) positions(r *Functions) {
	t, ok := r.ProtectedField(a.Word, r.Layout.BytecodeArray.Positions)
	if !ok {
		return
	}
	table, ok := r.ByteArray(t, bytecode.MaxTable)
	if !ok {
		return
	}
	enc := r.PositionEncoding(r.Layout.Frame.FirstCodeOffset)
	entries, _ := bytecode.DecodePositions(table, enc)
	kinds := positionKinds(table, enc)
	for i, e := range entries {
		p := BytecodePosition{Offset: e.Code, Position: e.Source.Offset(), Statement: i < len(kinds) && kinds[i]}
		if a.Script != 0 {
			loc := r.Locate(a.Script, p.Position)
			p.Line, p.Column = loc.Line, loc.Column
		}
		a.Positions = append(a.Positions, p)
	}
}

// positionKinds says for each entry of a source position table whether it is
// of a statement.
func positionKinds(table []byte, enc bytecode.PositionEncoding) []bool {
	var out []bool
	for len(table) > 0 {
		raw, rest, err := bytecode.ULEB(table)
		if err != nil {
			return out
		}
		if _, table, err = bytecode.ULEB(rest); err != nil {
			return out
		}
		if enc.Flags > 0 {
			out = append(out, raw&1 == 1)
		} else {
			out = append(out, bytecode.Zigzag(raw) >= 0)
		}
	}
	return out
}

// Runtime::Function (runtime/runtime.h): the id, the type, the name, the entry,
// and counts.
const (
	symIntrinsics   = "_ZN2v88internalL19kIntrinsicFunctionsE"
	intrinsicBytes  = 32
	intrinsicName   = 8
	maxRuntimeName  = 128
	maxRuntimeCount = 1 << 12
)

// runtimeName returns the name of a runtime function by its number, from V8's
// own table in the image; "" if that has no symbol.
func (r *BytecodeReader) runtimeName(id uint32) string {
	s, ok := r.Symbols.Find(r.Image.Module.Path, symIntrinsics)
	if !ok || id >= maxRuntimeCount || s.Size != 0 && uint64(id+1)*intrinsicBytes > s.Size {
		return ""
	}
	at := s.Addr + core.Addr(id*intrinsicBytes)
	if n, ok := r.U32(at); !ok || n != id {
		return ""
	}
	text, ok := r.Word(at + intrinsicName)
	if !ok {
		return ""
	}
	c := r.Process.Cursor()
	name := c.CString(core.Addr(text), maxRuntimeName)
	if c.Err() != nil || !layout.Printable(name) {
		return ""
	}
	return name
}

// errOffset is the error of addresses outside of all bytecodes.
var errOffset = errors.New("v8: no bytecode at this offset")

// BytecodeAt returns the bytecode of a at an address, which may be inside it.
func (a *BytecodeArray) BytecodeAt(at core.Addr) (*bytecode.Bytecode, error) {
	for i := range a.Bytecodes {
		b := &a.Bytecodes[i]
		if start := a.Start + core.Addr(b.Offset); at >= start && at < start+core.Addr(len(b.Bytes)) {
			return b, nil
		}
	}
	return nil, errOffset
}
