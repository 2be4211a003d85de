/* addon.c: a module of Node-API whose functions call the function that they are
 * given: one under a name, one without. The declarations are those of
 * js_native_api.h and node_api.h, as far as they are used. */
#include <stddef.h>

typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;
typedef struct napi_callback_info__ *napi_callback_info;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);
typedef int napi_status;

extern napi_status napi_get_cb_info(napi_env, napi_callback_info, size_t *, napi_value *, napi_value *, void **);
extern napi_status napi_get_undefined(napi_env, napi_value *);
extern napi_status napi_call_function(napi_env, napi_value, napi_value, size_t, const napi_value *, napi_value *);
extern napi_status napi_create_function(napi_env, const char *, size_t, napi_callback, void *, napi_value *);
extern napi_status napi_set_named_property(napi_env, napi_value, const char *, napi_value);

static napi_value call(napi_env env, napi_callback_info info) {
	size_t argc = 1;
	napi_value f, undefined, result = NULL;
	napi_get_cb_info(env, info, &argc, &f, NULL, NULL);
	napi_get_undefined(env, &undefined);
	napi_call_function(env, undefined, f, 0, NULL, &result);
	return result;
}

__attribute__((noinline)) napi_value call_named(napi_env env, napi_callback_info info) {
	napi_value r = call(env, info);
	__asm__ volatile("");
	return r;
}

__attribute__((noinline)) napi_value call_unnamed(napi_env env, napi_callback_info info) {
	napi_value r = call(env, info);
	__asm__ volatile("" ::: "memory");
	return r;
}

napi_value napi_register_module_v1(napi_env env, napi_value exports) {
	napi_value f;
	napi_create_function(env, "named", 5, call_named, NULL, &f);
	napi_set_named_property(env, exports, "named", f);
	napi_create_function(env, NULL, 0, call_unnamed, NULL, &f);
	napi_set_named_property(env, exports, "unnamed", f);
	return exports;
}
