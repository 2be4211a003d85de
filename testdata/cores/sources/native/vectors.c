/* vectors MODE BYTES: fills registers of arm64 whose size the processor chooses with values, writes
 * down what is in each, as memory would have it, and dies at once.
 *   sve    Z, P and FFR of so many bytes
 *   ssve   Z and P in streaming mode
 *   za     ZA; Z, P and FFR outside of streaming mode
 *   both   streaming mode and ZA
 *   zt     ZA and ZT0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#define SVE_SET_VL 50
#define SME_SET_VL 63
#define EACH(x) x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7) x(8) x(9) x(10) x(11) x(12) x(13) x(14) x(15)
#define MORE(x) x(16) x(17) x(18) x(19) x(20) x(21) x(22) x(23) x(24) x(25) x(26) x(27) x(28) x(29) x(30) x(31)
#define P(n) asm volatile("ldr p" #n ", [%0]" ::"r"(p[n]) : "memory");
#define Z(n) asm volatile("ldr z" #n ", [%0]" ::"r"(z[n]) : "memory");

static unsigned char z[32][256], p[16][32], ffr[32], za[256 * 256], zt[64];

/* Changing a mode zeroes registers, so that comes first. */
__attribute__((noinline, target("+sve"))) void fill_and_die(int streaming, int matrix, int table, unsigned vl) {
	if (streaming) asm volatile(".arch_extension sme\n smstart sm" ::: "memory");
	if (matrix) asm volatile(".arch_extension sme\n smstart za" ::: "memory");
	for (unsigned i = 0; matrix && i < vl; i++)
		asm volatile(".arch_extension sme\n mov w12, %w0\n ldr za[w12, 0], [%1]" ::"r"(i), "r"(za + i * vl) : "w12", "memory");
	if (table) asm volatile("mov x1, %0\n .inst 0xe11f8020 // ldr zt0, [x1]" ::"r"(zt) : "x1", "memory");
	if (!streaming) asm volatile("ldr p0, [%0]\n wrffr p0.b" ::"r"(ffr) : "p0", "memory");
	EACH(P)
	EACH(Z)
	MORE(Z)
	asm volatile("mov x1, xzr\n str x1, [x1, 16]" ::: "x1", "memory");
}

static void says(const char *name, int n, const unsigned char *b, int size) {
	printf(n < 0 ? "%s " : strcmp(name, "za") ? "%s%d " : "%s[%d] ", name, n);
	for (int i = 0; i < size; i++) printf("%02x", b[i]);
	printf("\n");
}

int main(int argc, char **argv) {
	const char *mode = argv[1];
	unsigned vl = atoi(argv[2]);
	int table = !strcmp(mode, "zt"), streaming = !strcmp(mode, "ssve") || !strcmp(mode, "both");
	int matrix = table || !strcmp(mode, "za") || !strcmp(mode, "both");
	if ((streaming || matrix) && prctl(SME_SET_VL, vl) < 0 || !streaming && prctl(SVE_SET_VL, vl) < 0) {
		perror("no vectors of this length");
		return 2;
	}
	for (unsigned n = 0; n < 32; n++)
		for (unsigned i = 0; i < vl; i++) z[n][i] = n * 16 + i + 1;
	for (unsigned n = 0; n < 16; n++)
		for (unsigned i = 0; i < vl / 8; i++) p[n][i] = n * 32 + i + 3;
	memset(ffr, 0xff, vl / 16);
	if (!streaming) memcpy(p[0], ffr, vl / 8);
	for (unsigned n = 0; n < vl; n++)
		for (unsigned i = 0; i < vl; i++) za[n * vl + i] = n * 8 + i + 5;
	for (unsigned i = 0; i < 64; i++) zt[i] = i * 3 + 7;
	printf("vl %d\n", vl);
	for (int n = 0; n < 32; n++) says("z", n, z[n], vl);
	for (int n = 0; n < 16; n++) says("p", n, p[n], vl / 8);
	if (!streaming) says("ffr", -1, ffr, vl / 8);
	for (unsigned n = 0; matrix && n < vl; n++) says("za", n, za + n * vl, vl);
	if (table) says("zt0", -1, zt, 64);
	printf("svcr %d\n", streaming | matrix << 1);
	fflush(stdout);
	fill_and_die(streaming, matrix, table, vl);
	return 0;
}
