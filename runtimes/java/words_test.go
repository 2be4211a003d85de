package java

import (
	"errors"
	"math/big"
	"testing"

	"coredbg/core"
)

// TestWords: numbers, times and locales as Java's toString writes them.
func TestWords(t *testing.T) {
	number := func(s string) *big.Int {
		n, _ := new(big.Int).SetString(s, 10)
		return n
	}
	for _, c := range []struct{ got, want string }{
		{decimal(number("-123450"), 4), "-12.3450"},
		{decimal(number("1"), -30), "1E+30"},
		{decimal(number("98765432109876543210"), 25), "0.0000098765432109876543210"},
		{decimal(number("1"), 7), "1E-7"},
		{decimal(number("-120"), 9), "-1.20E-7"},
		{decimal(number("0"), 0), "0"},
		{decimal(number("0"), 3), "0.000"},
		{decimal(number("12"), -1), "1.2E+2"},
		{localeWords("de", "AT", "", ""), `"de_AT"`},
		{localeWords("zh", "TW", "", "Hant"), `"zh_TW_#Hant"`},
		{localeWords("no", "NO", "NY", ""), `"no_NO_NY"`},
		{localeWords("fr", "", "EURO", ""), `"fr__EURO"`},
		{localeWords("", "", "", ""), `""`},
		{duration(3661, 5000000), "PT1H1M1.005S"},
		{duration(-1, 500000000), "PT-0.5S"},
		{duration(-2, 500000000), "PT-1.5S"},
		{duration(0, 1), "PT0.000000001S"},
		{duration(7200, 0), "PT2H"},
		{period([]int64{1, 2, 3}), "P1Y2M3D"},
		{period([]int64{0, 0, 0}), "P0D"},
		{period([]int64{0, -1, 0}), "P-1M"},
		{year(12345) + year(-1) + year(99), "+12345-00010099"},
		{timeForms["java.time.LocalTime"].write([]int64{23, 59, 58, 1000}), "23:59:58.000001"},
		{timeForms["java.time.LocalTime"].write([]int64{1, 2, 0, 0}), "01:02"},
		{timeForms["java.time.Instant"].write([]int64{1700000000, 123456789}), "2023-11-14T22:13:20.123456789Z"},
		{timeForms["java.time.Instant"].write([]int64{-1, 0}), "1969-12-31T23:59:59Z"},
		{timeForms["java.time.MonthDay"].write([]int64{12, 25}), "--12-25"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

// An adderHeap is the long and the references of a LongAdder. Nothing else in it is an object.
type adderHeap struct {
	Heap
	objects map[core.Addr]*Class
	refs    map[core.Addr]core.Addr
}

func (h adderHeap) Object(at core.Addr) (Object, error) {
	if c := h.objects[at]; c != nil {
		return Object{at, c}, nil
	}
	return Object{Addr: at}, errors.New("no object")
}

func (h adderHeap) Ref(at core.Addr) (core.Addr, bool)              { return h.refs[at], true }
func (h adderHeap) PrimitiveAt(core.Addr, Primitive) (uint64, bool) { return 5, true }
func (h adderHeap) ArrayLength(core.Addr) (uint64, bool)            { return 1, true }

// TestAdder: the sum of a LongAdder includes its cells. It is not known if a cell is no object.
func TestAdder(t *testing.T) {
	adder := &Class{Name: "java.util.concurrent.atomic.LongAdder",
		Members: []Field{{Name: "base", Type: "J", Offset: 8},
			{Name: "cells", Type: "[Ljava/util/concurrent/atomic/Striped64$Cell;", Offset: 16}}}
	cells := &Class{Name: "java.util.concurrent.atomic.Striped64$Cell[]", Shape: Arrays, ElementSize: 8, Data: 16}
	cell := &Class{Name: "java.util.concurrent.atomic.Striped64$Cell",
		Members: []Field{{Name: "value", Type: "J", Offset: 8}}}
	h := adderHeap{objects: map[core.Addr]*Class{0x1000: adder, 0x2000: cells, 0x3000: cell},
		refs: map[core.Addr]core.Addr{0x1010: 0x2000, 0x2010: 0x3000}}
	in := &inspector{h: Reader{h}}
	if got, ok := in.words(Object{0x1000, adder}); got != "10" || !ok {
		t.Errorf("%q, %v, want 10", got, ok)
	}
	h.refs[0x2010] = 0x4000
	if got, ok := in.words(Object{0x1000, adder}); ok {
		t.Errorf("%q with a cell that is no object", got)
	}
}
