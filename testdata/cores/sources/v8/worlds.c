/* worlds.c: a module of Node-API with objects that have memory of the heap of C. The declarations are those of js_native_api.h, as
 * far as they are used. */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;
typedef struct napi_callback_info__ *napi_callback_info;
typedef struct napi_ref__ *napi_ref;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);
typedef void (*napi_finalize)(napi_env, void *, void *);

extern int napi_get_cb_info(napi_env, napi_callback_info, size_t *, napi_value *, napi_value *, void **);
extern int napi_create_function(napi_env, const char *, size_t, napi_callback, void *, napi_value *);
extern int napi_set_named_property(napi_env, napi_value, const char *, napi_value);
extern int napi_create_external(napi_env, void *, napi_finalize, void *, napi_value *);
extern int napi_create_external_arraybuffer(napi_env, void *, size_t, napi_finalize, void *, napi_value *);
extern int napi_get_arraybuffer_info(napi_env, napi_value, void **, size_t *);
extern int napi_wrap(napi_env, napi_value, void *, napi_finalize, void *, napi_ref *);
extern int napi_create_string_utf8(napi_env, const char *, size_t, napi_value *);

static void end(napi_env env, void *data, void *hint) { (void)env, (void)hint, free(data); }

static napi_value first(napi_env env, napi_callback_info info) {
	size_t n = 1;
	napi_value v;
	napi_get_cb_info(env, info, &n, &v, NULL, NULL);
	return v;
}

/* text returns the address and the size of memory as a string. */
static napi_value text(napi_env env, void *p, size_t n) {
	char buf[64];
	napi_value v;
	snprintf(buf, sizeof buf, "%#lx %zu", (unsigned long)(uintptr_t)p, n);
	napi_create_string_utf8(env, buf, (size_t)-1, &v);
	return v;
}

static napi_value data(napi_env env, napi_callback_info info) {
	void *p = NULL;
	size_t n = 0;
	napi_get_arraybuffer_info(env, first(env, info), &p, &n);
	return text(env, p, n);
}

static napi_value wrap(napi_env env, napi_callback_info info) {
	char *p = calloc(1, 3000);
	napi_wrap(env, first(env, info), p, end, NULL, NULL);
	return text(env, p, malloc_usable_size(p));
}

/* external sets the property "external" of its argument. */
static napi_value external(napi_env env, napi_callback_info info) {
	char *p = calloc(1, 4000);
	napi_value v;
	napi_create_external(env, p, end, NULL, &v);
	napi_set_named_property(env, first(env, info), "external", v);
	return text(env, p, malloc_usable_size(p));
}

/* outside sets the property "outside" of its argument to an ArrayBuffer over memory of this module. */
static napi_value outside(napi_env env, napi_callback_info info) {
	char *p = calloc(1, 50000);
	napi_value v;
	napi_create_external_arraybuffer(env, p, 50000, end, NULL, &v);
	napi_set_named_property(env, first(env, info), "outside", v);
	return text(env, p, malloc_usable_size(p));
}

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports) {
	static const struct { const char *name; napi_callback call; } list[] = {{"data", data}, {"wrap", wrap}, {"external", external}, {"outside", outside}};
	for (unsigned i = 0; i < sizeof list / sizeof list[0]; i++) {
		napi_value f;
		napi_create_function(env, list[i].name, (size_t)-1, list[i].call, NULL, &f);
		napi_set_named_property(env, exports, list[i].name, f);
	}
	return exports;
}
