package fit

import (
	"coredbg/core"
	"coredbg/runtimes/v8/amend"
	"coredbg/runtimes/v8/layout"
)

// amended returns what corrects the table of v.
func amended(v *Candidate) *amend.Build {
	return &amend.Build{Memory: v.Memory, Objects: v.Objects, Closures: v.sampleFunctions, Samples: v.samples,
		ExternalStrings: v.externalStrings, HeapObjects: heapObjects(v),
		IsText: func(text layout.Tagged, chars core.Addr) bool { return isText(v, text, chars) }}
}
