/* Heap's native method of cores whose JVM is looked at from outside. */
#include <jni.h>
#include <unistd.h>

JNIEXPORT void JNICALL Java_Heap_end(JNIEnv *env, jclass c, jstring dump, jstring count) {
	static const char ready[] = "ready\n";
	if (write(1, ready, sizeof ready - 1) < 0)
		_exit(1);
	for (;;)
		pause();
}
