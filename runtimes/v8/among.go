package v8

import (
	"errors"
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/fit"
)

var errNoV8 = core.Unknown(errors.New("the process has no V8"))

// leastImage is less than the least image with V8 in it takes, in bytes.
const leastImage = 8 << 20

// Among returns the V8 among the runtimes found in a process. The error says that there is no V8, that it cannot
// be decoded, or that its presence is unknown because an image that may have it could not be read.
func Among(p *core.Process, found []runtimes.Runtime) (*V8, error) {
	for _, r := range found {
		switch v := r.(type) {
		case *V8:
			return v, nil
		case *fit.Undecoded:
			return nil, core.Unknown(v)
		}
	}
	var unread []string
	for _, m := range p.Modules {
		if f := m.Facts(); (f.Image == nil || f.InMemory) && (m.Exe || m.End-m.Start >= leastImage) {
			unread = append(unread, m.Name())
		}
	}
	if len(unread) > 0 {
		return nil, core.Unknown(fmt.Errorf("whether the process has V8 is not known: %s could not be read",
			strings.Join(unread, ", ")))
	}
	return nil, errNoV8
}
