package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"coredbg/commands/lang"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/coretest"
)

// num is a record of a number.
type num core.Addr

func (n num) Addr() (core.Addr, bool) { return core.Addr(n), true }
func (n num) Text(w *out.Writer)      { w.Printf("%#x\n", uint64(n)) }

// testCommands are small commands whose results are plain to see.
func testCommands() []Command {
	return []Command{
		{Name: "seq", Args: "n", Addr: AddrOptional, Run: func(ctx context.Context, c *Call) error {
			if len(c.Args) != 1 {
				return c.Usage("it takes one number")
			}
			n, err := c.Value(c.Args[0])
			for i := uint64(0); i < n && err == nil; i++ {
				err = c.Emit(num(uint64(c.Dot) + i))
			}
			return err
		}},
		{Name: "show", Addr: AddrRequired, Options: []Option{{Letter: 'v', Long: "verbose"}, {Letter: 'a'},
			{Letter: 'n', Arg: "count"}, {Letter: 'o', Plus: true}},
			Args: "[word ...]", Run: func(ctx context.Context, c *Call) error {
				n, err := c.Int('n', 10)
				if err != nil {
					return err
				}
				var words []string
				for _, a := range c.Args {
					words = append(words, c.Text(a))
				}
				return c.Emit(line(fmt.Sprintf("%v v=%v a=%v n=%d o=%v %q", c.Dot, c.Flag('v'), c.Flag('a'), n,
					c.Off('o'), words)))
			}},
		{Name: "odd", Addr: AddrRequired, Run: func(ctx context.Context, c *Call) error {
			if c.Dot%2 == 0 {
				return fmt.Errorf("%v is even", c.Dot)
			}
			return c.Emit(num(c.Dot))
		}},
		{Name: "bug", Run: func(context.Context, *Call) error { panic("a bug") }},
		{Name: "none", Run: func(context.Context, *Call) error { return nil }},
	}
}

type line string

func (t line) Addr() (core.Addr, bool) { return 0, false }
func (t line) Text(w *out.Writer)      { w.Printf("%s\n", string(t)) }

// session returns a session over a small fake process, with its output.
func session(t *testing.T) (s *Session, stdout, stderr *bytes.Buffer) {
	t.Helper()
	p := coretest.New(core.AMD64).Words(0x1000, 0x1111, 0x2222, 0x3333).
		Thread(7, map[string]uint64{"rip": 0x1008, "rsp": 0x1010}).Process()
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	return NewSession(p, NewRegistry(testCommands()), stdout, stderr), stdout, stderr
}

func TestRun(t *testing.T) {
	for _, c := range []struct{ line, out, err string }{
		{"5::seq 2", "0x5\n0x6\n", ""},
		{"1000::show -av -n 11 x 'y z'", `0x1000 v=true a=true n=11 o=false ["x" "y z"]` + "\n", ""},
		{"1000::show -vn5 -- -a", `0x1000 v=true a=false n=5 o=false ["-a"]` + "\n", ""},
		{"1000::show -verbose x; 1000::show --verbose -a", `0x1000 v=true a=false n=10 o=false ["x"]` + "\n" +
			`0x1000 v=true a=true n=10 o=false []` + "\n", ""},
		{"1000::show +o $[2+3]", `0x1000 v=false a=false n=10 o=true ["0x5"]` + "\n", ""},
		{"1000::show -n", "", "coredbg: ::show: option -n needs its argument: count\nUsage: addr ::show [-vao] [+o] [-n count] [word ...]\n"},
		{"1000::show -x", "", "coredbg: ::show: unknown option -x\nUsage: addr ::show [-vao] [+o] [-n count] [word ...]\n"},
		{"1000::show -n 1x", "", "coredbg: ::show: \"1x\" is not a count\nUsage: addr ::show [-vao] [+o] [-n count] [word ...]\n"},
		{"::shwo", "", "coredbg: there is no command ::shwo; did you mean ::show? (::dcmds lists them)\n"},
		{":c", "", "coredbg: :c: no live process: a core cannot be run, stopped or changed\n"},
		{"::show", "", "coredbg: ::show: it needs an address: ADDRESS::show\nUsage: addr ::show [-vao] [+o] [-n count] [word ...]\n"},
		{"::none | cat -n", "", "coredbg: \"!\" comes before a command of the shell: ::none ! cat -n\n"},
		{"::none > out.txt", "", "coredbg: ::none: it takes no argument such as \">\"; ! cat >FILE after a command writes to a file\nUsage: ::none\n"},
		{"1000::show -n >x", "", "coredbg: ::show: \">x\" is not a count; ! cat >FILE after a command writes to a file\nUsage: addr ::show [-vao] [+o] [-n count] [word ...]\n"},
		{"5::none", "", "coredbg: ::none: it takes no address\nUsage: ::none\n"},
		{"::none x", "", "coredbg: ::none: it takes no argument such as \"x\"\nUsage: ::none\n"},
		{"::bug; 3::odd", "0x3\n", "coredbg: internal error in ::bug, please report: a bug\n"},
		{"<rip::seq 1; <thread::seq 1; <sp::seq 1", "0x1008\n0x7\n0x1010\n", ""},
		{"1::seq 4 | ::odd", "0x1\n0x3\n", "coredbg: 0x2 is even\ncoredbg: 0x4 is even\n"},
		{"1::seq 2 | ::seq", "", "coredbg: ::seq: it takes one number\nUsage: [ addr ] ::seq n\n"},
		{"1::seq 2 ! sed s/0x/N/", "N1\nN2\n", ""},
		{"!echo hello", "hello\n", ""},
		{"1::show | ::odd", "", "coredbg: the left side of \"|\" has no address to pass on\n"},
	} {
		s, stdout, stderr := session(t)
		err := s.Run(context.Background(), c.line)
		if stdout.String() != c.out || stderr.String() != c.err {
			t.Errorf("%s\nstdout %q\n  want %q\nstderr %q\n  want %q", c.line, stdout, c.out, stderr, c.err)
		}
		var failed *lang.FailedError
		if (c.err != "") != errors.As(err, &failed) {
			t.Errorf("%s: error %v", c.line, err)
		}
	}
}
