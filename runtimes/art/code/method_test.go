package code

import "testing"

// TestReferenceArgs counts the objects among the arguments of a prototype.
func TestReferenceArgs(t *testing.T) {
	for signature, want := range map[string]int{
		"": 0, "()V": 0, "(IJ)Ljava/lang/String;": 0, "(Ljava/lang/String;I[[ILjava/util/List;)V": 3,
		"([Ljava/lang/String;)V": 1, "([": 1, "(L": 1, "([[": 1, // the last are cut short
	} {
		if got := (&Method{Signature: signature}).ReferenceArgs(); got != want {
			t.Errorf("%q: %d, want %d", signature, got, want)
		}
	}
}

// TestArgumentTypes has a letter for each argument.
func TestArgumentTypes(t *testing.T) {
	for signature, want := range map[string]string{
		"": "", "()V": "", "(IJ)Ljava/lang/String;": "IJ", "(ZLjava/lang/String;D[[ILjava/util/List;[Lx;F)V": "ZLDLLLF",
	} {
		if got := (&Method{Signature: signature}).ArgumentTypes(); got != want {
			t.Errorf("%q: %q, want %q", signature, got, want)
		}
	}
}

func TestMethodNames(t *testing.T) {
	for want, m := range map[string]Method{
		"<kSaveRefsAndArgs>":       {Runtime: true, Name: "kSaveRefsAndArgs"},
		"a.B.c":                    {Class: "a.B", Name: "c"},
		"Method@7 of /x/base.apk":  {Name: "Method@7", Dex: &DexFile{Location: "/x/base.apk"}},
		"Method@7 of DexFile 0x50": {Name: "Method@7", Dex: &DexFile{Addr: 0x50}},
		"Method@7":                 {Name: "Method@7"},
		"ArtMethod 0x40":           {Addr: 0x40},
	} {
		if got := m.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestModifiers writes access flags in the order of java.lang.reflect.Modifier.
func TestModifiers(t *testing.T) {
	for _, c := range []struct {
		flags  uint32
		method bool
		want   string
	}{
		{0x19, true, "public static final"}, {0x122, true, "private synchronized native"},
		{0xc2, false, "private volatile transient"}, {0xc2, true, "private"},
		{0x401, false, "public abstract"}, {0, true, ""},
	} {
		if got := Modifiers(c.flags, c.method); got != c.want {
			t.Errorf("%#x: %q, want %q", c.flags, got, c.want)
		}
	}
}

func TestSameEntry(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"/system/framework/core-oj.jar", "/apex/com.android.art/javalib/core-oj.jar", true},
		{"core-oj.jar", "/x/core-oj.jar", true}, {"/x/a.jar", "/x/b.jar", false}, {"", "", true},
		{"/x/base.apk!classes2.dex", "/y/base.apk", false},
	} {
		if got := sameEntry(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}
