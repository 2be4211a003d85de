// Stands in for libicu_jni.so, libjavacore.so and libopenjdk.so, which ART loads
// while it starts.
#include <jni.h>

jint JNI_OnLoad(JavaVM *vm, void *reserved) {
  (void)vm;
  (void)reserved;
  return JNI_VERSION_1_6;
}
