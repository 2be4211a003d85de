// Exceptions of D that nothing handles: thrown MODE. The unwinder finds no handler, since rt_trapExceptions is off.
// Truth: the runtime library prints each exception as CLASS@FILE(LINE): MESSAGE, the program the function that
// throws.
module thrown;
import core.stdc.stdio : fprintf, stderr;
import core.sys.posix.pthread;
import core.thread : Thread, thread_attachThis;
import std.conv : to;

extern (C) __gshared string[] rt_options = ["trapExceptions=0"];

class Broken : Exception
{
    int order;
    this(string text, int order, string file = __FILE__, size_t line = __LINE__) { super(text, file, line); this.order = order; }
}

class Lost : Exception { this(string text, Throwable next, string file = __FILE__, size_t line = __LINE__) { super(text, file, line, next); } }

__gshared ubyte[] held;

/// says that a function is going to throw.
void dies(string name = __FUNCTION__) { fprintf(stderr, "thrown by %.*s\n", cast(int) name.length, name.ptr); }

void plain(int n) { dies(); if (n > 1) throw new Exception("order 1007 has no address"); }
void own(int n) { dies(); throw new Broken("größe of order 8 is not known", n); }
int range(int[] list, size_t i) { dies(); return list[i]; }
void asserts(int total) { dies(); assert(total == 3, "the total is wrong"); }
void disk() { throw new Broken("disk 3 is gone", 3); }
void chain() { try disk(); catch (Broken e) { dies(); throw new Lost("the index cannot be read", new Lost("block 9 cannot be read", e)); } }
void close() { throw new Broken("closing failed", 5); }
void open() { try throw new Broken("opening failed", 4); finally close(); }
void finals() { try open(); catch (Exception e) { dies(); throw e; } }
ubyte[] memory(size_t n) { dies(); return new ubyte[n]; }
int library(string text) { dies(); return to!int(text); }
void inner(int n) { dies(); throw new Error("a thread gave up"); }
extern (C) void* work(void*) { thread_attachThis(); inner(5); return null; }
void thread() { pthread_t t; pthread_create(&t, null, &work, null); pthread_join(t, null); }
void job() { throw new Broken("the job failed", 6); }
void joined() { auto t = new Thread(&job); t.start(); dies(); t.join(); }

void main(string[] args)
{
    int n = cast(int) args.length;
    switch (args[1])
    {
    case "plain": plain(n); break;
    case "own": own(n); break;
    case "range": range([1, 2, 3], n + 3); break;
    case "assert": asserts(n); break;
    case "chain": chain(); break;
    case "finally": finals(); break;
    case "memory": held = memory(size_t.max / 4 + n); break;
    case "library": library("12x"); break;
    case "thread": thread(); break;
    case "joined": joined(); break;
    default: break;
    }
}
