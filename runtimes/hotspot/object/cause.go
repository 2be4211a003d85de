package object

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes/java"
)

// Cause returns what getCause returns: the field of its own that a class of the JDK may have, or Throwable.cause.
func (h javaHeap) Cause(o java.Object) (at core.Addr, known bool) {
	x, err := h.Reader.Object(o.Addr)
	if err != nil {
		return 0, false
	}
	for _, c := range append([]*Class{x.Class}, h.Supers(x.Class)...) {
		if c.Name == "java.lang.Throwable" {
			break
		}
		if at, ok := h.ownCause(x, c); ok {
			return at, true
		}
		if c.Loader != 0 && h.declares(c, "getCause", "()Ljava/lang/Throwable;") {
			return 0, false
		}
	}
	f, ok := o.Class.Member("cause")
	if !ok {
		return 0, false
	}
	if at, ok = h.Ref(o.Addr + core.Addr(f.Offset)); at == o.Addr {
		at = 0 // not set yet
	}
	return at, ok
}

// ownCause returns the cause that a class of the JDK keeps in a field of its own.
func (h javaHeap) ownCause(x Object, c *Class) (core.Addr, bool) {
	name, ok := ownCauses[c.Name]
	if !ok {
		return 0, false
	}
	fields, err := h.Fields(c)
	if err != nil {
		return 0, false
	}
	for _, f := range fields {
		if f.Name == name && f.Access&java.AccStatic == 0 && f.Type[0] == 'L' {
			return h.Ref(x.Addr + core.Addr(f.Offset))
		}
	}
	return 0, false
}

// declares reports whether a class itself declares a method.
func (h javaHeap) declares(c *Class, name, signature string) bool {
	all, err := h.Methods(c)
	return err == nil && slices.ContainsFunc(all,
		func(m *Method) bool { return m.Name == name && m.Signature == signature })
}

// ownCauses has the field that getCause returns for each class of the JDK that keeps its cause in a field of
// its own. In some versions a class keeps it in Throwable.cause, and lacks the field.
var ownCauses = map[string]string{
	"java.io.WriteAbortedException":                  "detail",
	"java.lang.ClassNotFoundException":               "ex",
	"java.lang.ExceptionInInitializerError":          "exception",
	"java.lang.reflect.InvocationTargetException":    "target",
	"java.lang.reflect.UndeclaredThrowableException": "undeclaredThrowable",
	"java.rmi.RemoteException":                       "detail",
	"java.rmi.activation.ActivationException":        "detail",
	"java.rmi.server.ServerCloneException":           "detail",
	"java.security.PrivilegedActionException":        "exception",
	"javax.management.MBeanException":                "exception",
	"javax.management.ReflectionException":           "exception",
	"javax.management.RuntimeErrorException":         "error",
	"javax.management.RuntimeMBeanException":         "runtimeException",
	"javax.management.RuntimeOperationsException":    "runtimeException",
	"javax.naming.NamingException":                   "rootException",
	"javax.xml.stream.FactoryConfigurationError":     "nested",
	"javax.xml.transform.TransformerException":       "containedException",
	"javax.xml.xpath.XPathException":                 "cause",
	"org.xml.sax.SAXException":                       "exception",
}
