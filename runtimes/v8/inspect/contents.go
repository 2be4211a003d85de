package inspect

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// date decodes a JSDate. Its value is a reference to a number, or since V8 12.9
// a double in place; where the version does not say, the bits do: a
// reference is odd, and a Smi has nothing in its lower half.
func (b *tree) date(x *Value) {
	r := b.v
	at := r.Layout.JSDate.Value
	bits, ok := r.Word(x.Word.Addr().Add(int64(at)))
	if !ok || at == layout.Unknown {
		x.fail(r.Fault(x.Word, at))
		return
	}
	if raw := r.Layout.JSDate.Raw == 1; !raw {
		w, _ := r.Field(x.Word, at)
		if f, ok := r.Number(w); ok {
			x.Number = f
			return
		}
		if r.objects.OddballKind(w) == object.KindUndefined {
			x.Number = math.NaN()
			return
		}
	}
	x.Number = math.Float64frombits(bits)
}

// regExpFlags are the letters of JSRegExp::Flag by bit, in the order of the property "flags";
// objects/js-regexp.tq.
var regExpFlags = []struct {
	bit    uint
	letter byte
}{{7, 'd'}, {0, 'g'}, {1, 'i'}, {6, 'l'}, {2, 'm'}, {5, 's'}, {4, 'u'}, {8, 'v'}, {3, 'y'}}

func (b *tree) regexp(x *Value) {
	r := b.v
	at := r.Layout.JSRegExp.Source
	source, ok := r.Field(x.Word, at)
	if data := r.Layout.JSRegExp.Data; data != layout.Unknown {
		// JSRegExp: data, flags. RegExpData: type_tag, original_source, escaped_source
		// (objects/js-regexp.h @ 15.0).
		at = data
		d, _ := r.TrustedField(x.Word, data)
		source, ok = r.Field(d, r.OwnHandle()+r.Slots(3))
	}
	if !ok || !r.objects.IsString(source) {
		x.fail(errors.New("corrupt: RegExp without a source"))
		return
	}
	x.Text, _ = r.objects.String(source, b.o.MaxString)
	flags, ok := r.SmiField(x.Word, at+r.Slots(1))
	if !ok {
		x.fail(errors.New("corrupt: RegExp without flags"))
		return
	}
	var s strings.Builder
	for _, f := range regExpFlags {
		if flags>>f.bit&1 == 1 {
			s.WriteByte(f.letter)
		}
	}
	x.Flags = s.String()
}

// err decodes what is special of an error: its stack and message.
func (b *tree) err(x *Value, depth int) {
	r := b.v
	x.Name, x.nameKind = r.objects.ErrorProperty(x.Word, "name")
	x.Message, x.messageKind = r.objects.ErrorProperty(x.Word, "message")
	stack, err := r.sites.ErrorStack(x.Word)
	if err != nil {
		x.fail(err)
	}
	x.Text = stack
	if x.Name == "" && x.nameKind == object.KindInternal {
		x.Name = object.NameInStack(stack)
	}
	if t := r.sites.StackValue(x.Word); t != 0 && !r.objects.IsString(t) && r.objects.OddballKind(t) == "" {
		x.stack = b.slot(object.Slot{Word: t}, depth+1)
	}
}

func (b *tree) collection(x *Value, depth int) {
	r := b.v
	table, ok := r.Field(x.Word, r.Layout.JSCollection.Table)
	if !ok {
		x.fail(r.Fault(x.Word, r.Layout.JSCollection.Table))
		return
	}
	limit := 0
	if x.Opened {
		limit = b.o.MaxArray
	}
	var list []object.Entry
	var err error
	values := true
	switch x.Kind {
	case object.KindMap:
		list, x.MoreEntries, err = r.objects.OrderedEntries(table, true, 0, limit)
	case object.KindSet:
		values = false
		list, x.MoreEntries, err = r.objects.OrderedEntries(table, false, 0, limit)
	case object.KindWeakMap:
		list, x.MoreEntries, err = r.objects.WeakEntries(table, limit)
	case object.KindWeakSet:
		values = false
		list, x.MoreEntries, err = r.objects.WeakEntries(table, limit)
	default:
		list, values, err = b.iterated(x, limit)
	}
	if err != nil {
		x.fail(err)
	}
	x.Length = uint64(len(list) + x.MoreEntries)
	for i, e := range list {
		if b.left <= 1 { // for a key and a value
			x.MoreEntries += len(list) - i
			break
		}
		m := Entry{Key: b.slot(object.Slot{Word: e.Key}, depth+1)}
		if values {
			m.Value = b.slot(object.Slot{Word: e.Value}, depth+1)
		}
		x.Entries = append(x.Entries, m)
	}
}

// iterated returns the remaining values of an iterator over a Map or Set. Only its instance type says whether
// it returns keys, values or both (objects/objects-definitions.h has KEY, KEY_VALUE, VALUE for maps and
// KEY_VALUE, VALUE for sets, in this order).
func (b *tree) iterated(x *Value, limit int) (list []object.Entry, both bool, err error) {
	r := b.v
	table, index, done, err := r.objects.IteratorPlace(x.Word)
	if err != nil || done {
		return nil, false, err
	}
	isMap := x.Kind == object.KindMapIterator
	list, x.MoreEntries, err = r.objects.OrderedEntries(table, isMap, index, limit)
	typ, _ := r.InstanceType(x.Word)
	what := r.objects.IteratorForm(x.Word, typ, isMap)
	x.KeyValue = what == object.IteratesBoth
	for i := range list {
		e := &list[i]
		switch {
		case what == object.IteratesValues && isMap:
			e.Key = e.Value
		case what == object.IteratesBoth && !isMap:
			e.Value = e.Key
		}
	}
	return list, x.KeyValue, err
}

func (b *tree) promise(x *Value, depth int) {
	state, result, err := b.v.objects.Promise(x.Word)
	if err != nil {
		x.fail(err)
		return
	}
	x.State = string(state)
	if state != object.PromisePending && x.Opened {
		x.Inner = b.slot(object.Slot{Word: result}, depth+1)
	}
}

// generator decodes where a generator is suspended: the statement that yields, or
// the function if it did not begin.
func (b *tree) generator(x *Value) {
	r, l := b.v, &b.v.Layout.JSGeneratorObject
	fn, ok1 := r.Field(x.Word, l.Function)
	continuation, ok2 := r.SmiField(x.Word, l.Continuation)
	shared, ok3 := r.objects.ClosureShared(fn)
	if !ok1 || !ok2 || !ok3 {
		x.fail(fmt.Errorf("corrupt: generator %v without a function", core.Addr(x.Word)))
		return
	}
	x.Function = r.objects.FunctionNameOf(fn)
	loc := r.objects.PlaceOf(shared)
	switch {
	case continuation >= 0:
		x.State = "suspended"
		if bytecode, ok := r.objects.BytecodeOf(shared); ok {
			if off, ok := r.SmiField(x.Word, l.Offset); ok && off > 0 {
				if pos, ok := r.objects.PositionIn(shared, bytecode, off-(r.Layout.BytecodeArray.Data-1)); ok {
					f, _ := r.objects.SharedInfo(shared)
					loc = r.objects.LocateOriginal(f.Script, pos)
				}
			}
		}
	case continuation == -2:
		x.State = "running"
	default:
		x.State = "closed"
	}
	x.File, x.Line = loc.File, loc.Line
}
