package deno

import (
	"context"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/machine"
)

// Rust keeps each pending op as a future of its own type, and refers to it by a fat pointer: the
// address of the future and the address of a table of its methods. One of the methods returns the op's
// number and its promise's number (core/runtime/op_driver/future_arena.rs: ContextFuture::context).
// Only its code knows the result for a future; the place of the numbers differs from op to op.

// Limits for methods that are run.
const (
	tableHeader   = 3 // words: drop, size, align
	maxMethods    = 6 // of a future
	accessorSteps = 24
	maxFuture     = 1 << 20 // bytes
)

// pendingOps returns the names of the asynchronous ops for the promises whose numbers are
// given: several for one promise if memory has several.
func (dr *Reader) pendingOps(ctx context.Context, ops *opContexts, ids map[int32]bool,
	async map[string]bool) map[int32][]string {
	out := map[int32][]string{}
	m := machine.For(dr.Process, accessorSteps, false)
	if m == nil {
		return out
	}
	tables := map[core.Addr][]core.Addr{}
	dr.eachFatPointer(ctx, func(data, table core.Addr) {
		methods, known := tables[table]
		if !known {
			methods = dr.methodsOf(table)
			tables[table] = methods
		}
		for i := 0; i < len(methods); i++ {
			promise, op, ok := numbersOf(m, methods[i], data)
			if !ok { // what is looked for branches nowhere, and does not fail
				methods = slices.Delete(methods, i, i+1)
				tables[table] = methods
				i--
				continue
			}
			if !ids[promise] {
				continue
			}
			if name, err := dr.opName(ops, op); err == nil && async[name] && !slices.Contains(out[promise], name) {
				out[promise] = append(out[promise], name)
			}
		}
	})
	return out
}

// numbersOf runs a method of a future. It returns a PendingOpInfo: two numbers, each in a
// register, or both in one.
func numbersOf(m machine.Runner, fn, data core.Addr) (promise int32, op uint16, ok bool) {
	r, err := m.Call(fn, uint64(data))
	if err != nil || !r.Known {
		return 0, 0, false
	}
	if s := m.Second(); s.Known {
		return int32(r.N), uint16(s.N), true
	}
	return int32(r.N), uint16(r.N >> 32), true
}
