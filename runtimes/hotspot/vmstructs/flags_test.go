package vmstructs

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestFlags: two flags in an array of entries of 24 bytes, {value, name, rest} as JDK 17 has them.
func TestFlags(t *testing.T) {
	b := coretest.New(core.AMD64)
	b.Map(textAt, []byte("UseOops\x00\x00\x00\x00\x00\x00\x00\x00\x00Limit\x00"))
	b.Words(tablesAt, valuesAt, textAt, 0, valuesAt+8, textAt+0x10, 0)
	b.Words(valuesAt, 0xff01, 1<<40, tablesAt, 2)
	tables := &Tables{Process: b.Process(), sizes: map[string]int64{"JVMFlag": 24}, fields: map[string]Field{
		"JVMFlag.flags": {Static: true, Addr: valuesAt + 16}, "JVMFlag.numFlags": {Static: true, Addr: valuesAt + 24},
		"JVMFlag._name": {Offset: 8}, "JVMFlag._addr": {},
		"Base._count": {Static: true, Type: "int", Addr: valuesAt + 24}}}
	if on, ok := tables.Flag("UseOops"); !on || !ok {
		t.Errorf("UseOops is %v, %v", on, ok)
	}
	if v, ok := tables.FlagValue("Limit"); v != 1<<40 || !ok {
		t.Errorf("Limit is %d, %v", v, ok)
	}
	if _, ok := tables.Flag("Limitless"); ok {
		t.Error("a flag that is not there is known")
	}
	if v, ok := tables.Value("Gone._count", "Base._count"); v != 2 || !ok {
		t.Errorf("the count is %d, %v", v, ok)
	}
}
