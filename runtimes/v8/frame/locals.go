package frame

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/walk"
)

// FrameValues are the values of one source-level frame.
type FrameValues struct {
	// Receiver is this; it and Args are what the caller pushed, or for inlined
	// calls what the deoptimizer knows.
	Receiver Local
	Args     []Local // without names
	More     int     // arguments left out
	Locals   []Local
}

// Values returns the values of the source-level frames that a machine frame stands for, in the order of Decode.
// The entry is nil for a frame without known values, such as an awaiting function.
func (dec *Decoder) Values(f *walk.Frame) []*FrameValues {
	a := dec.activationOf(f)
	switch {
	case a == nil && f.PC != 0:
		return nil
	case a != nil && a.suspended != nil:
		return []*FrameValues{a.suspended.values(dec)}
	case a == nil:
		a = &activation{v: dec, fp: f.FP}
	}
	p := a.place
	outer := &FrameValues{Receiver: Local{Missing: missingFrame}}
	if _, ok := dec.Word(f.FP); !ok {
		outer.Receiver.Missing = missingMemory
	}
	if args, err := dec.argumentsAt(f.FP, p); err == nil {
		outer.Receiver = Local{Slot: object.Slot{Word: args.Receiver}}
		outer.More = args.More
		for _, w := range args.Values {
			if _, ok := dec.InstanceType(w); ok && dec.internal(w) {
				continue // scripts are called with the options of their host, which no program sees
			}
			outer.Args = append(outer.Args, Local{Slot: object.Slot{Word: w}})
		}
	}
	w, ok := dec.Word(f.FP.Add(int64(dec.Layout.Frame.Function)))
	if !ok || !dec.IsFunction(dec.Full(w)) || a.marked() {
		return []*FrameValues{outer}
	}
	c := callsite.Call{Closure: dec.Full(w)}
	c.Shared, _ = dec.objects.ClosureShared(c.Closure)
	if p.Code != nil && (p.Code.Kind == dec.Layout.Code.KindMaglev || p.Code.Kind == dec.Layout.Code.KindTurbofan) {
		return a.optimisedValues(c, outer)
	}
	if bytecode, interpreted := a.bytecode(); bytecode != 0 && !(interpreted && a.replaced()) {
		position := -1
		switch {
		case interpreted:
			position = a.interpretedPosition(c.Shared, bytecode)
		case p.Code != nil:
			position = a.baselinePosition(c.Shared, bytecode)
		}
		outer.Locals = a.registers(bytecode, c.Shared, position)
		if ctx, ok := dec.Word(f.FP.Add(int64(dec.Layout.Frame.ContextOrType))); ok {
			outer.Locals = append(dec.contextLocals(dec.Full(ctx), c.Closure), outer.Locals...)
		}
	}
	return []*FrameValues{outer}
}

// marked reports whether the frame has a type marker in place of a context.
func (a *activation) marked() bool {
	w, ok := a.v.Word(a.fp.Add(int64(a.v.Layout.Frame.ContextOrType)))
	return !ok || w&1 == 0
}

// optimisedValues returns the values of all calls that an optimized frame stands for. outer has the values of
// the outermost call that are on the stack.
func (a *activation) optimisedValues(c callsite.Call, outer *FrameValues) []*FrameValues {
	frames := a.expand(c)
	out := make([]*FrameValues, len(frames))
	for i, f := range frames {
		var x *FrameValues
		if i == len(frames)-1 {
			x = outer
		}
		if t := f.values; t != nil {
			if x == nil {
				x = &FrameValues{Receiver: t.Parameters[0], Args: t.Parameters[1:]}
			}
			if t.context.Known() {
				x.Locals = a.v.contextLocals(t.context.Slot.Word, f.Closure)
			}
			x.Locals = append(x.Locals, a.v.named(t.Registers, f.Shared, f.position)...)
		}
		out[i] = x
	}
	return out
}

// named gives registers the names of the variables in them, if these are certain, and leaves out registers
// without a value that a program could see.
func (dec *Decoder) named(registers []Local, shared layout.Tagged, position int) []Local {
	var out []Local
	for i, l := range registers {
		if l.Missing == missingOptimised || l.Known() && !l.Slot.Raw && dec.internal(l.Slot.Word) {
			continue
		}
		if l.Name = dec.text.NameOf(shared, position, i); l.Name == "" {
			l.Name = fmt.Sprintf("r%d", i)
		}
		out = append(out, l)
	}
	return out
}

// internal reports whether a word is not a value of JavaScript: contexts, feedback and holes are in registers
// too.
func (dec *Decoder) internal(w layout.Tagged) bool {
	if w.IsSmi() {
		return false
	}
	typ, ok := dec.InstanceType(w)
	switch {
	case !ok:
		return true
	case typ >= dec.Types.FirstReceiver, typ < dec.Layout.String.FirstNonstringType, typ == dec.Types.HeapNumber,
		typ == dec.Types.Symbol:
		return false
	case typ == dec.Types.Oddball:
		s := dec.objects.Oddball(w)
		return s != "undefined" && s != "null" && s != "true" && s != "false"
	}
	return typ != dec.Types.BigInt
}

// registers reads the register file of a frame of the interpreter or of
// baseline code, below its fixed words (execution/frame-constants.h:
// InterpreterFrameConstants).
func (a *activation) registers(bytecode, shared layout.Tagged, position int) []Local {
	var all []Local
	for i := range a.registerWords(bytecode) {
		x := Local{}
		w, ok := a.v.Word(a.registerAt(i))
		x.Slot, x.Missing = tellMissing(object.Slot{Word: a.v.Full(w)}, ok)
		all = append(all, x)
	}
	return a.v.named(all, shared, position)
}

// registerAt returns where register i of such a frame is.
func (a *activation) registerAt(i int) core.Addr {
	return a.fp.Add(int64(8 * (a.v.objects.FirstRegister() - i)))
}

// registerWords returns the words of such a frame's registers; 0 for a word that the core does not have.
func (a *activation) registerWords(bytecode layout.Tagged) []layout.Tagged {
	out := make([]layout.Tagged, max(a.v.RegisterCount(bytecode), 0))
	for i := range out {
		w, _ := a.v.Word(a.registerAt(i))
		out[i] = a.v.Full(w)
	}
	return out
}

// contextLocals returns the variables in the contexts that the function made itself: from ctx outwards up to
// the context of its closure. If several have one name, the innermost counts.
func (dec *Decoder) contextLocals(ctx, closure layout.Tagged) []Local {
	end, ok := dec.Field(closure, dec.Layout.JSFunction.Context)
	if !ok {
		return nil
	}
	var out []Local
	seen := map[string]bool{}
	for range object.MaxContexts {
		if ctx == end || len(out) > maxLocals {
			break
		}
		c, err := dec.objects.Context(ctx)
		if err != nil || c.Native {
			break
		}
		for _, x := range c.Variables {
			if !seen[x.Name] {
				seen[x.Name] = true
				out = append(out, Local{Name: x.Name, Slot: x.Slot})
			}
		}
		if c.Previous == 0 {
			break
		}
		ctx = c.Previous
	}
	return out
}

// values returns the arguments and variables of a suspended call. The generator object has them while the
// call is off the stack: the declared parameters, then the registers (interpreter/interpreter-generator.cc:
// SuspendGenerator). It returns nil for a combinator.
func (x *suspension) values(dec *Decoder) *FrameValues {
	if x.generator == 0 {
		return nil
	}
	c, position := dec.call(x.generator)
	v := &FrameValues{Receiver: Local{Slot: object.Slot{Word: c.Receiver}}}
	if !c.HasReceiver {
		v.Receiver = Local{Missing: missingMemory}
	}
	saved, registers := x.saved(dec, &c)
	declared := len(saved) - registers
	v.Args = saved[:declared]
	v.Locals = dec.named(saved[declared:], c.Shared, position)
	if ctx, ok := dec.Field(x.generator, dec.Layout.JSGeneratorObject.Context); ok {
		v.Locals = append(dec.contextLocals(ctx, c.Closure), v.Locals...)
	}
	return v
}

// saved returns the parameters and registers that a generator object keeps, and the number of registers among them.
func (x *suspension) saved(dec *Decoder, c *callsite.Call) (all []Local, registers int) {
	array, ok := dec.Field(x.generator, dec.Layout.JSGeneratorObject.Saved)
	if !ok {
		return nil, 0
	}
	_, n, err := dec.objects.FixedArray(array)
	bytecode, ok := dec.objects.BytecodeOf(c.Shared)
	if registers = dec.RegisterCount(bytecode); err != nil || !ok || registers < 0 || n < registers ||
		n-registers > maxArguments {
		return nil, 0
	}
	all = make([]Local, n)
	for i := range all {
		w, ok := dec.Field(array, dec.Layout.FixedArray.Data+dec.Slots(i))
		all[i].Slot, all[i].Missing = tellMissing(object.Slot{Word: w}, ok)
	}
	return all, registers
}
