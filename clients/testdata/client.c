/* client.c: what the tests drive. It reads a command a line, and prints a line for each. */
#define _GNU_SOURCE
#include "samecycle_slots.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned char value[1 << 20];

/* loop sets and gets a key of its own n times, and returns how many answers were wrong. */
static int loop(scs_client *c, const char *prefix, int n) {
	int wrong = 0;
	for (int i = 0; i < n; i++) {
		char key[64], text[64];
		size_t length = 0;
		int k = snprintf(key, sizeof key, "%s %d", prefix, i % 7), t = snprintf(text, sizeof text, "%s %d", prefix, i);
		int set = scs_set(c, key, k, text, t, 0), got = scs_get(c, key, k, value, sizeof value, &length);
		wrong += set != SCS_OK || got != SCS_OK || length != (size_t)t || memcmp(value, text, length) != 0;
	}
	return wrong;
}

/* batch sends a set, a get and a delete of the key as one request. */
static int batch(scs_client *c, const char *key, const char *text) {
	unsigned char request[512], answer[4096];
	size_t used = 0, length = 0, read = 0;
	scs_call call;
	const void *v;
	uint32_t n;
	scs_add(request, sizeof request, &used, SCS_SET, key, strlen(key), text, strlen(text), -1);
	scs_add(request, sizeof request, &used, SCS_GET, key, strlen(key), NULL, 0, 0);
	scs_add(request, sizeof request, &used, SCS_DELETE, key, strlen(key), NULL, 0, 0);
	int r = scs_start(c, request, used, &call);
	if (r == SCS_OK)
		r = scs_wait(c, &call, answer, sizeof answer, &length);
	if (r == SCS_OK)
		r = scs_result(answer, length, &read, &v, &n);
	if (r == SCS_OK)
		r = scs_result(answer, length, &read, &v, &n);
	if (r != SCS_OK)
		return r;
	printf("%.*s ", (int)n, (const char *)v);
	return scs_result(answer, length, &read, &v, &n);
}

/* many sends n gets of the key as one request, and reads the first result. */
static int many(scs_client *c, const char *key, int n) {
	static unsigned char request[1 << 16], answer[1 << 16];
	size_t used = 0, length = 0, read = 0;
	scs_call call;
	const void *v;
	uint32_t room;
	while (n-- > 0)
		scs_add(request, sizeof request, &used, SCS_GET, key, strlen(key), NULL, 0, 0);
	int r = scs_start(c, request, used, &call);
	if (r == SCS_OK)
		r = scs_wait(c, &call, answer, sizeof answer, &length);
	return r == SCS_OK ? scs_result(answer, length, &read, &v, &room) : r;
}

int main(int argc, char **argv) {
	static char line[1 << 20], op[16], key[1 << 17], text[1 << 19];
	scs_client c;
	int r = scs_open(&c, argv[1], -1);
	if (r != SCS_OK) {
		printf("open: %s\n", scs_error(r));
		return 1;
	}
	if (argc > 2)
		c.timeout_ms = atoi(argv[2]);
	if (argc > 3)
		c.look_ms = atoi(argv[3]);
	for (puts("open"), fflush(stdout); fgets(line, sizeof line, stdin) != NULL; fflush(stdout)) {
		int n = sscanf(line, "%15s %131071s %524287s", op, key, text);
		size_t length = 0;
		if (n < 3)
			text[0] = 0;
		if (strcmp(op, "set") == 0)
			r = scs_set(&c, key, strlen(key), text, strlen(text), 0);
		else if (strcmp(op, "keep") == 0)
			r = scs_set(&c, key, strlen(key), "kept", 4, atoll(text));
		else if (strcmp(op, "get") == 0 && (r = scs_get(&c, key, strlen(key), value, sizeof value, &length)) == SCS_OK)
			printf("%.*s ", (int)length, value);
		else if (strcmp(op, "del") == 0)
			r = scs_delete(&c, key, strlen(key));
		else if (strcmp(op, "batch") == 0)
			r = batch(&c, key, text);
		else if (strcmp(op, "many") == 0)
			r = many(&c, key, atoi(text));
		else if (strcmp(op, "loop") == 0) {
			printf("%d wrong, %d timed out\n", loop(&c, key, atoi(text)), (int)c.timed_out);
			continue;
		}
		if (r == SCS_SUSPECT || r == SCS_DENIED || r == SCS_OFTEN)
			printf("%d ms: ", (int)c.retry_ms);
		puts(r == SCS_OK ? "ok" : r == SCS_ABSENT ? "absent" : scs_error(r));
	}
	scs_close(&c);
	return 0;
}
