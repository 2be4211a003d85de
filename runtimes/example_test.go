package runtimes_test

import (
	"context"
	"fmt"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
)

// counter is the smallest runtime: it has a name and a version, and can say what lies
// at an address.
type counter struct{ at core.Addr }

func (counter) Name() string    { return "counter" }
func (counter) Version() string { return "1" }

func (c counter) WhatIs(a core.Addr) (string, bool) { return "the counter", a == c.at }

// probe finds it by a word that it keeps in memory.
func probe(_ context.Context, t runtimes.Target) (runtimes.Runtime, error) {
	const at, magic = 0x1000, 0xc0
	c := t.Process.Cursor()
	if c.U64(at) != magic || c.Err() != nil {
		return nil, nil // it is not in this process
	}
	return counter{at}, nil
}

// A runtime is what a Probe returns; what it can do beyond its name are small interfaces.
func ExampleProbe() {
	p := coretest.New(core.AMD64).Words(0x1000, 0xc0).Process()
	var find runtimes.Probe = probe
	r, err := find(context.Background(), runtimes.Target{Process: p})
	if r == nil || err != nil {
		fmt.Println("no counter:", err)
		return
	}
	fmt.Println(r.Name(), r.Version())
	if i, ok := r.(runtimes.Identifier); ok {
		fmt.Println(i.WhatIs(0x1000))
	}
	// Output:
	// counter 1
	// the counter true
}
