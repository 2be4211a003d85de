
// faults/natives.c: natives of libcore and of Android's framework that these programs reach. It is appended to libcore/natives.c.
#include <poll.h>

JNIEXPORT void JNICALL Java_android_os_MessageQueue_nativePollOnce(JNIEnv *env, jobject o, jlong queue, jint timeout) {
  (void)env;
  (void)o;
  (void)queue;
  poll(NULL, 0, timeout);
}

// The watchdog of finalizers asks for these before it throws.
JNIEXPORT jboolean JNICALL Java_dalvik_system_VMRuntime_isDebuggerActive(JNIEnv *env, jobject o) {
  (void)env;
  (void)o;
  return JNI_FALSE;
}
JNIEXPORT jint JNICALL Java_libcore_io_Linux_getpid(JNIEnv *env, jobject o) {
  (void)env;
  (void)o;
  return getpid();
}
JNIEXPORT void JNICALL Java_libcore_io_Linux_kill(JNIEnv *env, jobject o, jint pid, jint signal) {
  (void)env;
  (void)o;
  (void)pid;
  (void)signal;
}
