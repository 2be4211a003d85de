/* Thrown's native methods. */
#include <jni.h>
#include <stdio.h>
#include <stdlib.h>
JNIEXPORT void JNICALL Java_Thrown_die(JNIEnv *env, jclass c) { abort(); }
JNIEXPORT void JNICALL Java_Thrown_raise(JNIEnv *env, jclass c, jstring message) {
	const char *text = (*env)->GetStringUTFChars(env, message, 0);
	(*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/IllegalArgumentException"), text);
	printf("pending exception: java.lang.IllegalArgumentException: %s, at Thrown.raise(Native method)\n", text);
	fflush(stdout);
	abort();
}
