package object

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// KindOf returns the kind of the heap object o with the given shape. A type
// that nothing names is known by the tag of its prototype.
func (r *ClassReader) KindOf(o layout.Tagged, s *Shape) Kind {
	if k, ok := kindOfName[r.Types.Names[s.typ]]; ok {
		return k
	}
	switch {
	case s.typ < r.Types.FirstReceiver:
		return KindInternal
	case r.IsFunction(o):
		return KindFunction
	}
	if _, named := r.Types.Names[s.typ]; named {
		return r.objectOrError(o)
	}
	if _, ok := r.moduleOf(o); ok {
		return KindModule
	}
	switch tag := r.tagOf(o); tag {
	case "Map Iterator":
		return KindMapIterator
	case "Set Iterator":
		return KindSetIterator
	case "Generator", "AsyncGenerator":
		return KindGenerator
	case "DataView":
		return KindDataView
	}
	return r.objectOrError(o)
}

// objectOrError distinguishes an ordinary object from one that has Error.prototype among its
// prototypes, which is an error to util.inspect: classes that were made before there
// was class syntax, and DOMException until Node 22.
func (r *ClassReader) objectOrError(o layout.Tagged) Kind {
	m, ok := r.MapOf(o)
	if !ok {
		return KindObject
	}
	if k, ok := r.caches.errors.Load(m); ok {
		return k.(Kind)
	}
	kind := KindObject
	r.Prototypes(o, func(p layout.Tagged) bool {
		if p == o {
			return true
		}
		if c, ok := r.OwnProperty(p, "constructor"); ok && r.IsFunction(c.Value) && r.IsBuiltin(c.Value) &&
			r.FunctionNameOf(c.Value) == "Error" {
			kind = KindError
		}
		return kind == KindObject
	})
	r.caches.errors.Store(m, kind)
	return kind
}

// ErrorLike reports whether an object has Error.prototype among its prototypes.
func (r *ClassReader) ErrorLike(o layout.Tagged) bool { return r.objectOrError(o) == KindError }

// ErrorsOnStack returns the errors that words of a thread's stack refer to, the nearest to its top
// first. Node makes an object that inherits from Error.prototype of a worker's error.
func (r *ClassReader) ErrorsOnStack(ctx context.Context, t *core.Thread) (list []layout.Tagged) {
	seen := map[layout.Tagged]bool{}
	r.EachStackWord(ctx, t, func(w layout.Tagged) {
		if !seen[w] && r.IsError(w) {
			list = append(list, w)
		}
		seen[w] = true
	})
	return list
}

// IsError reports whether an object is an error for a program: by its type, or as it inherits from
// Error.prototype and has a stack of its own.
func (r *ClassReader) IsError(o layout.Tagged) bool {
	if r.TypeNamed(o, "JS_ERROR") {
		return true
	}
	if !r.IsReceiver(o) || r.IsFunction(o) || !r.ErrorLike(o) {
		return false
	}
	_, ok := r.OwnProperty(o, "stack")
	return ok
}

// kindOfName maps the names of instance types to kinds.
var kindOfName = map[string]Kind{
	"JS_ARRAY_TYPE": KindArray, "JS_DATE_TYPE": KindDate, "JS_ERROR_TYPE": KindError,
	"JS_REG_EXP_TYPE": KindRegExp, "JS_REGEXP_TYPE": KindRegExp,
	"JS_MAP_TYPE": KindMap, "JS_SET_TYPE": KindSet,
	"JS_WEAK_MAP_TYPE": KindWeakMap, "JS_WEAK_SET_TYPE": KindWeakSet, "JS_WEAK_REF_TYPE": KindWeakRef,
	"JS_MAP_KEY_ITERATOR_TYPE": KindMapIterator, "JS_MAP_KEY_VALUE_ITERATOR_TYPE": KindMapIterator,
	"JS_MAP_VALUE_ITERATOR_TYPE": KindMapIterator, "JS_SET_VALUE_ITERATOR_TYPE": KindSetIterator,
	"JS_SET_KEY_VALUE_ITERATOR_TYPE": KindSetIterator,
	"JS_ARRAY_BUFFER_TYPE":           KindArrayBuffer, "JS_TYPED_ARRAY_TYPE": KindTypedArray,
	"JS_DETACHED_TYPED_ARRAY_TYPE": KindTypedArray,
	"JS_DATA_VIEW_TYPE":            KindDataView, "JS_RAB_GSAB_DATA_VIEW_TYPE": KindDataView,
	"JS_PROMISE_TYPE": KindPromise, "JS_PROXY_TYPE": KindProxy,
	"JS_GENERATOR_OBJECT_TYPE": KindGenerator, "JS_ASYNC_GENERATOR_OBJECT_TYPE": KindGenerator,
	"JS_ASYNC_FUNCTION_OBJECT_TYPE": KindGenerator,
	"JS_ARGUMENTS_OBJECT_TYPE":      KindArguments, "JS_ARGUMENTS_TYPE": KindArguments,
	"JS_PRIMITIVE_WRAPPER_TYPE": KindBoxed, "JS_VALUE_TYPE": KindBoxed,
	"JS_MODULE_NAMESPACE_TYPE": KindModule, "JS_DEFERRED_MODULE_NAMESPACE_TYPE": KindModule,
	"JS_BOUND_FUNCTION_TYPE": KindFunction, "JS_WRAPPED_FUNCTION_TYPE": KindFunction,
}
