/* The libraries of local.c: the linked one, and with -DOPENED the one that is opened. */
#include <stdio.h>

#ifdef OPENED
__thread int local_opened = 70;
int fill_opened(int n) { return local_opened = n; }
#else
__thread int local_linked = 71;
static __thread char local_room[3000] = "room";
__thread int local_near __attribute__((tls_model("initial-exec"))) = 72;
void fill_linked(int n)
{
	local_linked = n + 2;
	local_near = n + 3;
	local_room[n] = n / 1000 + 'a';
}
void say_linked(void) { printf("local_linked %d\nlocal_near %d\n", local_linked, local_near); }
#endif
