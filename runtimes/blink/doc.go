// Package blink reads Blink's data about each realm. Blink is the part of Chromium that has documents.
// The data are the address of the realm's document or worker, and its frame; they are outside V8's
// heap.
//
// The chain: the global object of a realm is the wrapper of a LocalDOMWindow or WorkerGlobalScope. It
// has the address of that in a field of the embedder, or since V8 12 a handle in a table of its isolate
// (wrapper.go). A worker has its address as a KURL (url.go) in itself. A window refers to its Document,
// which refers back to it and then has its KURLs; the first is location.href (document.go). A window
// also refers to its Frame, which refers back, to itself, and to the frames around it in the tree
// (frame.go). If a window has several realms, the one of the document's own scripts is the realm whose
// global object the window has as its wrapper, or whose global object its frame leads to in itself
// (world.go). References within Blink's heap may be compressed (reader.go).
//
// Chromium has no symbols, and offsets differ with each version. So no offset is known beforehand: each
// is found by conditions that it must satisfy, for as many realms of the process as possible, and the
// results are compared with V8's data: the origin of the realm and the names of its scripts.
//
// Upstream: third_party/blink/renderer: bindings/core/v8/local_window_proxy.cc,
// window_proxy_manager.h, platform/bindings/script_wrappable.h, core/frame/dom_window.h, frame.h,
// local_dom_window.h, core/dom/document.h, core/workers/worker_global_scope.h,
// platform/weborigin/kurl.h, platform/wtf/text/string_impl.h; url/third_party/mozilla/url_parse.h;
// V8's include/cppgc/internal/member-storage.h and src/sandbox/cppheap-pointer-table.h.
// Versions: Chromium 87, 102 and 156.
//
// LIMITATIONS: wrappers of V8 10.3 to 12.8 with the sandbox, whose handles are in another table, are
// not followed. The number and the name of an isolated world are not known, except for the origin that
// it may have. If a document has no realm of its own, or lost it, an isolated world's realm is not told
// apart.
package blink
