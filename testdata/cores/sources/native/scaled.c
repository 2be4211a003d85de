/* scaled N: dies below functions whose frames grow with the processor's vectors: what they keep
 * in z8 to z23 and p4 to p15 has its place on the stack in terms of VG. */
#include <arm_sve.h>
#include <stdlib.h>
#include <sys/prctl.h>

volatile int *volatile none;
volatile int sink;

__attribute__((noinline)) svint32_t poke(svint32_t a, svint32_t b) {
	sink = *none;
	return svadd_x(svptrue_b32(), a, b);
}

__attribute__((noinline)) svint32_t keep(svint32_t a, svint32_t b, int depth) {
	svint32_t c = depth > 0 ? keep(b, a, depth - 1) : poke(a, b);
	return svmla_x(svptrue_b32(), c, a, b);
}

__attribute__((noinline)) int sum(int n) {
	char *room = __builtin_alloca(n * 16);
	room[0] = n;
	svint32_t v = keep(svindex_s32(n, 1), svdup_s32(room[0]), n);
	return svaddv(svptrue_b32(), v);
}

int main(int argc, char **argv) {
	if (prctl(50, VL) < 0) return 2; /* PR_SVE_SET_VL, from the next execve on too */
	return sum(atoi(argv[1])) + 1;
}
