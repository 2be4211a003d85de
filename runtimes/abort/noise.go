package abort

import "coredbg/runtimes"

// Noise is how C libraries, C++, D and Rust end a process.
var Noise = runtimes.Noise{
	Functions: []string{
		"raise", "gsignal", "abort", "__pthread_kill_implementation", "__pthread_kill_internal", "pthread_kill",
		"__pthread_kill",
		"pthread_kill@@GLIBC_2.34", "__GI_raise", "__GI_abort", "__assert_fail_base", "__assert_fail",
		"__GI___assert_fail",
		"__libc_message", "__libc_message_impl", "tgkill", "kill", "__restore_rt", "_lwp_kill", "__fortify_fail",
		"__stack_chk_fail", "__chk_fail", "__fdelt_chk", "__fdelt_warn", "std::__glibcxx_assert_fail",
		"std::__replacement_assert",
		"__android_log_call_aborter", "__android_log_assert", "android::base::LogMessage::~LogMessage",
		"std::terminate", "__cxa_throw", "__cxa_rethrow", "__cxxabiv1::__terminate",
		"__gnu_cxx::__verbose_terminate_handler",
		"__gxx_personality_v0", "_Unwind_RaiseException",
		// HotSpot
		"os::abort", "os::die", "jni_FatalError", "report_fatal", "report_vm_error", "report_vm_out_of_memory",
		"report_java_out_of_memory",
		"_d_throw", "_d_throw_exception", "_d_throwdwarf", "_d_throwc", "onRangeError", "onArrayIndexError",
		"onArraySliceError", "onAssertError", "onAssertErrorMsg",
		"onOutOfMemoryError", "onOutOfMemoryErrorNoGC", // D
		"rust_panic", "rust_begin_unwind", "__rust_start_panic",
	},
	Prefixes: []string{"VMError::", "_D3gcc3deh", "_d_arraybounds", "_d_assert", "__rustc::", "std::process::abort",
		"std::panicking::", "core::panicking::", "std::sys::", "std::rt::", "panic_abort::", "__clang_trap_msg$"},
}
