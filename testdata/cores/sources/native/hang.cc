// hang MODE: does not end by itself, for a reason of its own, and waits for what ends it. With
// ",reported" after the mode it handles SIGABRT, and then raises it; with ",watched" a thread of its
// own sends it SIGQUIT.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define PLACE extern "C" __attribute__((noinline, used))
#else
#define PLACE extern "C" __attribute__((noinline, noclone, used))
#endif

static std::mutex first, second, third;
static pthread_barrier_t together;
static std::condition_variable work;
volatile unsigned long turns;

PLACE void hang_take(std::mutex *mine, std::mutex *other) {
	mine->lock();
	pthread_barrier_wait(&together);
	other->lock();
	turns = turns + 1;
}

PLACE void hang_wait(void) {
	static std::mutex m;
	std::unique_lock<std::mutex> l(m);
	work.wait(l, [] { return turns == 1; });
}

PLACE void hang_queue(std::mutex *m) {
	m->lock();
	turns = turns + 1;
}

PLACE void hang_spin(void) {
	for (;;) turns = turns + 1;
}

PLACE void hang_sleep(void) {
	for (;;) sleep(1000);
}

static pthread_rwlock_t shelf = PTHREAD_RWLOCK_INITIALIZER, drawer = PTHREAD_RWLOCK_INITIALIZER;

PLACE void hang_write(pthread_rwlock_t *mine, pthread_rwlock_t *other, bool reads) {
	pthread_rwlock_wrlock(mine);
	pthread_barrier_wait(&together);
	if (reads) pthread_rwlock_rdlock(other); else pthread_rwlock_wrlock(other);
	turns = turns + 1;
}

PLACE void hang_read(pthread_rwlock_t *l) {
	pthread_rwlock_rdlock(l);
	pthread_barrier_wait(&together);
	hang_sleep();
}

PLACE void hang_change(pthread_rwlock_t *l) {
	pthread_rwlock_wrlock(l);
	turns = turns + 1;
}

// hang_report is a handler as programs have them that write what they can, and raise the signal again.
PLACE void hang_report(int number, siginfo_t *, void *) {
	static const char said[] = "aborted\n";
	if (write(2, said, sizeof said - 1) == sizeof said - 1) raise(number);
	turns = turns + 1;
}

// hang_watch is a watchdog of the program's own, which has no part in what hangs.
PLACE void hang_watch(void) {
	sleep(1);
	kill(getpid(), SIGQUIT);
	hang_sleep();
}

static void settled() {
	usleep(200000);
	puts("ready");
	fflush(stdout);
}

int main(int argc, char **argv) {
	std::string mode = argc > 1 ? argv[1] : "";
	if (const size_t n = mode.find(",reported"); n != std::string::npos) {
		mode.erase(n);
		struct sigaction a = {};
		a.sa_sigaction = hang_report;
		a.sa_flags = SA_SIGINFO | SA_RESETHAND;
		sigaction(SIGABRT, &a, nullptr);
	}
	if (const size_t n = mode.find(",watched"); n != std::string::npos) {
		mode.erase(n);
		std::thread(hang_watch).detach();
	}
	if (mode == "two") { // and a bystander, who is in no circle
		pthread_barrier_init(&together, nullptr, 2);
		std::thread a(hang_take, &first, &second), b(hang_take, &second, &first), c(hang_wait);
		settled();
		a.join();
	} else if (mode == "three") { // and one more who waits for what is in the circle
		pthread_barrier_init(&together, nullptr, 3);
		std::thread a(hang_take, &first, &second), b(hang_take, &second, &third), c(hang_take, &third, &first);
		usleep(100000);
		std::thread d(hang_queue, &first);
		settled();
		a.join();
	} else if (mode == "self") {
		settled();
		first.lock();
		hang_queue(&first);
	} else if (mode == "join") { // the thread waits for what main holds, and main for the thread
		first.lock();
		std::thread a(hang_queue, &first);
		settled();
		a.join();
	} else if (mode == "spin") {
		std::thread a(hang_wait), b(hang_wait);
		settled();
		hang_spin();
	} else if (mode == "spin-thread") {
		std::thread a(hang_wait), b(hang_spin);
		settled();
		hang_sleep();
	} else if (mode == "idle") { // all is well
		std::thread a(hang_wait), b(hang_wait);
		settled();
		hang_sleep();
	} else if (mode == "writers") { // one of them only wants to read
		pthread_barrier_init(&together, nullptr, 2);
		std::thread a(hang_write, &shelf, &drawer, true), b(hang_write, &drawer, &shelf, false);
		settled();
		a.join();
	} else if (mode == "readers") { // all is well: main and another one read, and a third wants to write
		pthread_barrier_init(&together, nullptr, 2);
		std::thread a(hang_read, &shelf);
		pthread_rwlock_rdlock(&shelf);
		pthread_barrier_wait(&together);
		std::thread b(hang_change, &shelf);
		settled();
		hang_sleep();
	} else if (mode == "queue") { // all is well: main gives the lock back in time
		first.lock();
		std::thread a(hang_queue, &first), b(hang_queue, &first);
		settled();
		hang_sleep();
	}
	return 2;
}
