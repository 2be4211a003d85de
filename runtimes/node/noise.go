package node

import "coredbg/runtimes"

// Noise is how Node ends a process.
var Noise = runtimes.Noise{
	Functions: []string{"node::Abort", "node::Assert", "process.abort"},
	Prefixes:  []string{"node::(anonymous namespace)::DefaultAbortHandler"},
}
