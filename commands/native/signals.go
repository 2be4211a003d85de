package native

import (
	"strconv"

	"coredbg/commands"
	"coredbg/commands/out"
)

// A signalName is a signal of the process's system.
type signalName struct {
	_      out.Record `record:"signalname"`
	Number int        `json:"number" col:"#,4,right"`
	Name   string     `json:"name" col:"NAME,12"`
	Died   bool       `json:"ended,omitempty"` // it ended the process
	mark   string     `col:"ENDED,6"`
	Text   string     `json:"description,omitempty" col:"DESCRIPTION"`
}

// lastSignal is the largest number of a signal.
const lastSignal = 64

// listSignals lists the signals of the process's system, or only the signals with the given names or numbers.
func listSignals(c *commands.Call) error {
	p := c.Session.Process
	if p.Siginfo == nil || p.Arch == nil {
		return c.Unknown("the signals of %s are not known", p.OS)
	}
	wanted := map[string]bool{}
	for _, a := range c.Args {
		wanted[c.Text(a)] = true
	}
	found := false
	for n := 1; n <= lastSignal; n++ {
		d := make([]byte, 4)
		p.Arch.Order.PutUint32(d, uint32(n))
		g := p.Siginfo(d)
		if g == nil || g.Name == "" || len(wanted) > 0 && !wanted[g.Name] && !wanted[strconv.Itoa(n)] {
			continue
		}
		r := &signalName{Number: n, Name: g.Name, Text: g.Text, Died: p.Signal != nil && p.Signal.Number == n}
		if r.Died {
			r.mark = "yes"
		}
		found = true
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	if !found {
		return c.Usage("no signal has the name %s", c.Text(c.Args[0]))
	}
	return nil
}
