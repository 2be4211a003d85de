package binding

import (
	"math"
	"math/bits"
	"net/netip"
	"slices"
	"testing"
)

// newHistogram returns a histogram of three digits, as createHistogram makes it, of values.
func newHistogram(values ...int64) *histogram {
	h := &histogram{halfMagnitude: 10, half: 1 << 10, mask: 1<<11 - 1, min: math.MaxInt64,
		counts: make([]int64, 55<<10)}
	for _, v := range values {
		bucket := 64 - bits.LeadingZeros64(uint64(v|h.mask)) - 11
		h.counts[int64(bucket+1)<<10+v>>bucket-h.half]++
		h.total++
		h.min, h.max = min(h.min, v), max(h.max, v)
	}
	return h
}

// TestHistogram compares numbers of a histogram with those that Node 26.10 printed for it.
func TestHistogram(t *testing.T) {
	var values []int64
	for i := range int64(99) {
		values = append(values, (i+1)*(i+1)*37)
	}
	h := newHistogram(values...)
	for _, x := range []struct {
		name      string
		got, want float64
	}{
		{"min", float64(h.least()), 37}, {"max", float64(h.highest(h.max)), 362751},
		{"mean", h.mean(), 122720.07070707071},
		{"stddev", h.stddev(), 109137.21553481182}, {"skewness", h.skewness(), 0.6333280602933744},
		{"kurtosis", h.kurtosis(), -0.8634963181699886},
	} {
		if x.got != x.want {
			t.Errorf("%s is %v, want %v", x.name, x.got, x.want)
		}
	}
	want := [][2]float64{{0, 37}, {50, 92480}, {75, 208000}, {87.5, 279808}, {93.75, 320000}, {96.875, 340992},
		{98.4375, 355328},
		{99.21875, 362496}, {100, 362496}}
	if got := h.percentiles(); !slices.Equal(got, want) {
		t.Errorf("percentiles are %v, want %v", got, want)
	}
	none := newHistogram()
	if got := none.percentiles(); !slices.Equal(got, [][2]float64{{100, 0}}) || none.least() != math.MaxInt64 ||
		!math.IsNaN(none.mean()) || none.skewness() != 0 {
		t.Errorf("of no values: percentiles %v, min %d, mean %v", got, none.least(), none.mean())
	}
}

// TestAddressText compares addresses with what uv_inet_ntop writes, as net.BlockList of Node 26
// printed them.
func TestAddressText(t *testing.T) {
	for ip, want := range map[string]string{
		"1.2.3.4": "IPv4 1.2.3.4", "::1:2": "IPv6 ::0.1.0.2", "fe80::": "IPv6 fe80::",
		"::ffff:5.6.7.8": "IPv6 ::ffff:5.6.7.8", "::1": "IPv6 ::1", "::": "IPv6 ::",
		"2001:db8:0:1::1": "IPv6 2001:db8:0:1::1",
	} {
		if got := (sockaddr{ip: netip.MustParseAddr(ip)}).String(); got != want {
			t.Errorf("%s is %q, want %q", ip, got, want)
		}
	}
}
