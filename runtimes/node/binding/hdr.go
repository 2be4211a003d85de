package binding

import (
	"encoding/binary"
	"math"
	"math/bits"

	"coredbg/core"
	"coredbg/runtimes/node/cxx"
	"coredbg/runtimes/v8/layout"
)

// Histograms of perf_hooks keep what they counted in a hdr_histogram of C
// (deps/histogram/include/hdr/hdr_histogram.h), which a node::Histogram has.

var vtHistogram = cxx.VTable("9Histogram")

// maxCounts bounds the counts of a histogram: with five digits of all values of 64 bits there are
// 6 million.
const maxCounts = 1 << 23

// A histogram is a hdr_histogram, and how many values were beyond it.
type histogram struct {
	unit, halfMagnitude int
	half, mask          int64
	min, max, total     int64
	exceeds             uint64
	counts              []int64
}

// histogramOf reads the histogram of an object of JavaScript. Its numbers follow from one another,
// and their sum is known: one that does not fit is not taken.
func (f *Functions) histogramOf(o layout.Tagged) (*histogram, bool) {
	base, ok := f.loops.BaseOf(o)
	if !ok {
		return nil, false
	}
	a, ok := f.cxx.Member(base, vtHistogram)
	if !ok {
		return nil, false
	}
	// histogram_ and exceeds_: src/histogram.h. The time of the last value came to lie between
	// them when histograms began to say how many values they have.
	const pointer = 8
	exceeds := core.Addr(16)
	if f.countsValues() {
		exceeds = 24
	}
	at, ok := f.Word(a + pointer)
	if !ok || at == 0 || at&7 != 0 {
		return nil, false
	}
	b, err := core.ReadBytes(f.Space, core.Addr(at), 104)
	if err != nil {
		return nil, false
	}
	i64 := func(off int) int64 { return int64(binary.LittleEndian.Uint64(b[off:])) }
	i32 := func(off int) int { return int(int32(binary.LittleEndian.Uint32(b[off:]))) }
	h := &histogram{unit: i32(16), halfMagnitude: i32(24), half: int64(i32(28)), mask: i64(32), min: i64(48),
		max: i64(56), total: i64(88)}
	buckets, n := int64(i32(44)), int64(i32(80))
	if h.unit < 0 || h.unit > 62 || h.halfMagnitude < 0 || h.halfMagnitude > 30 || h.half != 1<<h.halfMagnitude ||
		int64(i32(40)) != 2*h.half ||
		h.mask != (2*h.half-1)<<h.unit || buckets < 1 || n != (buckets+1)*h.half || n > maxCounts ||
		i32(64) != 0 || h.total < 0 {
		return nil, false
	}
	if h.exceeds, ok = f.Word(a + exceeds); !ok {
		return nil, false
	}
	data, err := core.ReadBytes(f.Space, core.Addr(i64(96)), uint64(8*n))
	if err != nil {
		return nil, false
	}
	h.counts = make([]int64, n)
	var sum int64
	for i := range h.counts {
		h.counts[i] = int64(binary.LittleEndian.Uint64(data[8*i:]))
		if sum += h.counts[i]; h.counts[i] < 0 || sum < 0 {
			return nil, false
		}
	}
	return h, sum == h.total
}

// countsValues reports whether histograms have a function that says how many values they have.
func (f *Functions) countsValues() bool {
	for _, class := range []string{"13HistogramImpl", "13HistogramBase"} {
		const argument = "ERKN2v820FunctionCallbackInfoINS1_5ValueEEE"
		if _, ok := f.Symbols.Find(f.Image.Module.Path, "_ZN4node"+class+"8GetCount"+argument); ok {
			return true
		}
	}
	return false
}

// says returns what a function of a histogram returns (src/histogram.cc: HistogramImpl).
func (h *histogram) says(function string) (value any, ok bool) {
	switch function {
	case "count":
		return float64(h.total), true
	case "min":
		return float64(h.least()), true
	case "max":
		return float64(h.highest(h.max)), true
	case "exceeds":
		return float64(h.exceeds), true
	case "mean":
		return h.mean(), true
	case "stddev":
		return h.stddev(), true
	case "skewness":
		return h.skewness(), true
	case "kurtosis":
		return h.kurtosis(), true
	case "percentiles":
		return h.percentiles(), true
	}
	return nil, false
}

// bucketOf returns how far values that are not told from v are shifted, and v shifted.
func (h *histogram) bucketOf(v int64) (shift int, sub int64) {
	shift = 64 - bits.LeadingZeros64(uint64(v|h.mask)) - (h.halfMagnitude + 1)
	return shift, v >> shift
}

// lowest returns the least value that is not told from v, and size how many there are.
func (h *histogram) lowest(v int64) (least, size int64) {
	shift, sub := h.bucketOf(v)
	return sub << shift, 1 << shift
}

// highest returns the greatest value that is not told from v.
func (h *histogram) highest(v int64) int64 {
	least, size := h.lowest(v)
	return least + size - 1
}

// least is hdr_min.
func (h *histogram) least() int64 {
	switch {
	case h.counts[0] > 0:
		return 0
	case h.min == math.MaxInt64:
		return h.min
	}
	least, _ := h.lowest(h.min)
	return least
}

// valueAt returns the value that a count is of.
func (h *histogram) valueAt(i int) int64 {
	bucket, sub := int64(i)>>h.halfMagnitude-1, int64(i)&(h.half-1)+h.half
	if bucket < 0 {
		bucket, sub = 0, sub-h.half
	}
	return sub << (bucket + int64(h.unit))
}

// each calls f with each count that is not 0, and the median of the values that it is of.
func (h *histogram) each(f func(count, median int64)) {
	for i, n := range h.counts {
		if n != 0 {
			least, size := h.lowest(h.valueAt(i))
			f(n, least+size>>1)
		}
	}
}

// mean is hdr_mean.
func (h *histogram) mean() float64 {
	var sum int64
	h.each(func(n, median int64) { sum += n * median })
	return float64(sum) / float64(h.total)
}

// moments returns the sums of powers of what values are away from the mean.
func (h *histogram) moments() (m2, m3, m4 float64) {
	mean := h.mean()
	h.each(func(n, median int64) {
		d := float64(median) - mean
		d2 := float64(d * d)
		m2 += float64(float64(n) * d2)
		m3 += float64(float64(float64(n)*d2) * d)
		m4 += float64(float64(float64(n)*d2) * d2)
	})
	return m2, m3, m4
}

// stddev is hdr_stddev.
func (h *histogram) stddev() float64 {
	m2, _, _ := h.moments()
	return math.Sqrt(m2 / float64(h.total))
}

// skewness is Histogram::Skewness.
func (h *histogram) skewness() float64 {
	m2, m3, _ := h.moments()
	variance := m2 / float64(h.total)
	if h.total < 3 || variance == 0 {
		return 0
	}
	return m3 / float64(h.total) / float64(variance*math.Sqrt(variance))
}

// kurtosis is Histogram::Kurtosis.
func (h *histogram) kurtosis() float64 {
	m2, _, m4 := h.moments()
	variance := m2 / float64(h.total)
	if h.total < 4 || variance == 0 {
		return 0
	}
	return m4/float64(h.total)/float64(variance*variance) - 3
}

// percentiles are what hdr_iter_percentile_init with one tick for half the distance gives:
// percentiles and values.
func (h *histogram) percentiles() (list [][2]float64) {
	next, sum, last := 0.0, int64(0), 0.0
	for i := 0; i < len(h.counts) && sum < h.total; i++ {
		n := h.counts[i]
		sum += n
		last = float64(h.valueAt(i))
		for n != 0 && next <= float64(100*float64(sum))/float64(h.total) {
			list = append(list, [2]float64{next, last})
			halves := math.Pow(2, math.Trunc(math.Log(100/(100-next))/math.Log(2))+1)
			next += 100 / halves
			if sum >= h.total {
				break
			}
		}
	}
	return append(list, [2]float64{100, last})
}
