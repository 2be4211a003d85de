// Stands in for libicu_jni.so, libjavacore.so and libopenjdk.so beneath libcore: the natives that
// programs without files, networks and languages need. The natives that libcore calls "critical" get
// no environment and no class.
#include <jni.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <time.h>
#include <sys/syscall.h>
#include <unistd.h>

jint JNI_OnLoad(JavaVM *vm, void *reserved) {
  (void)vm;
  (void)reserved;
  return JNI_VERSION_1_6;
}

static jlong now(clockid_t clock, long unit) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * (1000000000 / unit) + t.tv_nsec / unit;
}

JNIEXPORT jlong JNICALL Java_java_lang_System_currentTimeMillis(void) { return now(CLOCK_REALTIME, 1000000); }
JNIEXPORT jlong JNICALL Java_java_lang_System_nanoTime(void) { return now(CLOCK_MONOTONIC, 1); }

// Of numbers.
JNIEXPORT jint JNICALL Java_java_lang_Float_floatToRawIntBits(jfloat f) {
  jint n;
  memcpy(&n, &f, sizeof n);
  return n;
}
JNIEXPORT jfloat JNICALL Java_java_lang_Float_intBitsToFloat(jint n) {
  jfloat f;
  memcpy(&f, &n, sizeof f);
  return f;
}
JNIEXPORT jlong JNICALL Java_java_lang_Double_doubleToRawLongBits(jdouble d) {
  jlong n;
  memcpy(&n, &d, sizeof n);
  return n;
}
JNIEXPORT jdouble JNICALL Java_java_lang_Double_longBitsToDouble(jlong n) {
  jdouble d;
  memcpy(&d, &n, sizeof d);
  return d;
}
JNIEXPORT jdouble JNICALL Java_java_lang_Math_ceil(jdouble d) { return ceil(d); }
JNIEXPORT jdouble JNICALL Java_java_lang_Math_floor(jdouble d) { return floor(d); }
JNIEXPORT jdouble JNICALL Java_java_lang_Math_sqrt(jdouble d) { return sqrt(d); }

// Of the process.
JNIEXPORT jobjectArray JNICALL Java_java_lang_System_specialProperties(JNIEnv *env, jclass c) {
  (void)c;
  return (*env)->NewObjectArray(env, 0, (*env)->FindClass(env, "java/lang/String"), NULL);
}
JNIEXPORT void JNICALL Java_java_lang_System_log(JNIEnv *env, jclass c, jchar kind, jstring text, jthrowable x) {
  (void)c;
  (void)kind;
  (void)x;
  const char *s = (*env)->GetStringUTFChars(env, text, NULL);
  fprintf(stderr, "%s\n", s);
  (*env)->ReleaseStringUTFChars(env, text, s);
}
JNIEXPORT void JNICALL Java_java_lang_Runtime_nativeGc(JNIEnv *env, jobject o) {
  (void)o;
  jclass c = (*env)->FindClass(env, "dalvik/system/VMRuntime");
  jobject vm = (*env)->CallStaticObjectMethod(env, c, (*env)->GetStaticMethodID(env, c, "getRuntime", "()Ldalvik/system/VMRuntime;"));
  (*env)->CallVoidMethod(env, vm, (*env)->GetMethodID(env, c, "concurrentGC", "()V"));
}
JNIEXPORT jint JNICALL Java_java_lang_Runtime_availableProcessors(JNIEnv *env, jobject o) {
  (void)env;
  (void)o;
  return 2;
}

// Of letters, for ASCII.
JNIEXPORT jboolean JNICALL Java_java_lang_Character_isDigitImpl(jint c) { return c >= '0' && c <= '9'; }
JNIEXPORT jboolean JNICALL Java_java_lang_Character_isWhitespaceImpl(jint c) { return c == ' ' || (c >= 9 && c <= 13); }
JNIEXPORT jint JNICALL Java_java_lang_Character_digitImpl(jint c, jint radix) {
  int n = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'z' ? (c | 32) - 'a' + 10 : 99;
  return n < radix ? n : -1;
}

JNIEXPORT void JNICALL Java_android_system_OsConstants_initConstants(JNIEnv *env, jclass c) {
  (void)env;
  (void)c;
}

// What the programs ask for themselves.
JNIEXPORT void JNICALL Java_lib_N_say(JNIEnv *env, jclass c, jstring text) {
  (void)c;
  const char *s = (*env)->GetStringUTFChars(env, text, NULL);
  fprintf(stderr, "%s\n", s);
  (*env)->ReleaseStringUTFChars(env, text, s);
}

// How bugs/Bugs.java dies. In a run whose MODE begins with "dump" it has ART write all stacks as it
// does on SIGQUIT instead, and aborts.
static void or_dump(void) {
  char args[4096], *word = args;
  FILE *f = fopen("/proc/self/cmdline", "r");
  size_t n = f ? fread(args, 1, sizeof args - 1, f) : 0;
  args[n] = 0;
  for (int i = 0; i < 3 && word < args + n; i++) word += strlen(word) + 1;
  if (f) fclose(f);
  struct {
    void *handler;
    unsigned long flags;
    void *restorer;
    unsigned long mask[2];
  } dfl = {0};
  syscall(SYS_rt_sigaction, SIGABRT, &dfl, NULL, 8); // past libsigchain, to the kernel
  syscall(SYS_rt_sigaction, SIGSEGV, &dfl, NULL, 8);
  sleep(1);  // the threads that ART started come to rest
  if (strncmp(word, "dump", 4)) return;
  kill(getpid(), SIGQUIT);
  sleep(2);
  abort();
}

#define KEEP __attribute__((noinline))

JNIEXPORT void JNICALL Java_bugs_Bugs_globals(JNIEnv *env, jclass k, jobject a, jobject b, jobject c) {
  (void)k;
  or_dump();
  for (int i = 0;; i++) (*env)->NewGlobalRef(env, i % 100 == 0 ? c : i % 4 == 0 ? b : a);
}
JNIEXPORT void JNICALL Java_bugs_Bugs_weak(JNIEnv *env, jclass k, jobject a, jobject b, jobject c) {
  (void)k;
  or_dump();
  for (int i = 0;; i++) (*env)->NewWeakGlobalRef(env, i % 100 == 0 ? c : i % 4 == 0 ? b : a);
}
JNIEXPORT void JNICALL Java_bugs_Bugs_fatal(JNIEnv *env, jclass k, jstring why) {
  (void)k;
  const char *s = (*env)->GetStringUTFChars(env, why, NULL);
  or_dump();
  (*env)->FatalError(env, s);
}
JNIEXPORT void JNICALL Java_bugs_Bugs_stale(JNIEnv *env, jclass k, jobject o) {
  (void)k;
  jobject g = (*env)->NewGlobalRef(env, o);
  (*env)->DeleteGlobalRef(env, g);
  or_dump();
  (*env)->GetObjectClass(env, g);
}
JNIEXPORT void JNICALL Java_bugs_Bugs_pending(JNIEnv *env, jclass k, jthrowable x) {
  (void)k;
  or_dump();
  (*env)->Throw(env, x);
  (*env)->NewStringUTF(env, "more");
}
KEEP static int dig(volatile char *above, int n) {
  volatile char here[1 << 12];
  here[0] = above[0] + n;
  return dig(here, n + 1) + here[0];
}
JNIEXPORT jint JNICALL Java_bugs_Bugs_deep(JNIEnv *env, jclass k, jint n) {
  volatile char here = 1;
  (void)env;
  (void)k;
  or_dump();
  return dig(&here, n) + here;
}
