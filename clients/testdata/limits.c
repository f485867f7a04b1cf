/* limits.c: lengths at and beyond the limits, what errno says, and how often a client maps memory. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

static int maps;
static void *counted(void *at, size_t n, int protection, int flags, int fd, off_t offset) {
	maps++;
	return mmap(at, n, protection, flags, fd, offset);
}
#define mmap counted
#include "samecycle_slots.h"

static void want(const char *what, long long got, long long wanted) {
	if (got != wanted)
		printf("%s: %lld, want %lld\n", what, got, wanted);
}

/* lengths: one that does not fit is refused, and is not cut to one that does. */
static void lengths(scs_client *c) {
	static char value[1 << 15];
	static const size_t large[] = {((size_t)1 << 32) + 1, (size_t)1 << 32, SIZE_MAX, SIZE_MAX - 30};
	size_t n = 0, used = 0, most = (size_t)c->request - 8 - 24 - 1; /* of a value whose key has a byte */
	uint64_t room[8];
	for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
		want("set of a large value", scs_set(c, "k", 1, "ABCDEF", large[i], 0), SCS_TOO_LARGE);
		want("set of a large key", scs_set(c, "kkk", large[i], "A", 1, 0), SCS_TOO_LARGE);
		want("get of a large key", scs_get(c, "kkk", large[i], value, sizeof value, &n), SCS_TOO_LARGE);
		want("delete of a large key", scs_delete(c, "kkk", large[i]), SCS_TOO_LARGE);
		want("a large value in a batch with room", scs_add(room, SIZE_MAX, &used, SCS_SET, "k", 1, "A", large[i], 0),
		     SCS_TOO_LARGE);
		want("a large key in a batch with room", scs_add(room, SIZE_MAX, &used, SCS_GET, "k", large[i], "", 0, 0),
		     SCS_TOO_LARGE);
	}
	used = sizeof room + 1;
	want("more used than room", scs_add(room, sizeof room, &used, SCS_GET, "k", 1, "", 0, 0), SCS_TOO_LARGE);
	want("what is used", (long long)used, sizeof room + 1);
	want("get of what was not set", scs_get(c, "k", 1, value, sizeof value, &n), SCS_ABSENT);
	want("set of the longest value", scs_set(c, "k", 1, value, most, 0), SCS_OK);
	want("set of one byte more", scs_set(c, "k", 1, value, most + 1, 0), SCS_TOO_LARGE);
	want("get without room", scs_get(c, "k", 1, NULL, 0, &n), SCS_TOO_LARGE);
	want("the length that it has", (long long)n, (long long)most);
	want("get with a byte too little", scs_get(c, "k", 1, value, most - 1, &n), SCS_TOO_LARGE);
	want("get", scs_get(c, "k", 1, value, sizeof value, &n), SCS_OK);
	want("its length", (long long)n, (long long)most);
	want("get of an absent key without a length", scs_get(c, "none", 4, NULL, 0, NULL), SCS_ABSENT);
}

/* failures: what a system call says is in errno. */
static void failures(const char *path) {
	scs_client c;
	struct rlimit old, none;
	errno = 0;
	want("open of no file", scs_open(&c, "none.slots", -1), SCS_SYSTEM);
	want("its errno", errno, ENOENT);
	want("open with a number of a user whose low half is right", scs_open(&c, path, (long)geteuid() + (1L << 32)),
	     SCS_FILE);
	scs_close(&c);
	if (getrlimit(RLIMIT_AS, &old) != 0)
		return;
	none = old;
	none.rlim_cur = 0;
	(void)setrlimit(RLIMIT_AS, &none);
	errno = 0;
	want("open without room for addresses", scs_open(&c, path, -1), SCS_SYSTEM);
	want("its errno", errno, ENOMEM);
	(void)setrlimit(RLIMIT_AS, &old);
}

int main(int argc, char **argv) {
	scs_client c;
	char value[8];
	size_t n = 0;
	if (argc < 2)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	puts("begin");
	failures(argv[1]);
	maps = 0;
	want("open", scs_open(&c, argv[1], -1), SCS_OK);
	lengths(&c);
	for (int i = 0; i < 100; i++) {
		want("set", scs_set(&c, "a", 1, "value", 5, 0), SCS_OK);
		want("get", scs_get(&c, "a", 1, value, sizeof value, &n), SCS_OK);
		want("delete", scs_delete(&c, "a", 1), SCS_OK);
	}
	want("maps of memory", maps, 1);
	scs_close(&c);
	puts("end");
	return 0;
}
