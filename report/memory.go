package report

import (
	"context"

	"coredbg/chart"
	"coredbg/commands"
	"coredbg/runtimes/heap/heapmap"
)

// A memoryRow is a record of ::memory with the keys that are drawn.
type memoryRow struct {
	Type    string `json:"type"`
	Owner   string `json:"owner"`
	Size    uint64 `json:"bytes"`
	InCore  uint64 `json:"in_core"`
	Touched uint64 `json:"touched"`
	Used    uint64 `json:"used_bytes"`
	Free    uint64 `json:"free_bytes"`
}

// memoryMap draws who has the memory as a treemap: runtimes, allocators, stacks, files and the rest. It
// returns nil if no memory of the process is in the core.
func memoryMap(ctx context.Context, s *commands.Session) (*Flame, error) {
	rows, err := records[memoryRow](ctx, s, "::memory")
	if err != nil {
		return nil, err
	}
	d := chart.Drawing{Title: "Who has the memory", Unit: heapmap.Unit,
		Note: "memory that was touched, as far as the core has it; by owner, in use and free"}
	return drawn(memoryTree(rows), &d, d.Treemap)
}

// memoryTree returns the owners with their memory in use and free. The owners' own accounts may have memory
// that was never touched.
func memoryTree(rows []memoryRow) *chart.Node {
	root := &chart.Node{Name: "memory"}
	for _, r := range rows {
		if r.Type != "memory" || r.Touched == 0 {
			continue
		}
		n := &chart.Node{Name: r.Owner, Group: r.Owner}
		used := min(r.Used, r.Touched)
		free := min(r.Free, r.Touched-used)
		n.Own = r.Touched - used - free
		for _, part := range []chart.Node{{Name: r.Owner + ", in use", Own: used},
			{Name: r.Owner + ", free", Own: free}} {
			if part.Group = r.Owner; part.Own > 0 && r.Used > 0 {
				n.Children = append(n.Children, &part)
			}
		}
		if r.Used == 0 {
			n.Own = r.Touched
		}
		root.Children = append(root.Children, n)
	}
	return root
}
