// Package blink reads what Blink, the part of Chromium that has documents, keeps beside V8's heap of
// each realm: the address of its document or worker, and which frame that is.
//
// The chain: the global object of a realm is the wrapper of a LocalDOMWindow or WorkerGlobalScope,
// whose address it has in a field of the embedder, or since V8 12 a handle of it in a table of its
// isolate (wrapper.go). A worker has its address as a KURL (url.go) in itself. A window refers to its
// Document, which refers back to it and then has its KURLs, of which the first is location.href
// (document.go); and to its Frame, which refers back, to itself, and to those around it in the tree
// (frame.go). Of several realms of a window that of the document's own scripts is the one whose global object
// the window has as its wrapper, or to which its frame leads in itself (world.go). References
// within Blink's heap may be compressed (reader.go).
//
// Chromium has no symbols, and offsets differ with each version. So none is known beforehand: each
// is found by what must be true of it, for as many realms of the process as may be, and what is
// found is compared with what V8 has: the origin of the realm and the names of its scripts.
//
// Upstream: third_party/blink/renderer: bindings/core/v8/local_window_proxy.cc,
// window_proxy_manager.h, platform/bindings/script_wrappable.h, core/frame/dom_window.h, frame.h,
// local_dom_window.h, core/dom/document.h, core/workers/worker_global_scope.h,
// platform/weborigin/kurl.h, platform/wtf/text/string_impl.h; url/third_party/mozilla/url_parse.h;
// V8's include/cppgc/internal/member-storage.h and src/sandbox/cppheap-pointer-table.h.
// Versions: Chromium 87, 102 and 156.
//
// LIMITATIONS: wrappers of V8 10.3 to 12.8 with the sandbox, whose handles are of another table, are
// not followed. Of an isolated world its number and its name are not known, but the origin that it may
// have; where a document has no realm of its own, or lost it, one of such a world is not told.
package blink
