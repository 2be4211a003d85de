package inspect

import (
	"sync"

	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/embedder"
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
	// functions answers for functions of the embedder; nil if nothing does.
	functions embedder.Functions
	// noCustom has the maps of objects that have no own function [util.inspect.custom].
	noCustom sync.Map

	dialect sync.Once
	spoken  Dialect
}

// New returns an inspector of the objects that r reads. Functions of the embedder are asked if they are not nil.
func New(r *object.Reader, functions embedder.Functions) *Inspector {
	return &Inspector{Memory: r.Memory, objects: r, sites: callsite.New(r), engine: eval.New(r), functions: functions}
}
