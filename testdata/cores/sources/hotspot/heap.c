/* Heap's native method: no thread runs Java between the looks at the heap and the end. */
#include <jni.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Not system(): that ignores SIGQUIT meanwhile, by which jcmd wakes the JVM. */
static int run(const char *command) {
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", command, (char *)0);
		_exit(127);
	}
	return waitpid(pid, &status, 0) < 0 || status;
}

JNIEXPORT void JNICALL Java_Heap_end(JNIEnv *env, jclass c, jstring dump, jstring count) {
	const char *first = (*env)->GetStringUTFChars(env, dump, 0), *second = (*env)->GetStringUTFChars(env, count, 0);
	if (run(first) || run(second))
		_exit(1);
	abort();
}
