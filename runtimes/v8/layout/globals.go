package layout

// lateGlobals are the built-in constructors that V8 adds to the global object after its snapshot, in the
// versions of their spans. They matter only if the process's util.inspect, which has the names that were
// there, is not found. Source: bootstrapper.cc: Genesis::InitializeGlobal_*.
var lateGlobals = map[string][]Span[struct{}]{
	"SharedArrayBuffer":    {{First: V(8, 5)}},
	"WeakRef":              {{First: V(8, 5), Last: V(8, 9)}},
	"FinalizationRegistry": {{First: V(8, 5), Last: V(8, 9)}},
	"AggregateError":       {{First: V(8, 5), Last: V(8, 9)}},
	"Float16Array":         {{First: V(0, 0), Last: V(14, 5)}},
	"SuppressedError":      {{}},
	"DisposableStack":      {{}},
	"AsyncDisposableStack": {{}},
	"ShadowRealm":          {{}},
}

// IsLateGlobal reports whether a version adds the built-in constructor of a name to the global object after
// its snapshot.
func IsLateGlobal(name string, v Version) bool {
	_, ok := FindSpan(lateGlobals[name], v)
	return ok
}
