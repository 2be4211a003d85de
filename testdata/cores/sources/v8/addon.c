/* addon.c: a module of Node-API whose functions call the function that they are
 * given: one under a name, one without, and the constructor of a class. The
 * declarations are those of js_native_api.h and node_api.h, as far as they are used. */
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
extern napi_status napi_define_class(napi_env, const char *, size_t, napi_callback, void *, size_t, const void *, napi_value *);
extern napi_status napi_set_named_property(napi_env, napi_value, const char *, napi_value);

extern void napi_fatal_error(const char *, size_t, const char *, size_t);

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

__attribute__((noinline)) napi_value make(napi_env env, napi_callback_info info) {
	napi_value self = NULL;
	size_t argc = 0;
	napi_get_cb_info(env, info, &argc, NULL, &self, NULL);
	call(env, info);
	return self;
}

/* give_up reports what an addon cannot go on from; follow_none is a crash below JavaScript. */
__attribute__((noinline)) napi_value give_up(napi_env env, napi_callback_info info) {
	napi_fatal_error("addon.c:give_up", (size_t)-1, "the handle is closed", (size_t)-1);
	return NULL;
}

__attribute__((noinline)) napi_value follow_none(napi_env env, napi_callback_info info) {
	char *volatile none = NULL;
	return (napi_value)(size_t)none[64];
}

napi_value napi_register_module_v1(napi_env env, napi_value exports) {
	napi_value f;
	napi_create_function(env, "named", 5, call_named, NULL, &f);
	napi_set_named_property(env, exports, "named", f);
	napi_create_function(env, NULL, 0, call_unnamed, NULL, &f);
	napi_set_named_property(env, exports, "unnamed", f);
	napi_define_class(env, "Made", 4, make, NULL, 0, NULL, &f);
	napi_set_named_property(env, exports, "Made", f);
	napi_create_function(env, "give_up", 7, give_up, NULL, &f);
	napi_set_named_property(env, exports, "give_up", f);
	napi_create_function(env, "follow_none", 11, follow_none, NULL, &f);
	napi_set_named_property(env, exports, "follow_none", f);
	return exports;
}
