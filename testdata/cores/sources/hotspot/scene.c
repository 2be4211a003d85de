/* Scene's native method, which calls Java again. */
#include <jni.h>
JNIEXPORT void JNICALL Java_Scene_into(JNIEnv *env, jclass c, jint n) {
	jmethodID m = (*env)->GetStaticMethodID(env, c, "back", "(I)V");
	(*env)->CallStaticVoidMethod(env, c, m, n);
}
