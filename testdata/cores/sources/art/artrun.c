// artrun CLASSPATH CLASS[,CLASS…] MODE COUNT [ART-OPTION…]: starts ART through the
// JNI invocation interface and runs CLASS.main(COUNT), which ends in one of the
// natives below. Further classes are initialised before, as the compiler inlines
// only methods of such. MODE is how the process dies then: abort, segv, jni (ART itself aborts for
// what it is asked through JNI), killed (by SIGABRT from a child) or wait (to be killed), with
// "dump+" before it if ART shall first write the stacks of all threads to stderr, as
// it does on SIGQUIT, and "hprof+" if it shall write its heap to ./art.hprof just before
// the end. The natives that CLASS declares are the ones it gets.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <jni.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KEEP __attribute__((noinline))

static const char *mode = "abort";
static JNIEnv *main_env;

// number reads decimal digits: atoi and sscanf are of newer names in newer libcs.
static int number(const char *s) {
  int n = 0;
  while (*s >= '0' && *s <= '9') n = 10 * n + *s++ - '0';
  return n;
}

// busy counts the other threads that run or want to, but for one called spinner.
static int busy(void) {
  char path[64], line[512];
  int n = 0, self = syscall(SYS_gettid);
  DIR *d = opendir("/proc/self/task");
  for (struct dirent *e; d && (e = readdir(d));) {
    if (e->d_name[0] == '.' || number(e->d_name) == self) continue;
    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", e->d_name);
    FILE *f = fopen(path, "r");
    if (!f) continue;
    char *state = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    fclose(f);
    if (state && state[2] == 'R' && !strstr(line, "(spinner)")) n++;
  }
  if (d) closedir(d);
  return n;
}

// The threads that the program started come to rest, however busy the machine is.
static void settle(void) {
  for (int quiet = 0, i = 0; quiet < 5 && i < 1000; i++) {
    quiet = busy() ? 0 : quiet + 1;
    usleep(30000);
  }
}

// ART's signal catcher writes the dump; its last line tells when it is done.
static void dump(void) {
  static char text[1 << 16];
  FILE *f = fopen("/proc/self/fd/2", "r");
  kill(getpid(), SIGQUIT);
  for (int i = 0; f && i < 6000; i++) {
    while (fgets(text, sizeof text, f)) {
      if (strstr(text, "----- end ")) {
        fclose(f);
        settle();  // the threads that it stopped
        return;
      }
    }
    clearerr(f);
    usleep(10000);
  }
  fprintf(stderr, "artrun: no dump\n");
  _exit(3);
}

// ART writes its heap, as Debug.dumpHprofData of Android asks it to. What it is asked with
// stays referred to, so that the core has the same roots.
static void hprof(JNIEnv *env) {
  jclass c = (*env)->FindClass(env, "dalvik/system/VMDebug");
  jmethodID m = c ? (*env)->GetStaticMethodID(env, c, "dumpHprofData", "(Ljava/lang/String;I)V") : NULL;
  jstring path = (*env)->NewStringUTF(env, "art.hprof");
  if (m && path) (*env)->CallStaticVoidMethod(env, c, m, path, -1);
  if (!m || !path || (*env)->ExceptionCheck(env) || access("art.hprof", R_OK)) {
    fprintf(stderr, "artrun: no hprof\n");
    _exit(3);
  }
  settle();  // the threads that it stopped
}

// ART handles both signals, and may end with _exit where Android has debuggerd. This
// goes past its libsigchain to the kernel.
static void default_action(int signal) {
  struct {
    void *handler;
    unsigned long flags;
    void *restorer;
    unsigned long mask[2];
  } dfl = {0};
  syscall(SYS_rt_sigaction, signal, &dfl, NULL, 8);
}

KEEP static void die(volatile int *where) {
  const char *how = mode;
  settle();
  if (!strncmp(how, "dump+", 5)) {
    dump();
    how += 5;
  }
  if (!strncmp(how, "hprof+", 6)) {
    hprof(main_env);
    how += 6;
  }
  if (!strcmp(how, "segv")) {
    default_action(SIGSEGV);
    *where = 1;
  } else if (!strcmp(how, "jni")) {
    default_action(SIGABRT);
    (*main_env)->GetStaticMethodID(main_env, NULL, "none", "()V");
  } else if (!strcmp(how, "killed")) {
    default_action(SIGABRT);
    if (fork() == 0) {
      usleep(300000);
      kill(getppid(), SIGABRT);
      _exit(0);
    }
    pause();
  } else if (!strcmp(how, "wait")) {
    fprintf(stderr, "artrun: ready\n");
    pause();
  }
  default_action(SIGABRT);
  abort();
}

KEEP static void JNICALL crash(JNIEnv *env, jclass c, jint n) {
  (void)env;
  (void)c;
  die((volatile int *)(long)(n & 7));
  __asm__ volatile("");  // no tail call
}

// These three call back into Java: CLASS.callback, then CLASS.thrower, whose
// exception stays pending while the process dies.
KEEP static jint JNICALL via_native(JNIEnv *env, jclass c, jint n) {
  jmethodID m = (*env)->GetStaticMethodID(env, c, "callback", "(I)I");
  return (*env)->CallStaticIntMethod(env, c, m, n) + 1;
}

KEEP static jint bounce(JNIEnv *env, jclass c, jint n) {
  jint r = via_native(env, c, n);
  return r + 1;
}

KEEP static jint JNICALL via_two(JNIEnv *env, jclass c, jint n) {
  return bounce(env, c, n) + 1;
}

KEEP static void JNICALL pending(JNIEnv *env, jclass c, jint n) {
  jmethodID m = (*env)->GetStaticMethodID(env, c, "thrower", "(I)V");
  (*env)->CallStaticVoidMethod(env, c, m, n);
  if (!(*env)->ExceptionCheck(env)) abort();
  die(NULL);
  __asm__ volatile("");
}

KEEP static void JNICALL park(JNIEnv *env, jclass c) {
  (void)env;
  (void)c;
  for (;;) pause();
}

// COUNT local references to o, as many global ones and half as many weak ones in
// all, and death with a few of the local ones deleted again.
KEEP static void JNICALL refs(JNIEnv *env, jclass c, jobject o, jint n) {
  jobject local[256];
  if (n > 256 || (*env)->EnsureLocalCapacity(env, n + 8)) abort();
  for (int i = 0; i < n; i++) local[i] = (*env)->NewLocalRef(env, o);
  for (int i = 0; i < n; i++) (*env)->NewGlobalRef(env, o);
  for (int i = 0; i < n / 2; i++) (*env)->NewWeakGlobalRef(env, o);
  for (int i = 1; i <= n / 4; i++) (*env)->DeleteLocalRef(env, local[i]);
  (void)c;
  die(NULL);
  __asm__ volatile("");
}

// An object whose constructors nobody calls.
static jobject JNICALL allocate(JNIEnv *env, jclass c, jclass of) {
  (void)c;
  return (*env)->AllocObject(env, of);
}

// What an exception says of itself: class, message, frames; for the truth.
static void say(JNIEnv *env, const char *head, jstring s) {
  const char *t = s ? (*env)->GetStringUTFChars(env, s, NULL) : NULL;
  fprintf(stderr, "%s%s", head, t ? t : "?");
  if (t) (*env)->ReleaseStringUTFChars(env, s, t);
}

KEEP static void JNICALL describe(JNIEnv *env, jclass c, jobject x) {
  jclass throwable = (*env)->FindClass(env, "java/lang/Throwable");
  jclass element = (*env)->FindClass(env, "java/lang/StackTraceElement");
  jclass klass = (*env)->FindClass(env, "java/lang/Class");
  (void)c;
  if (!x) abort();
  flockfile(stderr);  // two threads describe exceptions
#define FIELD(k, o, n, t) (*env)->GetObjectField(env, o, (*env)->GetFieldID(env, k, n, t))
#define STRING "Ljava/lang/String;"
  jstring name = (*env)->CallObjectMethod(env, (*env)->GetObjectClass(env, x),
                                          (*env)->GetMethodID(env, klass, "getNameNative", "()" STRING));
  say(env, "exception: ", name);
  say(env, ": ", FIELD(throwable, x, "detailMessage", STRING));
  fprintf(stderr, "\n");
  jobjectArray trace = (*env)->CallObjectMethod(
      env, x, (*env)->GetMethodID(env, throwable, "getStackTrace", "()[Ljava/lang/StackTraceElement;"));
  for (int i = 0, n = trace ? (*env)->GetArrayLength(env, trace) : 0; i < n; i++) {
    jobject e = (*env)->GetObjectArrayElement(env, trace, i);
    say(env, "exception:   at ", FIELD(element, e, "declaringClass", STRING));
    say(env, ".", FIELD(element, e, "methodName", STRING));
    say(env, "(", FIELD(element, e, "fileName", STRING));
    fprintf(stderr, ":%d)\n", (*env)->GetIntField(env, e, (*env)->GetFieldID(env, element, "lineNumber", "I")));
    (*env)->DeleteLocalRef(env, e);
  }
  funlockfile(stderr);
  if ((*env)->ExceptionCheck(env)) {
    (*env)->ExceptionDescribe(env);
    abort();
  }
}

static const JNINativeMethod natives[] = {
    {"crash", "(I)V", crash},          {"viaNative", "(I)I", via_native},
    {"viaTwo", "(I)I", via_two},       {"pending", "(I)V", pending},
    {"parkNative", "()V", park},       {"parkLocked", "()V", park},
    {"refs", "(Ljava/lang/Object;I)V", refs}, {"allocate", "(Ljava/lang/Class;)Ljava/lang/Object;", allocate},
    {"describe", "(Ljava/lang/Throwable;)V", describe},
};

// ART gives its pool threads stacks of 64 KiB, which glibc for arm64 refuses.
int pthread_attr_setstack(pthread_attr_t *a, void *addr, size_t size) {
  if (size < (size_t)PTHREAD_STACK_MIN) return pthread_attr_setstacksize(a, 256 << 10);
  int (*real)(pthread_attr_t *, void *, size_t) =
      (int (*)(pthread_attr_t *, void *, size_t))dlsym(RTLD_NEXT, "pthread_attr_setstack");
  return real(a, addr, size);
}

int main(int argc, char **argv) {
  static char classes[4096], locations[4096];
  JavaVMOption o[64] = {{0}};
  JavaVM *vm;
  JNIEnv *env;
  int n = 0;
  if (argc < 5) return 2;
  snprintf(classes, sizeof classes, "-Xbootclasspath:%s", argv[1]);
  snprintf(locations, sizeof locations, "-Xbootclasspath-locations:%s", argv[1]);
  mode = argv[3];
  o[n++].optionString = classes;
  o[n++].optionString = locations;
  o[n++].optionString = "-Ximage:/nonexistent/boot.art";
  o[n++].optionString = "-Xnoimage-dex2oat";
  o[n++].optionString = "-XX:DumpNativeStackOnSigQuit:false";
  for (int i = 5; i < argc && n < 60; i++) o[n++].optionString = argv[i];
  JavaVMInitArgs a = {.version = JNI_VERSION_1_6, .nOptions = n, .options = o, .ignoreUnrecognized = JNI_TRUE};
  if (JNI_CreateJavaVM(&vm, (void **)&env, &a) != JNI_OK) {
    fprintf(stderr, "artrun: JNI_CreateJavaVM failed\n");
    return 1;
  }
  for (char *more; (more = strrchr(argv[2], ','));) {
    *more = 0;
    jclass c = (*env)->FindClass(env, more + 1);
    if (c) (*env)->GetStaticMethodID(env, c, "none", "()V");  // initialises it
    (*env)->ExceptionClear(env);
  }
  main_env = env;
  jclass c = (*env)->FindClass(env, argv[2]);
  for (unsigned i = 0; c && i < sizeof natives / sizeof *natives; i++) {
    if ((*env)->GetStaticMethodID(env, c, natives[i].name, natives[i].signature))
      (*env)->RegisterNatives(env, c, &natives[i], 1);
    else
      (*env)->ExceptionClear(env);
  }
  jmethodID m = c ? (*env)->GetStaticMethodID(env, c, "main", "(I)V") : NULL;
  if (m) (*env)->CallStaticVoidMethod(env, c, m, number(argv[4]));
  if ((*env)->ExceptionCheck(env)) (*env)->ExceptionDescribe(env);
  fprintf(stderr, "artrun: %s.main returned\n", argv[2]);
  return 1;
}
