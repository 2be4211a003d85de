package heapsnapshot

import (
	"encoding/json"
	"slices"

	"coredbg/core"
)

// maxMeta bounds the bytes of a snapshot's description, maxFields the columns of an
// array, maxKinds the types of nodes or edges.
const (
	maxMeta   = 1 << 20
	maxFields = 64
	maxKinds  = 256
)

// A header is a snapshot's description of itself.
type header struct {
	Meta struct {
		NodeFields []string          `json:"node_fields"`
		NodeTypes  []json.RawMessage `json:"node_types"`
		EdgeFields []string          `json:"edge_fields"`
		EdgeTypes  []json.RawMessage `json:"edge_types"`
	} `json:"meta"`
	NodeCount        uint64 `json:"node_count"`
	EdgeCount        uint64 `json:"edge_count"`
	ExtraNativeBytes uint64 `json:"extra_native_bytes"`
}

// columns gives the index of each column of an array; -1 for a missing one.
type columns struct {
	n     int // columns of a row
	index map[string]int
	kinds []string // the types of its rows
}

// newColumns reads the names of columns, and of the values of the column "type". The columns in need
// must be there.
func newColumns(what string, fields []string, types []json.RawMessage, need ...string) (columns, error) {
	c := columns{n: len(fields), index: map[string]int{}}
	bad := func(msg string, val any) error {
		return &core.FormatError{Off: -1, Msg: "snapshot.meta: " + what + msg, Val: val}
	}
	if c.n > maxFields {
		return c, bad("_fields has too many names:", c.n)
	}
	for i, f := range fields {
		c.index[f] = i
	}
	for _, f := range need {
		if _, ok := c.index[f]; !ok {
			return c, bad("_fields lacks", f)
		}
	}
	t := c.index["type"]
	if t >= len(types) || json.Unmarshal(types[t], &c.kinds) != nil {
		return c, bad("_types has no list of types", nil)
	}
	if len(c.kinds) > maxKinds {
		return c, bad("_types has too many types:", len(c.kinds))
	}
	return c, nil
}

// column returns the number of a column, -1 if there is none.
func (c *columns) column(name string) int {
	if i, ok := c.index[name]; ok {
		return i
	}
	return -1
}

// flags returns, for each type, whether its name is one of names.
func (c *columns) flags(names ...string) []bool {
	out := make([]bool, len(c.kinds))
	for i, k := range c.kinds {
		out[i] = slices.Contains(names, k)
	}
	return out
}
