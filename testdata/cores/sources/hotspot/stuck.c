/* stuck.c: native code of Stuck.java, with a mutex of its own under which it calls back. */
#include <jni.h>
#include <pthread.h>

static pthread_mutex_t codec = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void call(JNIEnv *env, jobject body) {
	jclass k = (*env)->GetObjectClass(env, body);
	(*env)->CallVoidMethod(env, body, (*env)->GetMethodID(env, k, "run", "()V"));
}

JNIEXPORT void JNICALL Java_Stuck_guarded(JNIEnv *env, jclass k, jobject body) {
	(void)k;
	pthread_mutex_lock(&codec);
	if (body)
		call(env, body);
	pthread_mutex_unlock(&codec);
}
