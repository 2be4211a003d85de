package amend

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// TestBytecodeFields: constants, handlers and positions are found in the orders that V8 has had them in.
func TestBytecodeFields(t *testing.T) {
	for _, c := range []struct {
		name                           string
		order                          string // of the fields from 16 on: wrapper, positions, handlers, constants
		functions                      int
		positions, handlers, constants int
	}{
		{"as the table has it", "wphc", 4, 24, 32, 40},
		{"V8 12.1", "chwp", 4, 40, 24, 16},
		{"V8 12.2", "hcwp", 4, 40, 16, 24},
		{"no constants", "wphw", 4, 24, 32, 40},
		{"no handlers", "cwwp", 4, 24, 32, 40},
		{"too few functions", "chwp", 2, 24, 32, 40},
	} {
		h, list := withFunctions(t)
		for _, f := range list[:c.functions] {
			for i, what := range c.order {
				o := map[rune]func() layout.Tagged{
					'w': func() layout.Tagged { return h.Object("ACCESSOR_PAIR", 0) },
					'p': func() layout.Tagged { return h.Object("TRUSTED_BYTE_ARRAY", v8test.Smi(8), 0) },
					'h': func() layout.Tagged { return h.Object("TRUSTED_BYTE_ARRAY", 0) },
					'c': func() layout.Tagged { return h.Object("FIXED_ARRAY", 0) },
				}[what]()
				h.Put(f.Bytecode.Addr()+16+8*core.Addr(i), uint64(o))
			}
		}
		v := buildOf(h, list[:c.functions])
		l := &v.Layout.BytecodeArray
		if v.BytecodeFields(); l.Positions != c.positions || l.HandlerTable != c.handlers ||
			l.ConstantPool != c.constants {
			t.Errorf("%s: positions at %d, handlers at %d, constants at %d; want %d, %d, %d", c.name, l.Positions,
				l.HandlerTable, l.ConstantPool, c.positions, c.handlers, c.constants)
		}
	}
}
