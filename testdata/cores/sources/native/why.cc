// why MODE: dies in one of the ways that programs die, each in a function of its own,
// which main calls. testdata/cores/make names the verdict of each beside its core.
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifdef __clang__
#define CULPRIT extern "C" __attribute__((noinline, used))
#else
#define CULPRIT extern "C" __attribute__((noipa, used))
#endif

extern "C" const char *__asan_default_options(void);
const char *__asan_default_options(void) {
	return "abort_on_error=1:disable_coredump=0:unmap_shadow_on_exit=1:detect_leaks=0";
}

volatile int zero;
volatile int sink;
void *volatile kept;

struct Part { long a, b, c; int count; };
Part *volatile none;

CULPRIT int why_member(void) { return none->count + 1; }

CULPRIT int why_divide(void) { return 100 / zero + 1; }

CULPRIT int why_trap(void) {
	if (zero == 0) __builtin_trap();
	return 1;
}

CULPRIT int why_double_free(void) {
	char *p = static_cast<char *>(malloc(40));
	kept = p;
	free(p);
	free(kept);
	return 1;
}

CULPRIT int why_invalid_free(void) {
	static char text[64];
	kept = text + 8;
	free(kept);
	return 1;
}

CULPRIT int why_heap_overflow(void) {
	char *p = static_cast<char *>(malloc(2000)), *q = static_cast<char *>(malloc(2000));
	kept = p;
	memset(static_cast<char *>(kept) + zero, 'x', 2000 + 16);
	kept = q;
	free(kept);
	return 1;
}

CULPRIT int why_fortify(const char *text) {
	char small[8];
	strcpy(small, text);
	kept = small;
	return small[0];
}

CULPRIT int why_canary(const char *text, size_t n) {
	char small[16];
	kept = small;
	for (size_t i = 0; i < n; i++) static_cast<volatile char *>(kept)[i] = text[i % 4];
	return small[0];
}

struct Shape {
	Shape() { announce(); }
	virtual ~Shape() {}
	void announce();
	virtual int area() = 0;
};
struct Disc : Shape {
	int area() override { return 3; }
};
__attribute__((noinline)) void Shape::announce() { sink = area(); }

CULPRIT int why_pure_virtual(void) {
	Disc d;
	return d.area();
}

CULPRIT int why_misaligned(void) {
	static char room[64] __attribute__((aligned(16)));
#ifdef __x86_64__
	__asm__ volatile("movaps %%xmm0, (%0)" : : "r"(room + 1 + zero) : "memory");
#endif
	return room[2];
}

CULPRIT int why_truncated(void) {
	int fd = open("cut.map", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || ftruncate(fd, 8192) != 0) return 0;
	char *p = static_cast<char *>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
	if (p == MAP_FAILED || ftruncate(fd, 0) != 0) return 0;
	return p[4096 + zero];
}

CULPRIT int why_uncaught(void) {
	std::vector<int> v(3);
	return v.at(17 + zero);
}

CULPRIT int why_bad_alloc(void) {
	std::string *s = new std::string[1ul << (58 + zero)];
	kept = s;
	return 1;
}

CULPRIT int why_use_after(void) {
	int *p = new int[10];
	kept = p;
	delete[] p;
	return static_cast<volatile int *>(kept)[3] + 1;
}

CULPRIT int why_odd(int n);
CULPRIT int why_even(int n) {
	volatile char room[64];
	room[n & 63] = 1;
	return why_odd(n + 1) + room[1];
}
CULPRIT int why_odd(int n) {
	volatile char room[96];
	room[n & 63] = 1;
	return why_even(n + 1) + room[2];
}

CULPRIT int why_read_only(void) {
	volatile char *p = const_cast<char *>("constant");
	p[zero] = 'C';
	return 1;
}

CULPRIT int why_wild(void) {
	return *static_cast<volatile int *>(reinterpret_cast<void *>(0x4141414141414141ul + zero));
}

// Objects of a class with virtual functions, in memory that malloc keeps in its lists of
// small chunks, or in those of large ones.
struct Item {
	virtual long price(void) { return cost; }
	long cost = 1, more[3] = {};
};
struct Crate : Item {
	long goods[300] = {};
};
Item *volatile item;

CULPRIT int why_stale(void) {
	Item *first = new Item, *second = new Item;
	item = second;
	delete first;
	delete second;
	return static_cast<int>(item->price());
}

CULPRIT int why_stale_last(void) {
	item = new Item;
	delete item;
	return static_cast<int>(item->price());
}

CULPRIT int why_stale_large(void) {
	item = new Crate;
	kept = malloc(3000); // or it would be given back to the rest of the heap
	delete static_cast<Crate *>(item);
	return static_cast<int>(item->price());
}

CULPRIT int why_overrun(const char *text) {
	char *name = static_cast<char *>(malloc(24));
	item = new Item;
	kept = name;
	for (int i = 0; i < 24 + 8 + 16; i++) static_cast<volatile char *>(kept)[i] = text[i];
	return static_cast<int>(item->price());
}

CULPRIT int why_no_memory(void) {
	struct rlimit room = {64 << 20, 64 << 20};
	setrlimit(RLIMIT_AS, &room);
	for (;;) memset(kept = new char[1 << 20], 1, 1 << 20);
}

CULPRIT int why_jump_data(void) {
	unsigned char *page = static_cast<unsigned char *>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	memset(page, 0x06, 4096); // no instruction of this processor
	int (*volatile f)(void) = reinterpret_cast<int (*)(void)>(page);
	return f() + 1;
}

CULPRIT int why_alignment(void) {
	static char room[64] __attribute__((aligned(16)));
#ifdef __x86_64__
	long out;
	__asm__ volatile("pushfq; orl $0x40000, (%%rsp); popfq; movq (%1), %0" : "=r"(out) : "r"(room + 1 + zero) : "memory", "cc");
	sink = static_cast<int>(out);
#endif
	return room[2];
}

CULPRIT int why_quotient(void) {
	volatile int least = INT_MIN;
	return least / (zero - 1);
}

CULPRIT int why_throw_int(void) { throw 42 + zero; }

namespace { struct Hidden { int code; }; }
CULPRIT int why_throw_hidden(void) { throw Hidden{7 + zero}; }

CULPRIT int why_throw_nested(void) {
	try {
		throw std::runtime_error("the disk is full");
	} catch (...) {
		std::throw_with_nested(std::logic_error("cannot save"));
	}
}

CULPRIT int why_terminate(void) { std::terminate(); }

CULPRIT int why_rethrow(void) { throw; }

CULPRIT int why_noexcept(void) noexcept {
	if (zero == 0) throw std::out_of_range("out of the function that throws nothing");
	return 1;
}

CULPRIT int why_thread(void) {
	std::thread t([] { why_throw_int(); });
	t.join();
	return 1;
}

// refuse has the kernel answer one system call with an action, and those of another
// architecture than this one's alike.
static void refuse(int number, unsigned action) {
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
#ifdef __x86_64__
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 2),
#else
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_AARCH64, 0, 2),
#endif
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog rules = {6, code};
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &rules);
}

CULPRIT int why_forbidden(void) {
	refuse(SYS_getppid, SECCOMP_RET_TRAP);
	return getppid() + 1;
}

CULPRIT int why_forbidden_kill(void) {
	refuse(SYS_uname, SECCOMP_RET_KILL_PROCESS);
	struct utsname name;
	return uname(&name) + 1;
}

// The way of 32-bit programs into the kernel, where 20 is getpid.
CULPRIT int why_forbidden_32(void) {
	refuse(SYS_getppid, SECCOMP_RET_TRAP);
	long out = 20;
#ifdef __x86_64__
	__asm__ volatile("int $0x80" : "+a"(out) : : "memory", "r8", "r9", "r10", "r11");
#endif
	return static_cast<int>(out) + 1;
}

// The kernel's own writing of the core is bounded, too: the limit leaves room for it.
CULPRIT int why_file_limit(void) {
	struct rlimit room = {32 << 20, 32 << 20};
	setrlimit(RLIMIT_FSIZE, &room);
	int fd = open("cut.map", O_RDWR | O_CREAT | O_TRUNC, 0600);
	return static_cast<int>(pwrite(fd, "more", 4, 32 << 20)) + 1;
}

CULPRIT int why_breakpoint(void) {
#ifdef __x86_64__
	__asm__ volatile("int3");
#else
	__builtin_trap();
#endif
	return zero + 1;
}

CULPRIT int why_cpu_limit(void) {
	struct rlimit second = {1, 2};
	setrlimit(RLIMIT_CPU, &second);
	for (;;) sink = sink + 1;
}

int main(int argc, char **argv) {
	const std::string mode = argc > 1 ? argv[1] : "";
	const char *text = "a text that is longer than what it is copied to, and then some more of it";
	if (mode == "member") return why_member();
	if (mode == "divide") return why_divide();
	if (mode == "trap") return why_trap();
	if (mode == "double-free") return why_double_free();
	if (mode == "invalid-free") return why_invalid_free();
	if (mode == "heap-overflow") return why_heap_overflow();
	if (mode == "fortify") return why_fortify(text);
	if (mode == "canary") return why_canary(text, 64);
	if (mode == "pure-virtual") return why_pure_virtual();
	if (mode == "misaligned") return why_misaligned();
	if (mode == "truncated") return why_truncated();
	if (mode == "uncaught") return why_uncaught();
	if (mode == "bad-alloc") return why_bad_alloc();
	if (mode == "use-after") return why_use_after();
	if (mode == "mutual") return why_even(0);
	if (mode == "read-only") return why_read_only();
	if (mode == "wild") return why_wild();
	if (mode == "null-call") return reinterpret_cast<int (*volatile *)(void)>(&kept)[0]();
	if (mode == "stale") return why_stale();
	if (mode == "stale-last") return why_stale_last();
	if (mode == "stale-large") return why_stale_large();
	if (mode == "overrun") return why_overrun(text);
	if (mode == "no-memory") return why_no_memory();
	if (mode == "jump-data") return why_jump_data();
	if (mode == "alignment") return why_alignment();
	if (mode == "quotient") return why_quotient();
	if (mode == "throw-int") return why_throw_int();
	if (mode == "throw-hidden") return why_throw_hidden();
	if (mode == "throw-nested") return why_throw_nested();
	if (mode == "terminate") return why_terminate();
	if (mode == "rethrow") return why_rethrow();
	if (mode == "noexcept") return why_noexcept();
	if (mode == "thread") return why_thread();
	if (mode == "forbidden") return why_forbidden();
	if (mode == "forbidden-kill") return why_forbidden_kill();
	if (mode == "forbidden-32") return why_forbidden_32();
	if (mode == "file-limit") return why_file_limit();
	if (mode == "breakpoint") return why_breakpoint();
	if (mode == "cpu-limit") return why_cpu_limit();
	fprintf(stderr, "why: no mode %s\n", mode.c_str());
	return 2;
}
