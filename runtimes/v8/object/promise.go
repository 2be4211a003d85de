package object

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// A PromiseState is the state of a promise.
type PromiseState string

// Promise returns the state of a JSPromise, and its result or, while it is pending, its reactions.
func (r *Members) Promise(o layout.Tagged) (state PromiseState, result layout.Tagged, err error) {
	flags, ok1 := r.SmiField(o, r.Layout.ObjectLayout.JSPromise.Flags)
	result, ok2 := r.Field(o, r.Layout.JSPromise.Reactions)
	if !ok1 || !ok2 || flags&3 > 2 {
		return "", 0, fmt.Errorf("corrupt: promise %v without a state", core.Addr(o))
	}
	return [...]PromiseState{PromisePending, PromiseFulfilled, PromiseRejected}[flags&3], result, nil
}

// The states of promises; objects/js-promise.h.
const (
	PromisePending   PromiseState = "pending"
	PromiseFulfilled PromiseState = "fulfilled"
	PromiseRejected  PromiseState = "rejected"
)
