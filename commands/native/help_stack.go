package native

import (
	"strings"

	"coredbg/commands"
)

// trustHelp explains the column of marks; every command that prints frames
// carries it.
const trustHelp = `The mark before a frame says how it was found:
  =  from registers that the core or a signal frame recorded
  r  by a managed runtime's own records
  u  by compact unwind information
  c  by call frame information of the image
  f  by the chain of frame pointers
  p  by reading the function's instructions
  ?  by scanning the stack for a return address whose call can have led there, or
     by the link register where the code does not show it: likely, not certain
[gap] marks a frame that may have called others than the one printed before it: frames in code
that could not be read may be missing between the two.
[no call] marks a return address that no call precedes: the frame was interrupted
there and the call was made to look so (Go's sigpanic), or the address was put
there by hand (interpreters, the first function of a coroutine).
A last line in parentheses says why the walk ended, unless it reached the start
of the thread.`

var verboseOption = commands.Option{Letter: 'v',
	Help: "show pc, sp, fp and arguments of each frame, and lines of libraries too"}

var frameOptions = []commands.Option{
	{Letter: 'a', Help: "show every frame: do not fold deep recursion"},
	{Letter: 'm', Help: "managed frames only"},
	{Letter: 'n', Help: "native frames only"},
	verboseOption,
	commands.RawOption,
}

// linesHelp says where source lines come from.
const linesHelp = `Source lines come from the debugging information of the program and of
libraries that carry their own. Separate debug files of libraries are
read with -v only, or if -debug-dir is given: it takes longer.`

const classicAddr = `The address is a thread id, a frame pointer or any other address of a frame on a
thread's stack, or a ucontext_t elsewhere; without one the current thread
is shown. An argument limits the number of frames.`

var stackCommands = []commands.Command{
	{
		Name: "stack", Often: "avmn", Addr: commands.AddrOptional, Args: "[count]",
		Options: append([]commands.Option{{Letter: 'r', Arg: "registers",
			Help: "from these registers on: rip=VALUE,rsp=VALUE,rbp=VALUE, as a coroutine's were saved"},
			{Letter: 'A', Help: "leave out the arguments"},
			{Letter: 'f', Arg: "form",
				Help:  "the arguments: all (values with members, too), scalars, none (names alone) or presence",
				Words: func(*commands.Session, string) []string { return strings.Fields("all scalars none presence") }},
			{Letter: 'l', Arg: "count", Help: "the last count frames only, the outermost ones"}}, frameOptions...),
		Summary: "show the stack of a thread, native and managed frames in one list",
		Detail: classicAddr + `

Each line has the frame's number, a mark, the function, and the place in the
source or the image. Deep recursion is folded to one line. The arguments of a call are
behind its function: numbers, texts and pointers as they are, values with members as "…" (the setting
'print frame-arguments' changes that), and "?" for a value that is optimised out or cannot be read (::args says why). Frames get them if their source line is
known, up to the thousandth. In JSON they come with -v.
` + linesHelp + `

` + trustHelp,
		Example: "0t1234::stack",
		SeeAlso: []string{"$C", "stacks", "thread", "ucontext", "jsstack"},
		Run:     runStack(commands.StackForm{Fold: true}),
	},
	{
		Name: "$c", Often: "avmn", Addr: commands.AddrOptional, Options: frameOptions, Args: "[count]",
		Summary: "show a stack, one symbol+offset a line",
		Detail:  classicAddr + "\n\n" + trustHelp,
		Example: "$c 10",
		SeeAlso: []string{"$C", "stack"},
		Run:     runStack(commands.StackForm{Classic: true, Bare: true}),
	},
	{
		Name: "$C", Often: "avmn", Addr: commands.AddrOptional, Options: frameOptions, Args: "[count]",
		Summary: "show a stack with frame pointers",
		Detail: classicAddr + `

The first column is the address of the frame's saved frame pointer and return
address, in full width; ADDR$C starts there, and so does ADDR::jsframe. In code
that keeps no frame pointer it is where the pair would be: below the canonical
frame address.

` + trustHelp,
		Example: "$C",
		SeeAlso: []string{"stack", "jsframe"},
		Run:     runStack(commands.StackForm{Classic: true, Pointer: true, Bare: true}),
	},
	{
		Name: "stacks", Often: "actv", Addr: commands.AddrOptional,
		Options: []commands.Option{
			{Letter: 'a', Help: "show every thread by itself, and every goroutine and virtual thread that no thread runs"},
			{Letter: 'c', Arg: "function", Help: "only stacks with the function"},
			{Letter: 'C', Arg: "function", Help: "only stacks without the function"},
			{Letter: 'm', Arg: "module", Help: "only stacks with a frame in the module"},
			{Letter: 'M', Arg: "module", Help: "only stacks without a frame in the module"},
			{Letter: 't', Arg: "state", Help: "only threads in the state"},
			{Letter: 'T', Arg: "state", Help: "only threads not in the state"},
			{Letter: 'o', Arg: "form", Help: "write frames in another form: javacore"},
			verboseOption,
			commands.RawOption,
		},
		Summary: "show the stacks of all threads, equal ones once with their count",
		Detail: `Threads whose stacks are the same, frame by frame, are shown once. The thread
that the signal hit comes first, then the largest groups. If the core was cut
short, a warning says so once.

With -o javacore frames are written as javacores have them, for tools that read
those: the symbol, the program counter, the image and the place in it, as in
    _sigtramp+0x1d (0x00007fff6fa2e5fd [libsystem_platform.dylib+0x35fd])

` + trustHelp,
		Example: "::stacks -a",
		SeeAlso: []string{"stack", "threads"},
		Run:     runStacks,
	},
	{
		Name: "threads",
		Options: []commands.Option{
			{Letter: 't', Help: "how long each ran, in seconds, the longest first"},
			{Letter: 'r', Arg: "regexp", Help: "only threads whose names, ids or pointers to thread-local data match"},
		},
		Summary: "list the threads",
		Detail: `"#" is a thread's number, for ::thread. "*" marks the current thread, "!" the one that the signal hit. As input of a
pipeline each thread stands for its id.

With -t the times come from the core, where the kernel wrote them: outside the kernel
(USER) and in it (SYSTEM), counted in ticks of some milliseconds, and the
share of all threads' time. "<" is
before the times of the thread that leads the process: the kernel writes the times
of the whole process there, so what threads used that have ended is in it.`,
		Example: "::threads",
		SeeAlso: []string{"thread", "stacks"},
		Run:     runThreads,
	},
	{
		Name: "thread", Silent: true, Addr: commands.AddrOptional, Args: "[tid ...]",
		Summary: "make a thread the current one",
		Detail: `The address or the argument is the thread's id; an argument is read in decimal, and is the
number of a thread in ::threads if no thread has that id.
An address is read in the default radix; if no thread has that id, its digits
are taken as decimal. Without either the current thread is shown. Registers as
variables, $C, $r and ::stack belong to the current thread.`,
		Options: []commands.Option{
			{Letter: 'n', Arg: "number", Help: "the thread with this id or, if there is none, with this number in ::threads, from 1"},
			{Letter: 'N', Arg: "name", Help: "give the thread a name for this session; '' takes it away"},
			{Letter: 'p', Help: "pass the threads on; the current one stays"},
			{Letter: 'e', Arg: "line", Help: "run the line with each thread, or with the threads whose ids or numbers follow"},
			{Letter: 's', Help: "with -e, without the threads where the line fails"},
		},
		Example: "0t1234::thread",
		SeeAlso: []string{"threads", "$r"},
		Run:     runThread,
	},
}

var statusCommands = []commands.Command{
	{
		Name:    "status",
		Options: []commands.Option{{Letter: 'v', Help: "all warnings, and the problem with each image"}},
		Summary: "show which process this was and why it died",
		Detail: `The lines under "status:" say why the process gave up, in its own words if the core
has them: the message of an abort or a failed assertion, the error or exception that
that was not caught, the text of a fatal error or a panic. Then they explain the
signal: the memory at the address that could not be accessed, and the instruction that
accessed it.`,
		Example: "::status",
		SeeAlso: []string{"siginfo", "coverage", "stack"},
		Run:     runStatus,
	},
	{
		Name:    "siginfo",
		Options: []commands.Option{{Letter: 'l', Help: "list the signals of the system, or the named signals"}},
		Args:    "[signal ...]",
		Summary: "show the signal that ended the process, field by field",
		Detail:  `The fields have the names of siginfo_t; see sigaction(2).`,
		Example: "::siginfo",
		SeeAlso: []string{"status"},
		Run:     runSiginfo,
	},
}
