package v8

import "coredbg/runtimes"

// Noise is how V8 ends a process.
var Noise = runtimes.Noise{
	Prefixes: []string{
		"v8::base::", "V8_Fatal", "v8::internal::Isolate::Throw", "v8::internal::Isolate::CreateMessageOrAbort",
		"v8::internal::Runtime_Throw",
	},
}
