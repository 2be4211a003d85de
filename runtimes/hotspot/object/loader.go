package object

// mirrorLoader returns where a java.lang.Class has the class loader of its class, 0 if that is not known. JDK
// 8's tables do not say it of a Klass.
func (r *ClassReader) mirrorLoader(k *Class) int64 {
	if k.Mirror == 0 || r.java != 8 {
		return 0
	}
	r.loaderOnce.Do(func() {
		other := newClassReader(r.References) // r waits for the class
		other.java = 0
		class, err := other.Class(other.klassAt(r.Process.Cursor(), k.Mirror))
		if err != nil || !class.IsMirror() {
			return
		}
		if f, ok := other.InstanceField(class, "classLoader"); ok && f.Reference() {
			r.loaderIn = int64(f.Offset)
		}
	})
	return r.loaderIn
}
