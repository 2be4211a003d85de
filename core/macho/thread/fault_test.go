package thread

import "testing"

// TestFaults has values of the Intel SDM (table 6-1, page-fault error code) and of
// the Arm ARM (ESR_EL1).
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		f      *Fault
		mapped bool
		want   string
	}{
		{faultX86(14, 4, 0x10), false, "SIGSEGV read of an address that is not mapped"},
		{faultX86(14, 7, 0x10), true, "SIGBUS write of memory that does not allow it"},
		{faultX86(14, 0x15, 0x10), true, "SIGBUS execute of memory that does not allow it"},
		{faultX86(6, 0, 0), false, "SIGILL invalid opcode"},
		{faultX86(3, 0, 0), false, "SIGTRAP breakpoint instruction"},
		{faultX86(133, 0, 0), false, ""},
		{faultARM64(0x92000046, 0), false, "SIGSEGV write of an address that is not mapped"},
		{faultARM64(0x92000006, 0), false, "SIGSEGV read of an address that is not mapped"},
		{faultARM64(0x82000006, 0), false, "SIGSEGV execute of an address that is not mapped"},
		{faultARM64(0xf2000001, 0), false, "SIGTRAP brk instruction 0x1"},
		{faultARM64(0x56000080, 0), false, ""},
	} {
		got := ""
		if c.f != nil {
			s := c.f.Signal(c.mapped)
			got = s.Name + " " + s.CodeText
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
