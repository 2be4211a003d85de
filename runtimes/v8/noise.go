package v8

import "coredbg/runtimes"

// Noise is how V8 ends a process, and how it calls functions of its embedder.
var Noise = runtimes.Noise{
	Prefixes: []string{
		"v8::base::", "V8_Fatal", "v8::internal::Isolate::Throw", "v8::internal::Isolate::CreateMessageOrAbort",
		"v8::internal::Runtime_Throw",
		"v8::internal::FunctionCallbackArguments::", "v8::internal::PropertyCallbackArguments::", "v8::internal::(anonymous namespace)::HandleApiCallHelper",
		"v8::internal::Builtin_HandleApiCall", "v8::internal::Builtin_Impl_HandleApiCall", "v8::internal::Builtins::InvokeApiFunction",
	},
}
