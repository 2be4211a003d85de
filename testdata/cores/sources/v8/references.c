/* references.c: a module of Node-API that keeps what it is given by a strong reference, and never deletes one. The declarations
 * are those of js_native_api.h, as far as they are used. */
#include <stddef.h>

typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;
typedef struct napi_callback_info__ *napi_callback_info;
typedef struct napi_ref__ *napi_ref;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);

extern int napi_get_cb_info(napi_env, napi_callback_info, size_t *, napi_value *, napi_value *, void **);
extern int napi_create_function(napi_env, const char *, size_t, napi_callback, void *, napi_value *);
extern int napi_create_reference(napi_env, napi_value, unsigned, napi_ref *);

static napi_value hold(napi_env env, napi_callback_info info) {
	static napi_ref last;
	size_t n = 1;
	napi_value v;
	napi_get_cb_info(env, info, &n, &v, NULL, NULL);
	napi_create_reference(env, v, 1, &last);
	return NULL;
}

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports) {
	napi_value f;
	(void)exports;
	napi_create_function(env, "hold", (size_t)-1, hold, NULL, &f);
	return f;
}
