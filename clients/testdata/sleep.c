/* sleep.c: by which system calls, and with which times, a client sleeps and wakes. No call reaches the system. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static long asked(long number, ...);
#define syscall asked
#include "samecycle_slots.h"

static long told[4];          /* the numbers of the calls, in their order */
static int64_t told_times[4]; /* in nanoseconds, as the kernel reads what the call was given */
static int calls, without, result_errno; /* without: the errno of call 422, or 0 */

/*
 * asked stands for the kernel. Call 202 of x86-64, and 240 of other processors of 32 bits, take fields as wide as a
 * register; call 422, which systems of 32 bits alone have, takes fields of 64 bits.
 */
static long asked(long number, ...) {
	va_list all;
	va_start(all, number);
	(void)va_arg(all, uint32_t *);
	int operation = va_arg(all, int);
	(void)va_arg(all, uint32_t);
	void *time = va_arg(all, void *);
	va_end(all);
	told[calls] = number;
	if (operation == FUTEX_WAIT && (number == 422 || sizeof(__kernel_long_t) == 8)) {
		int64_t fields[2];
		memcpy(fields, time, sizeof fields);
		told_times[calls] = fields[0] * 1000000000 + fields[1];
	} else if (operation == FUTEX_WAIT) {
		int32_t fields[2];
		memcpy(fields, time, sizeof fields);
		told_times[calls] = (int64_t)fields[0] * 1000000000 + fields[1];
	}
	calls++;
	errno = number == 422 && without != 0 ? without : result_errno;
	return errno == 0 ? 0 : -1;
}

static void want(const char *what, long long got, long long wanted) {
	if (got != wanted)
		printf("%s: %lld, want %lld\n", what, got, wanted);
}

/* sleeps sleeps for each of some times, which needs so many calls. */
static void sleeps(int needed) {
	static const int64_t times[] = {1, 100, 999, 1000, 1500, 2147483647};
	scs_word w = 0;
	for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
		calls = 0, result_errno = ETIMEDOUT;
		want("a sleep to its end", scs_sleep(&w, 0, times[i]), 1);
		want("its calls", calls, needed);
		for (int n = 0; n < calls; n++)
			want("nanoseconds", told_times[n], times[i] * 1000000);
		calls = 0, result_errno = EAGAIN;
		want("a sleep on another word", scs_sleep(&w, 0, times[i]), 0);
		calls = 0, result_errno = 0;
		want("a sleep that ends with a wake", scs_sleep(&w, 0, times[i]), 0);
		want("its calls", calls, needed);
	}
}

int main(void) {
	scs_word w = 0;
	int wide = sizeof(__kernel_long_t) == 4;
	puts("begin");
	sleeps(1);
	want("the call", told[0], wide ? 422 : SYS_futex);
	for (int n = 0; n < 2; n++) {
		without = n == 0 ? ENOSYS : EPERM;
		sleeps(1 + wide);
		want("the last call on a kernel before 5.1, or under a filter", told[wide], SYS_futex);
	}
	calls = 0;
	scs_wake(&w);
	want("the call that wakes", told[0], SYS_futex);
	puts("end");
	return 0;
}
