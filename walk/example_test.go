package walk_test

import (
	"context"
	"fmt"

	"coredbg/core/bundle"
	"coredbg/core/elf/elfcore"
	"coredbg/core/file"
	"coredbg/walk"
)

// The frames of a thread, without names: where each returns to, and how it was found.
func ExampleTarget_Walk() {
	src, err := file.Open("../testdata/cores/abort.cdb", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := bundle.Open(src, "../testdata/cores")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := elfcore.Open(b.Core(), "abort.cdb", elfcore.Options{Files: b})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	n := 0
	for f, err := range walk.NewTarget(p, walk.Options{}).Walk(context.Background(), p.Threads[0]) {
		if err != nil {
			fmt.Println("the walk ended:", err)
			break
		}
		if m := p.Module(f.PC); m != nil && n < 3 {
			fmt.Printf("%v+%v, by %v\n", m.Path, f.PC-m.Start, f.Trust)
		}
		n++
	}
	fmt.Println(n, "frames")
	// Output:
	// /usr/lib/x86_64-linux-gnu/libc.so.6+0x8aeec, by registers
	// /usr/lib/x86_64-linux-gnu/libc.so.6+0x3bfb2, by cfi
	// /usr/lib/x86_64-linux-gnu/libc.so.6+0x26472, by cfi
	// the walk ended: root
	// 22 frames
}
