package cxx

import (
	"strings"
	"testing"
)

// header is a small version of V8's headers.
const header = `
#ifndef A_H_
#define A_H_
#if defined(SMALL) && __has_include("x.h")
#error no
#elif SMALL
#define WORD uint32_t
#else
#define WORD uint64_t
#endif
#define IF_WASM(V, ...) V(__VA_ARGS__)
#define FRAMES(V) V(ENTRY, Entry) \
  IF_WASM(V, WASM, Wasm) /* a comment */ V(EXIT, Exit)
#define FIELDS(V) V(kFirstOffset, kWordSize) V(kSecondOffset, 4) V(kHeaderSize, 0)
#define ONE(name, size) name, name##End = name + (size) - 1,
#define MEMBER(Type, name)                                                \
  Type member_[0];                                                        \
 public:                                                                  \
  template <typename Class> static constexpr int Start() {                \
    static_assert(sizeof(Class) > 0); return static_cast<int>(offsetof(Class, member_)); } \
 private:                                                                 \
  using Unused = Type
namespace v8 {
namespace internal {
namespace base {
template <class T, int shift, int size, class U = uint32_t>
class BitField final {
 public:
  static constexpr int kShift = shift;
  static constexpr U kMask = ((U{1} << kShift) << size) - (U{1} << kShift);
  template <class T2, int size2> using Next = BitField<T2, kShift + size, size2, U>;
};
}
namespace i = v8::internal;
using Word = WORD;
constexpr int kWordSize = sizeof(Word);
constexpr int RoundUp(int n, int m) { return (n + m - 1) & ~(m - 1); }
template <int n> struct Tag;
template <> struct Tag<4> { enum { kShift = 0 }; };
template <> struct Tag<8> { enum { kShift = 31 }; };
constexpr int kShift = Tag<sizeof(Word)>::kShift;
class StackFrame { public: enum Type { NO_TYPE = 0,
#define DECLARE(type, ignored) type,
FRAMES(DECLARE)
#undef DECLARE
 NUMBER }; Type type() const; };
enum class Kind : uint8_t { kA, kB = 5, kC };
template <typename T> class Member { Word ptr_; };
_Pragma("pack(push)") _Pragma("pack(4)")
class Object { public: inline int size() const; static const int kHeaderSize; private: Member<Object> map_; };
class Array : public Object {
 public:
  using A = base::BitField<bool, 0, 3>; using B = A::Next<int, 4>;
  Array() : length_(0), x{1} {}
  bool operator==(const Array& a) const { return length_ == a.length_; }
 private:
  friend class Object;
  std::atomic<int32_t> length_{0}; Kind kind_; uint8_t pad_[3]; double wide_;
  union { Word one_; uint8_t two_; };
  MEMBER(Word, data);
};
_Pragma("pack(pop)")
inline constexpr int Object::kHeaderSize = sizeof(Object);
class Late : public Object { public: static constexpr int kOffset = sizeof(Object); uint32_t a_; };
class Old : public Object { public: enum { kStart = Object::kHeaderSize - 1, FIELDS(ONE) }; };
struct Natural { uint8_t a_; double b_; Natural* c_; };
constexpr int kBig = kWordSize == 8 ? 1 : undeclared;
}
}
#endif
`

// open reads header as a.h.
func open(t *testing.T, defines ...string) (*Preprocessor, Env) {
	t.Helper()
	p := NewPreprocessor(defines, func(name string) (string, bool) { return header, name == "a.h" })
	if !p.Include("a.h") || p.Include("b.h") {
		t.Fatal("a.h is read, b.h is not there")
	}
	v8 := Parse(p.Tokens()).Names["v8"]
	if v8 == nil {
		t.Fatal("no namespace v8")
	}
	return p, Global(v8.Scope.Names["internal"].Scope)
}

func TestEval(t *testing.T) {
	for _, test := range []struct {
		expr         string
		wide, narrow int64 // words of 8 and 4 bytes
	}{
		{"kWordSize", 8, 4}, {"kShift", 31, 0}, {"::v8::internal::i::kWordSize", 8, 4},
		{"StackFrame::EXIT", 3, 3}, {"static_cast<int>(Kind::kC)", 6, 6}, {"sizeof(Kind)", 1, 1},
		{"Array::A::kMask", 7, 7}, {"Array::B::kShift", 3, 3}, {"Array::B::kMask", 0x78, 0x78},
		{"offsetof(Array, length_)", 8, 4}, {"offsetof(Array, wide_)", 16, 12}, {"offsetof(Array, two_)", 24, 20},
		{"Array::template Start<Array>()", 32, 24}, {"sizeof(Array)", 32, 24}, {"Object::kHeaderSize", 8, 4},
		{"offsetof(Late, a_) + Late::kOffset", 16, 8},
		{"Old::kSecondOffset", 16, 8}, {"Old::kHeaderSize", 20, 12}, {"sizeof(Natural)", 24, 24},
		{"alignof(Natural)", 8, 8},
		{"RoundUp(kWordSize + 1, 8)", 16, 8}, {"static_cast<uint8_t>(-1)", 255, 255}, {"(int8_t)255", -1, -1},
		{"1 << 3 | 2", 10, 10}, {"256 >> 4 > 3 && !0", 1, 1}, {"'A' + 0x10", 81, 81}, {"std::max(3, 7) % 4", 3, 3},
		{"-7 / 2 ^ 1", -4, -4},
	} {
		for _, defines := range [][]string{nil, {"SMALL"}} {
			p, env := open(t, defines...)
			want := test.wide
			if defines != nil {
				want = test.narrow
			}
			if got, err := env.EvalTokens(p.Expand(test.expr)); err != nil || got != want {
				t.Errorf("%s with %v = %d, %v; want %d", test.expr, defines, got, err, want)
			}
		}
	}
}

func TestEvalErrors(t *testing.T) {
	_, env := open(t, "SMALL")
	for expr, want := range map[string]string{
		"kBig": "undeclared", "Nothing::kX": "not declared", "1 / 0": "division by zero",
		"sizeof(Undefined)":      "Undefined",
		"offsetof(Array, none_)": "no field none_", "1 +": "ends early", "": "no expression",
	} {
		if got, err := env.Eval(expr); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s = %d, %v; want an error with %q", expr, got, err, want)
		}
	}
}

func TestRows(t *testing.T) {
	p, env := open(t)
	rows := p.Rows("FRAMES", 1)
	if len(rows) != 3 || Join(rows[1].Args[1]) != "Wasm" || rows[1].Pos != (Pos{"a.h", 13}) {
		t.Errorf("rows of FRAMES: %v", rows)
	}
	if p.Rows("NOTHING", 1) != nil {
		t.Error("rows of a list that is not there")
	}
	d, err := env.Find("Array::length_")
	if err != nil || d.Pos.File != "a.h" || d.Path() != "v8::internal::Array::length_" {
		t.Errorf("Find: %v, %v", d, err)
	}
	if c := d.In.Decl; !env.IsA(c, "Object") || env.IsA(c, "Natural") {
		t.Error("an Array is an Object and not a Natural")
	}
}
