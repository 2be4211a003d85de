package text

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// External strings have their characters with the embedder, in a resource: an object of C++ whose layout is
// the embedder's except the virtual table in front and, in newer V8, the address that the resource gave V8. A
// string that is large enough keeps that address itself. Else it is taken from the resource only if the words
// next to it agree with the string. Source: objects/string.h, objects/string-inl.h (update_data_cache),
// include/v8-primitive.h @ 15.0; Blink's platform/bindings/string_resource.h and parkable_string.h,
// platform/wtf/text/string_impl.h of Chromium 87, 102 and 156.

const (
	// resourceCache is cached_data_ of v8::String::ExternalOneByteStringResource.
	resourceCache = 8
	// A WTF::StringImpl has a reference count, the length, a hash with flags, and the characters.
	implLength, implFlags, implChars = 4, 8, 12
	// implOneByte is the flag of characters of one byte. In Chromium 85 the flags were after the hash.
	implOneByte, earlyOneByte = 1, 1 << 27
	// A ParkableStringImpl has a reference count, a WTF::String, and the metadata of a string that may be
	// parked; platform/bindings/parkable_string.h.
	parkableText, parkableMetadata = 8, 16
	// mostBase bounds the bytes of the base that a resource of Blink has in front; it has 32 or 40.
	mostBase = 64
)

// resourcePairs are the offsets of the address of a resource's characters, with their number after it:
// in V8's own resources (ExtensionResource), then in the resources of Node, Deno and workerd.
var resourcePairs = [...]int64{8, 16, 24}

// Why the characters of an external string are not known.
const (
	noResource     = "its resource cannot be read"
	strangeContent = "what its resource looks like is not known"
	parkedText     = "Blink has parked its characters: compressed, or on disk"
)

// A resource is the resource of an external string.
type resource struct {
	*Strings
	at      core.Addr
	length  uint32
	oneByte bool
}

// ResourceData finds the characters of an external string by its resource, even if the string has their address.
func (r *Strings) ResourceData(s layout.Tagged, typ int, length uint32) (core.Addr, string) {
	return r.externalData(s, typ|r.Layout.String.UncachedTag, length)
}

// externalData finds the characters of the external string s of a type, or says why it does not.
func (r *Strings) externalData(s layout.Tagged, typ int, length uint32) (core.Addr, string) {
	l := &r.Layout.String
	if r.KeepsAddress(typ) {
		if p, ok := r.StringField(s, l.ExternalData); ok && p != 0 {
			return p, ""
		}
	}
	at, ok := r.StringField(s, l.ExternalResource)
	x := &resource{r, at, length, typ&l.OneByteTag != 0}
	if _, ok1 := r.Word(at); !ok || !ok1 || at == 0 {
		return 0, noResource
	}
	base, ofBlink := x.base()
	why := strangeContent
	if ofBlink {
		var p core.Addr
		if p, why = x.blink(base); why == "" {
			return p, ""
		}
	}
	if p, ok := r.Word(x.at + resourceCache); ok && p != 0 && x.hasCache() {
		if _, ok := r.Word(core.Addr(p) &^ 7); ok {
			return core.Addr(p), ""
		}
	}
	if ofBlink {
		return 0, why
	}
	for _, off := range resourcePairs {
		p, ok := r.Word(x.at.Add(off))
		n, ok1 := r.Word(x.at.Add(off + 8))
		if ok1 && n == 0 { // Node 18 has an address for characters of one byte, and one for characters of two
			n, ok1 = r.Word(x.at.Add(off + 16))
		}
		if ok && ok1 && p != 0 && n == uint64(x.length) {
			return core.Addr(p), ""
		}
	}
	return 0, strangeContent
}

// KeepsAddress reports whether strings of a type are external ones that keep the address of their characters.
func (r *Strings) KeepsAddress(typ int) bool {
	l := &r.Layout.String
	return typ < l.FirstNonstringType && typ&l.RepresentationMask == l.ExternalTag && typ&l.UncachedTag == 0
}

// RefersOutside reports whether what refers to the map of external strings may be one of them: it has
// characters, and a resource or a handle of one.
func (r *Strings) RefersOutside(s layout.Tagged) bool {
	n, ok := r.U32Field(s, r.Layout.String.Length)
	at, ok1 := r.U32Field(s, r.Layout.String.ExternalResource)
	return ok && ok1 && n != 0 && at != 0
}

// hasCache reports whether V8's class of resources may have cached_data_, which is null where the
// characters may move.
func (x *resource) hasCache() bool { return x.Layout.String.CachedData == 1 }

// base returns the start of the object if the resource is a later base of it: the virtual table has the
// distance, in the C++ ABI of all systems except Windows.
func (x *resource) base() (core.Addr, bool) {
	table, ok := x.Word(x.at)
	top, ok1 := x.Word(core.Addr(table) - 16)
	size := -int64(top)
	return x.at.Add(-size), ok && ok1 && size > 0 && size <= mostBase && size&7 == 0
}

// blink finds the characters in the base of a resource of Blink, a StringResourceBase: after its
// virtual table are a String, an AtomicString and a ParkableString. All that are not null have the
// same text.
func (x *resource) blink(base core.Addr) (core.Addr, string) {
	why := strangeContent
	for at := base + 8; at < x.at; at += 8 {
		w, ok := x.Word(at)
		if !ok || w == 0 {
			continue
		}
		if p, ok := x.text(core.Addr(w)); ok {
			return p, ""
		}
		text, ok := x.Word(core.Addr(w) + parkableText)
		metadata, ok1 := x.Word(core.Addr(w) + parkableMetadata)
		if p, is := x.text(core.Addr(text)); ok && is {
			return p, ""
		}
		if ok && ok1 && text == 0 && metadata != 0 {
			why = parkedText
		}
	}
	return 0, why
}

// text returns the characters of the WTF::StringImpl at a, which must be the string's.
func (x *resource) text(a core.Addr) (core.Addr, bool) {
	n, ok := x.U32(a + implLength)
	flags, ok1 := x.U32(a + implFlags)
	says := func(bit uint32) bool { return (flags&bit != 0) == x.oneByte }
	return a + implChars, a != 0 && a&3 == 0 && ok && ok1 && n == x.length && (says(implOneByte) || says(earlyOneByte))
}
