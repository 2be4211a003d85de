package golang

import "coredbg/core"

// An abi is what asmcgocall leaves on the thread's stack.
type abi struct {
	left []pair
	// frame is how far the caller's stack pointer is above the return address.
	frame core.Addr
	// register has the g while Go runs.
	register string
	// passed is how far what a function passes to the one that it calls is above its stack pointer, and back how
	// far the return address of cgocallback is below what is passed to it.
	passed, back core.Addr
}

// A pair is where the two words are, above its stack pointer.
type pair struct{ g, depth core.Addr }

var abis = map[*core.Arch]*abi{
	core.AMD64: {left: []pair{{8, 0}, {48, 40}}, frame: 8, register: "r14", passed: 0, back: 8},
	core.ARM64: {left: []pair{{0, 8}}, frame: 16, register: "x28", passed: 8, back: 56},
}
