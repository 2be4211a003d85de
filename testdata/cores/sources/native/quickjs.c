/*
 * quickjs: a program with QuickJS in it, which runs a loop until it is killed.
 */
#include <string.h>
#include "quickjs.h"

int main(void)
{
	JSContext *c = JS_NewContext(JS_NewRuntime());
	const char *text = "for (var n = 0; ; n++) ;";

	JS_Eval(c, text, strlen(text), "loop.js", JS_EVAL_TYPE_GLOBAL);
	return 0;
}
