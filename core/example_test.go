package core_test

import (
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/core/coretest"
)

// Unreadable memory is an error with a place and a reason.
func ExampleSpace_ReadAt() {
	p := coretest.New(core.AMD64).Map(0x1000, []byte("hello")).Gap(0x2000, 0x1000, core.Read, core.NotDumped).Process()
	b := make([]byte, 5)
	if _, err := p.Space.ReadAt(b, 0x1000); err == nil {
		fmt.Printf("%s\n", b)
	}
	_, err := p.Space.ReadAt(b, 0x2000)
	var fault *core.FaultError
	fmt.Println(errors.As(err, &fault), err)
	// Output:
	// hello
	// true 0x2000: not dumped
}
