/* worlds.c: the native methods of Worlds.java. */
#include <jni.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

static void say(JNIEnv *env, jstring what, void *p, size_t n, const char *type, jstring holder) {
	const char *w = (*env)->GetStringUTFChars(env, what, NULL), *h = (*env)->GetStringUTFChars(env, holder, NULL);
	printf("%s %p %zu %s %s\n", w, p, n, type, h);
	fflush(stdout);
}

JNIEXPORT void JNICALL Java_Worlds_line(JNIEnv *env, jclass c, jstring what, jobject buffer, jstring holder) {
	say(env, what, (*env)->GetDirectBufferAddress(env, buffer), (*env)->GetDirectBufferCapacity(env, buffer), "java.nio.DirectByteBuffer", holder);
}

JNIEXPORT jlong JNICALL Java_Worlds_block(JNIEnv *env, jclass c, jstring what, jstring type, jstring holder) {
	char *p = calloc(1, 600);
	say(env, what, p, malloc_usable_size(p), (*env)->GetStringUTFChars(env, type, NULL), holder);
	return (jlong)p;
}

JNIEXPORT jobject JNICALL Java_Worlds_memory(JNIEnv *env, jclass c, jstring what, jstring holder) {
	char *p = calloc(1, 9000);
	say(env, what, p, 9000, "java.nio.DirectByteBuffer", holder);
	return (*env)->NewDirectByteBuffer(env, p, 9000);
}

JNIEXPORT void JNICALL Java_Worlds_end(JNIEnv *env, jclass c) { abort(); }
