package frame

import "fmt"

// The states of threads that have a meaning to this package.
const (
	stateTerminated = 66
	stateRunnable   = 67 // 0 in newer versions
	stateFirst      = stateTerminated
)

// states are the names of art::ThreadState from kTerminated on
// (runtime/thread_state.h), as ART prints them.
var states = [...]string{"Terminated", "Runnable", "TimedWaiting", "Sleeping", "Blocked", "Waiting",
	"WaitingForLockInflation", "WaitingForTaskProcessor", "WaitingForGcToComplete", "WaitingForCheckPointsToRun",
	"WaitingPerformingGc", "WaitingForDebuggerSend", "WaitingForDebuggerToAttach", "WaitingInMainDebuggerLoop",
	"WaitingForDebuggerSuspension", "WaitingForJniOnLoad", "WaitingForSignalCatcherOutput",
	"WaitingInMainSignalCatcherLoop", "WaitingForDeoptimization", "WaitingForMethodTracingStart",
	"WaitingForVisitObjects", "WaitingForGetObjectsAllocated", "WaitingWeakGcRootRead", "WaitingForGcThreadFlip",
	"NativeForAbort", "Starting", "Native", "Suspended"}

// stateNumber brings a state to the numbers of today: 9 had no NativeForAbort,
// 8 two states less that wait (OpenCoreAnalysisKit, Thread::GetStateDescriptor).
func stateNumber(sdk int, n uint32) uint32 {
	const lockInflation, nativeForAbort = stateFirst + 6, stateFirst + 24
	if n == 0 {
		return stateRunnable // since kRunnable is 0
	}
	if sdk <= 27 && n >= lockInflation {
		n += 2
	}
	if sdk <= 28 && n >= nativeForAbort {
		n++
	}
	return n
}

// stateName returns the state's name, or its number if the state is unknown.
func stateName(n uint32) string {
	if i := int(n) - stateFirst; i >= 0 && i < len(states) {
		return states[i]
	}
	return fmt.Sprintf("state %d", n)
}
