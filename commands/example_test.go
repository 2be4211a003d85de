package commands_test

import (
	"context"
	"os"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
)

// A pcRecord is a line of ::pcs.
type pcRecord struct {
	_   out.Record `record:"pc"`
	TID int        `json:"tid" col:"TID,6,right"`
	PC  core.Addr  `json:"pc" col:"PC,16,right" dot:"always"`
}

var pcs = commands.Command{
	Name: "pcs", Module: "example", Summary: "list where each thread is",
	Detail:  "Lists the program counter of each thread. A pipe gets the addresses.",
	Example: "::pcs | ::dis -n 1",
	Run: func(_ context.Context, c *commands.Call) error {
		for _, t := range c.Session.Process.Threads {
			pc, _ := t.Regs.Get(c.Session.Process.Arch.PC)
			if err := c.Emit(&pcRecord{TID: t.TID, PC: core.Addr(pc)}); err != nil {
				return err
			}
		}
		return nil
	},
}

// A command with its help, its table, its JSON and its address in a pipeline.
func ExampleCommand() {
	t := &core.Thread{TID: 7}
	t.Regs.Set(core.AMD64.PC, 0x401136)
	p := &core.Process{Arch: core.AMD64, Threads: []*core.Thread{t}}
	s := commands.NewSession(p, commands.NewRegistry([]commands.Command{pcs}), os.Stdout, os.Stderr)
	s.Run(context.Background(), "::pcs")
	s.JSON = true
	s.Run(context.Background(), "::pcs")
	s.JSON = false
	s.Run(context.Background(), "::pcs | =X")
	// Output:
	//    TID               PC
	//      7           401136
	// {"type":"pc","tid":7,"pc":"0x401136"}
	//                 401136
}
