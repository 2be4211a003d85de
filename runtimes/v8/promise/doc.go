// Package promise reads what waits for a promise of JavaScript: the functions that await it, the combinators with it
// among their elements, the functions given to then.
//
// A pending JSPromise leads to its PromiseReactions, each with the handlers and the promise that settles next. The
// handlers of V8's own are builtins; which one, or what they close over, says what waits.
//
// Files: waiters.go.
//
// Versions: as package layout.
//
// LIMITATIONS: a class derived from Promise with a capability of its own is followed as far as its promise is
// one of V8's.
package promise
