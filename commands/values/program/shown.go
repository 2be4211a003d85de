package program

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/dwarf"
)

// MostShown bounds the values that are kept.
const MostShown = 1 << 10

// shownValues are the values that ::print has shown by name, as gdb's value history.
type shownValues struct {
	list []dwarf.Value
	left int // older values that are no longer kept
}

// Remember keeps a value that was shown, unless it only feeds another command.
func Remember(c *commands.Call, v dwarf.Value) {
	if c.Feeds {
		return
	}
	h := commands.Kept[shownValues](c.Session)
	if h == nil {
		h = &shownValues{}
		commands.Keep(c.Session, h)
	}
	if h.list = append(h.list, v); len(h.list) > MostShown {
		h.list, h.left = h.list[1:], h.left+1
	}
}

// ValueNumber returns the number in the name of a value that was shown, without its $. An empty name is 0, the
// last value; "$" is -1, the value before it, and "$2" is -2.
func ValueNumber(name string) (int, bool) {
	back, before := strings.CutPrefix(name, "$")
	n, err := strconv.Atoi(back)
	switch {
	case before && back == "":
		return -1, true
	case before:
		return -n, err == nil && n >= 0
	}
	return n, name == "" || err == nil && n >= 0
}

// Shown returns value n, counted from 1; the last one if n is 0, and the ones before it if n is negative.
func Shown(s *commands.Session, n int) (dwarf.Value, error) {
	h := commands.Kept[shownValues](s)
	switch {
	case h == nil:
		return dwarf.Value{}, errors.New("no value has been printed before")
	case n <= 0 && -n < len(h.list):
		return h.list[len(h.list)-1+n], nil
	case n <= 0:
		return dwarf.Value{}, fmt.Errorf("no value is $$%d: %d were printed", -n, h.left+len(h.list))
	case n-1 < h.left || n-1-h.left >= len(h.list):
		return dwarf.Value{}, fmt.Errorf("no value is $%d: %d were printed", n, h.left+len(h.list))
	}
	return h.list[n-1-h.left], nil
}

// NoRegister is why a register has no value in the current frame.
func NoRegister(s *commands.Session, name string) error {
	if n, ok := ValueNumber(name); ok {
		if _, err := Shown(s, n); err != nil {
			return err
		}
	}
	if _, is := s.Register(name); !is {
		return fmt.Errorf("there is no register or variable $%s", name)
	}
	return core.Unknown(fmt.Errorf("$%s is not known in this frame: a function that it called may have changed it (::frame -v lists the known registers; ::regs are the thread's)", name))
}
