package minidump

import (
	"testing"

	"coredbg/core"
	"coredbg/core/minidump/minidumptest"
)

// TestSender: Crashpad puts the sender of a signal into its own field, and an invalid address is not
// taken for a sender. Dumps of other writers, which may leave the code out, do not say.
func TestSender(t *testing.T) {
	const user, tkill, mapped, timer = 0, 0xfffffffa, 1, 0xfffffffe
	both := core.Addr(1000)<<32 | 4321
	for _, c := range []struct {
		name     string
		number   uint32
		code     uint32
		addr     core.Addr
		info     []uint64
		crashpad bool
		pid, uid int // -1 if unknown
		hasAddr  bool
		codeName string
	}{
		{"a fault", 11, mapped, 0x10, nil, true, -1, -1, true, "SEGV_MAPERR"},
		{"kill -SEGV", 11, user, both, nil, true, 4321, 1000, false, "SI_USER"},
		{"kill -SEGV, of another writer", 11, user, both, nil, false, -1, -1, true, ""},
		{"kill -ABRT", 6, user, 0, []uint64{4321, 1000, 0}, true, 4321, 1000, false, "SI_USER"},
		{"abort", 6, tkill, 0, []uint64{4321, 1000, 0}, true, 4321, 1000, false, "SI_TKILL"},
		{"a timer", 14, user, 0, []uint64{4321, 1000, 0}, true, -1, -1, false, "SI_USER"},
		{"a timer's abort", 6, timer, 0, []uint64{4321, 1000, 0}, true, -1, -1, false, "SI_TIMER"},
		{"no parameters", 6, user, 0, nil, true, -1, -1, false, "SI_USER"},
	} {
		d := minidumptest.New(minidumptest.CPUAMD64, minidumptest.Linux).Died(1, c.number, c.code, c.addr,
			nil, c.info...)
		if c.crashpad {
			d.Crashpad(nil, 0, nil)
		}
		g := open(t, d.Bytes()).Signal
		if g == nil || g.HasSender != (c.pid >= 0) || g.HasSender && (g.PID != c.pid || g.UID != c.uid) ||
			g.HasAddr != c.hasAddr || g.CodeName != c.codeName {
			t.Errorf("%s: %+v", c.name, g)
		}
	}
}
