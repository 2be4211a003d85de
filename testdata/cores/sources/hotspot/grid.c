/* Grid's natives: C that calls Java, and a thread of C that becomes one of Java. */
#include <jni.h>
#include <pthread.h>
#include <string.h>

/* The JVMs of older releases have older libraries. */
#ifdef __x86_64__
__asm__(".symver pthread_create,pthread_create@GLIBC_2.2.5");
#endif

static JavaVM *vm;
static char name[64];

JNIEXPORT jint JNICALL Java_Grid_down(JNIEnv *env, jclass c, jobject o, jint n) {
	jmethodID up = (*env)->GetStaticMethodID(env, c, "up", "(Ljava/lang/Object;I)I");
	return up ? (*env)->CallStaticIntMethod(env, c, up, o, n) + 1 : 0;
}

static void *run(void *grid) {
	JNIEnv *env;
	JavaVMAttachArgs args = {JNI_VERSION_1_8, name, NULL};
	if ((*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, &args) != JNI_OK)
		return NULL;
	jmethodID attached = (*env)->GetStaticMethodID(env, grid, "attached", "(I)V");
	if (attached)
		(*env)->CallStaticVoidMethod(env, grid, attached, 4);
	return NULL;
}

JNIEXPORT void JNICALL Java_Grid_attach(JNIEnv *env, jclass c, jstring s) {
	pthread_t thread;
	const char *text = (*env)->GetStringUTFChars(env, s, NULL);
	strncpy(name, text, sizeof name - 1);
	(*env)->ReleaseStringUTFChars(env, s, text);
	(*env)->GetJavaVM(env, &vm);
	pthread_create(&thread, NULL, run, (*env)->NewGlobalRef(env, c));
}
