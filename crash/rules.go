package crash

// The inputs of a rule's findings. A finding is less sure if its inputs are doubtful.
const (
	needsFrames = 1 << iota // names of functions
	needsMemory             // what libraries and runtimes have written down
)

// A rule finds one family of causes.
type rule struct {
	name  string
	needs int
	find  func(*examination) (finding, bool)
}

// rules are in order of significance: of two that are equally sure the first counts.
var rules = []rule{
	{"snapshot", 0, (*examination).snapshot},
	{"sanitizer's report", needsFrames, (*examination).sanitizer},
	{"a function that the compiler calls where none is", needsFrames, (*examination).pureVirtual},
	{"what a runtime or library wrote down", needsMemory, (*examination).written},
	{"a trap whose frame says why", needsFrames, (*examination).verboseTrap},
	{"functions that only a failed check calls", needsFrames, (*examination).gaveUp},
	{"what the processor refused", 0, (*examination).refused},
	{"a limit of the system", 0, (*examination).limited},
	{"sent by somebody", 0, (*examination).sent},
	{"abort without a message", needsFrames, (*examination).aborted},
	{"threads that wait for each other", needsMemory, (*examination).deadlocked},
	{"sent by the process to itself", 0, (*examination).raised},
}
