package commands

import (
	"errors"
	"testing"

	"coredbg/core"
	"coredbg/runtimes"
)

// closedJava is a Java virtual machine that cannot be decoded.
type closedJava struct{}

func (closedJava) Name() string      { return "closed" }
func (closedJava) Version() string   { return "1" }
func (closedJava) Undecoded() string { return "it is closed" }
func (closedJava) Error() string     { return "closed: 1 cannot be decoded: it is closed" }
func (closedJava) RunsJava() bool    { return true }

// TestLacksJava: a command for Java says why the machine in the process is not decoded, and not that there is none.
func TestLacksJava(t *testing.T) {
	none := errors.New("no Java")
	s := &Session{}
	if err := LacksJava(s, none); err != none {
		t.Errorf("without a runtime: %v", err)
	}
	s.Runtimes = func() []runtimes.Runtime { return []runtimes.Runtime{closedJava{}} }
	if err := LacksJava(s, none); !errors.Is(err, core.ErrUnknown) || !errors.As(err, new(closedJava)) {
		t.Errorf("with a runtime that is not decoded: %v", err)
	}
}
