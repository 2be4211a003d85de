package inspect

import (
	"sync"

	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// An Inspector decodes values as deep as is asked for.
type Inspector struct {
	*layout.Memory
	objects *object.Reader
	sites   *callsite.Reader
	engine  *ecma.Engine
	// Embedder is what a function of the embedder would return for an object, or its getter
	// of a property, "get NAME": nil, a bool, a float64 or a string. It is set before the first
	// value is decoded, or nil.
	Embedder func(function string, o layout.Tagged) (value any, ok bool)
	// Answers returns the answers of the embedder's functions for the properties of an object: names and values
	// in order. It is nil, or ok is false, if they are not known.
	Answers func(o layout.Tagged) (names, values []string, err error, ok bool)
	// noCustom has the maps of objects that have no own function [util.inspect.custom].
	noCustom sync.Map

	dialect sync.Once
	spoken  Dialect
}

// New returns an inspector of the objects that r reads.
func New(r *object.Reader) *Inspector {
	return &Inspector{Memory: r.Memory, objects: r, sites: callsite.New(r), engine: eval.New(r)}
}
