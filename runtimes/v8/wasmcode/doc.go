// Package wasmcode decodes frames of WebAssembly's compiled code: the function, the functions inlined in it,
// their names and the place in the module's bytes.
//
// A frame holds its instance where a frame of JavaScript holds its function (execution/frame-constants.h:
// WasmFrameConstants). From there WasmTrustedInstanceData (WasmInstanceObject until V8 12) → WasmModuleObject →
// Managed<NativeModule> → NativeModule, which has the module's bytes and the WasmCode of every compiled function; a
// WasmCode has its function's index and its position table (wasm/wasm-code-manager.h). Neither objects nor C++
// structures have constants: they are recognised by their pointers.
//
// Files: modules.go (instances, modules and names), bodies.go (compiled functions and their places).
//
// Versions: V8 7.4 to 15.8.
//
// LIMITATIONS: frames have no values. A function whose WasmCode is in none of its module's tables has no name.
package wasmcode
