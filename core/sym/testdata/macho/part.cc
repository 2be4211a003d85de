// The part of the program that comes from an archive.
namespace shapes {
static inline __attribute__((always_inline)) int square(int n) { return n * n; }
int other(int n) { return square(n) + square(n + 1); }
} // namespace shapes
