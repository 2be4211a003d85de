//go:build linux

package main

import "math/rand/v2"

// subcommands are asked now and then, instead of command lines; they write to standard
// output.
var subcommands = [][]string{
	{"report", "-o", "-"},
	{"bundle", "-o", "-"},
	{"bundle", "-redact", "-lean", "-o", "-"},
	{"triage", "-no-sandbox"},
	{"triage"},
	{"mcp", "-offline", "-no-cache"},
	{"mcp", "-offline", "-no-cache", "-redact"},
	{"dap", "-offline", "-no-cache"},
	{"dap", "-offline", "-no-cache"},
}

// lines are what is typed, in the folder of the copy. Together they run every command that reads the core; a test
// holds them to that.
var lines = []string{
	"::status -v", "::why stack", "::analyze", "::signature", "::siginfo", "::stack", "::stack -v", "::stacks -a",
	"$C 200", "$c",
	"::threads", "::threads -t", "::regs", "::fpregs", "::objects -v", "::sections", "::sections -c", "::mappings",
	"::notes", "::coverage",
	"::auxv", "::argv",
	"::env", "::mutexes", "::deadlock", "::findstack", "::frame 1", "::locals -x -d 3", "::args", "::nm ! head",
	"::annotations",
	"::walk thread | ::stack", "::walk thread | ::locals", "::walk frame | ::whatis", "::walk symbol ! head -50",
	"::walk mapping | ::whatis", "::walk mapping | ::dump 64", "<pc::dis", "<sp::dump 4096", "<sp,100/nap", "<pc,40/i",
	"<sp::whatis -v",
	"<sp::whattype", "<sp::ugrep", "<sp::memtag", "<sp::ucontext", "<sp::list int next", "::findstr -l 4 Error",
	"::source", "::frame -v", "::lookup main", "::sources ! head", "::jsglobal", "::print errno",
	"::goroutines -v", "::walk goroutine | ::goroutine", "::goroutines -g",
	"::jsstack -v", "::jsstack -a", "::jsfunctions", "::findjsobjects", "::findjsobjects -v ! head -500", "::jsscripts",
	"::isolates", "::realms", "::promises -p",
	"::walk jsframe | ::jsframe", "::walk jsobject | ::head -n 300 | ::jsprint -d 3",
	"::walk jsfunction | ::head -n 100 | ::jssource",
	"::walk jsfunction | ::head -n 100 | ::jsclosure", "::walk jsfunction | ::head -n 50 | ::v8bytecode",
	"::walk jsobject | ::head -n 50 | ::jsfindrefs",
	"::walk jsobject | ::head -n 100 | ::v8print", "::walk jsobject | ::head -n 100 | ::jsconstructor",
	"::walk promise | ::asyncstack", "::walk jsfunction | ::jsfunction ! head -200",
	"::walk jsobject | ::head -n 200 | ::jserror", "::walk jsobject | ::head -n 50 | ::retained", "::v8version -v",
	"::v8verify", "::v8heap", "::v8spaces", "::v8warnings", "::nodeinfo", "::nodefatal",
	"::handles", "::requests", "::timers", "::ticks", "::uvloop", "::dupstrings", "::bigarrays", "::heapstat -r",
	"::heapstat", "::leaks", "::dominators", "::roots",
	"::heapmap -o out.svg", "::walk jsobject | ::head -n 5 | ::gcroot", "::walk jsobject | ::head -n 5 | ::refs",
	"::find Object", "::v8classes", "::v8types",
	"::javastack -a", "::jvm -a", "::jvm -p", "::jstackdump", "::walk javathread | ::javastack -v", "::javathreads",
	"::javamonitors", "::javaexception", "::javaheap", "::javaspaces", "::javaclass ! head -200", "::classloaders",
	"::finalizers",
	"::jniref", "::oat", "::dexfile", "::dex", "::artversion", "::arttrace", "::tombstone", "::getprop",
	"::walk javaobject | ::head -n 300 | ::javaprint -d 3",
	"::walk javaobject | ::head -n 20 | ::refby", "::walk artmethod | ::head -n 100 | ::artmethod",
	"::walk artmethod | ::head -n 100 | ::codeinfo", "::walk javaframe | ::javaframe",
	"::walk javaclass | ::head -n 100 | ::javaclass -m", "::managedstack", "::walk javathread | ::stack",
	"::walk javaobject | ::head -n 5 | ::gcroot", "::javasearch x",
	"::walk dexfile | ::dexfile", "<sp::array int 100", "::walk artmethod | ::head -n 5 | ::artfield", "<sp::arttype",
	"::walk jsobject | ::head -n 300 | ::jsarray", "::walk jsfunction | ::head -n 100 | ::jscontext",
	"::walk jsobject | ::head -n 300 | ::nodebuffer", "::walk jsobject | ::head -n 3 | ::objects-like",
	"::sizeof int", "::ptype int", "<sp::examine 8xg", "::types ^p", "::print -- '*(long *)$sp@4'", "::offsetof pthread_mutex_t __data", "::vtable ^p",
	"<sp::printf %d int .", "<sp::quickframe", "<sp::shadowframe", "::walk jsobject | ::head -n 50 | ::v8array",
	"<pc::v8code", "::walk jsfunction | ::head -n 50 | ::v8context", "::v8frametypes",
	"::walk jsfunction | ::head -n 100 | ::v8function", "::walk jsobject | ::head -n 100 | ::v8internal",
	"::walk jsobject | ::head -n 50 | ::v8scopeinfo", "::walk jsobject | ::head -n 100 | ::v8str",
	"::walk jsobject | ::head -n 100 | ::v8type", "::walk jsobject | ::head -n 100 | ::v8whatis", "::malloc -v",
	"::malloc -t", "::findleaks -v", "::findleaks -c", "::heapcheck", "::memory", "::cxxobjects",
	"::walk chunk | ::head -n 200 | ::chunk",
	"::walk chunk | ::head -n 200 | ::whatis", "::heapprof -o out.pb.gz", "::heapsnapshot -o out.heapsnapshot",
	"::hprof -o out.hprof",
}

// ask returns how coredbg is called, up to the core.
func ask(r *rand.Rand) []string {
	if r.IntN(6) == 0 {
		return subcommands[r.IntN(len(subcommands))]
	}
	args := []string{"-S", "-k", "-offline", "-no-cache"}
	if r.IntN(2) == 0 {
		args = append(args, "-json")
	}
	if r.IntN(3) > 0 {
		args = append(args, "-e", "::status", "-e", "::stacks -a")
	}
	for range 4 {
		args = append(args, "-e", lines[r.IntN(len(lines))])
	}
	return args
}
