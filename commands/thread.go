package commands

import (
	"errors"
	"fmt"
	"strconv"

	"coredbg/core"
)

// ErrNoThreads says that there is no thread to be the current one.
var ErrNoThreads = errors.New("the core has no threads")

// ThreadAt returns the thread whose id is a, or nil. People type ids as they
// read them, in decimal, but the language reads digits in its default radix:
// where no thread has the id a, the digits of a in hexadecimal are taken as decimal.
func ThreadAt(p *core.Process, a core.Addr) *core.Thread {
	if t := p.Thread(int(a)); t != nil {
		return t
	}
	if n, err := strconv.Atoi(strconv.FormatUint(uint64(a), 16)); err == nil {
		return p.Thread(n)
	}
	return nil
}

// Thread returns the thread that a call is about: the one that its address
// names, else the current one.
func (c *Call) Thread() (*core.Thread, error) {
	if c.Given {
		if t := ThreadAt(c.Session.Process, c.Dot); t != nil {
			return t, nil
		}
		return nil, fmt.Errorf("no thread has the id %d (%v)", uint64(c.Dot), c.Dot)
	}
	if t := c.Session.Thread; t != nil {
		return t, nil
	}
	return nil, ErrNoThreads
}
