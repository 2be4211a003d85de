// traced.cc: an add-on that refers to objects by traced handles, as objects of C++ do:
// hold(o) keeps one more, and returns how many it has.
#include <node.h>
#include <v8.h>
#if __has_include(<v8-traced-handle.h>)
#include <v8-traced-handle.h>
#endif

#include <vector>

namespace {

std::vector<v8::TracedReference<v8::Value>*> held;

void Hold(const v8::FunctionCallbackInfo<v8::Value>& args) {
  held.push_back(new v8::TracedReference<v8::Value>(args.GetIsolate(), args[0]));
  args.GetReturnValue().Set(static_cast<uint32_t>(held.size()));
}

}  // namespace

NODE_MODULE_INIT() {
  NODE_SET_METHOD(exports, "hold", Hold);
}
