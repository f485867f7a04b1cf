/*
 * samecycle_slots.h: a client of a cache over a slot file, in C11 for Linux. Header only.
 *
 *	#define _GNU_SOURCE
 *	#include "samecycle_slots.h"
 *
 *	scs_client c;
 *	int r = scs_open(&c, "/run/app/alice.slots", -1);
 *	r = scs_set(&c, "key", 3, "value", 5, 0);
 *	r = scs_get(&c, "key", 3, buffer, sizeof buffer, &length);
 *	scs_close(&c);
 *
 * A service (samecycle cache serve) makes the file, maps the cache, and performs the requests. The file has the
 * layout of impl/slots/layout.go, and requests have that of impl/remote/codec.go; docs/slots.md explains both.
 *
 * All functions return 0 (SCS_OK), SCS_ABSENT, or a negative number; scs_error returns a text for it. With
 * SCS_SYSTEM, errno is that of the system call that failed. Any length that is too large for a request gives
 * SCS_TOO_LARGE. A call waits for at most timeout_ms, and allocates nothing.
 *
 * Any number of threads may call the functions with one scs_client at once, except scs_open and scs_close: while
 * one of these runs, no other thread may use the client. Change timeout_ms and look_ms before other threads use
 * the client. An scs_call, a request and an answer belong to one thread at a time.
 *
 * If the file is truncated while it is mapped, the process ends with SIGBUS. So only the service and the client
 * should be allowed to write to the file.
 *
 * The client must not fork: a child would keep its lock, and then no process could know that the client has died.
 */
#ifndef SAMECYCLE_SLOTS_H
#define SAMECYCLE_SLOTS_H

#ifdef __cplusplus
#error "this header is C11: compile the file that includes it as C"
#endif

#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE ahead of all includes: the locks of open file descriptions need it"
#endif

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if !defined F_OFD_SETLK || !defined F_OFD_GETLK
#error "define _GNU_SOURCE ahead of all includes: an include ahead of it has left out the locks that are needed"
#endif

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "atomic words of 64 bits are needed");

enum {
	SCS_OK = 0,
	SCS_ABSENT = 1,      /* the key was not there */
	SCS_TIMEOUT = -1,    /* not done, and never will be: no service took it in time */
	SCS_UNKNOWN = -2,    /* it may take effect once, or never: the service had it */
	SCS_NO_SERVICE = -3, /* not done: no service has the file open */
	SCS_NO_SLOT = -4,    /* not done: all slots were in use */
	SCS_TOO_LARGE = -5,  /* not done: a key, value, request or answer does not fit */
	SCS_BUSY = -6,       /* not done: the cache has no room, or the file has another client */
	SCS_CORRUPT = -7,    /* the file or the cache is damaged */
	SCS_REQUEST = -8,    /* not done: the request makes no sense */
	SCS_CLOSED = -9,     /* not done: the service ends, or has closed the cache */
	SCS_FILE = -10,      /* the file cannot be used: kind, owner, mode or layout */
	SCS_SYSTEM = -11,    /* a system call failed: see errno */
	SCS_SUSPECT = -12,   /* not done: all clients together ask for the key too often: see retry_ms */
	SCS_DENIED = -13,    /* the same, after three offences of the key or more */
	SCS_OFTEN = -14      /* not done: this client calls too often: see retry_ms */
};

enum { SCS_GET = 1, SCS_SET = 2, SCS_DELETE = 3 };

static inline const char *scs_error(int r) {
	static const char *const text[] = {"done", "request not done: its time was over before the service took it",
		"outcome unknown: the request may take effect, once, or never",
		"request not done: no service has the slot file open", "request not done: no slot was free",
		"too large: it does not fit into the request or response area, or into the cache",
		"busy: the cache has no room at present, or the slot file has another client",
		"damaged: the slot file or the cache", "request malformed, and not done",
		"closed: the service ends, or has closed the cache", "slot file unusable: check its kind, owner, mode and version",
		"system call failed: see errno", "not done: the key is asked for too often",
		"not done: the key was asked for too often again and again", "not done: this client calls too often"};
	if (r == SCS_ABSENT)
		return "the key was not there";
	return r <= 0 && r >= SCS_OFTEN ? text[-r] : "no error of this library";
}

/* The states of a slot. Its word has the serial in the bits 63..8, and the state in the bits 7..0. */
enum { SCS_FREE, SCS_CLAIMED, SCS_PUBLISHED, SCS_TAKEN, SCS_DONE, SCS_ABANDONED, SCS_FAILED };
#define SCS_STATE(w) ((w) & 0xFF)
#define SCS_IN(w, state) (((w) & ~(uint64_t)0xFF) | (state))
#define SCS_NEXT(w, state) (((((w) >> 8) + 1) << 8) | (state))

typedef _Atomic uint64_t scs_word;

typedef struct {
	int fd;
	int timeout_ms; /* the longest wait of a call: 5000 unless it is changed; 0 or more */
	int look_ms;    /* wait before a call asks whether the service lives: 100 unless changed; 1 or more */
	unsigned char *memory;
	uint64_t size, slots, stride, request, response;
	_Atomic uint64_t timed_out; /* number of sleeps that lasted look_ms */
	/* After SCS_SUSPECT, SCS_DENIED and SCS_OFTEN: milliseconds, after which a call is done if others ask less.
	 * With several threads it is that of the last such call of any thread. */
	_Atomic uint32_t retry_ms;
} scs_client;

/* A request that was started and not yet waited for. */
typedef struct {
	uint64_t slot, word;
	int64_t end; /* in milliseconds of the monotonic clock */
} scs_call;

static inline scs_word *scs_at(const scs_client *c, uint64_t offset) { return (scs_word *)(c->memory + offset); }
static inline uint64_t scs_slot(const scs_client *c, uint64_t i) { return 256 + i * c->stride; }

static inline int64_t scs_now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* scs_half returns the futex word: the half with the low bits. */
static inline uint32_t *scs_half(scs_word *w) {
	return (uint32_t *)w + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/*
 * The futexes are shared between processes, so FUTEX_PRIVATE_FLAG must not be set. The system calls take times with
 * the fields of the kernel. The struct timespec of the C library may have other fields on a system of 32 bits.
 * There SCS_FUTEX_WIDE takes fields of 64 bits; Linux before 5.1 does not have it.
 */
#ifdef SYS_futex_time64
#define SCS_FUTEX_WIDE SYS_futex_time64
#endif
#ifdef SYS_futex
#define SCS_FUTEX SYS_futex
#else
#define SCS_FUTEX SYS_futex_time64
#endif

/* scs_sleep sleeps while the low half of the word equals seen, at most ms milliseconds. It returns 1 after a time-out. */
static inline int scs_sleep(scs_word *w, uint32_t seen, int64_t ms) {
#ifdef SCS_FUTEX_WIDE
	struct {
		int64_t s, ns;
	} wide = {ms / 1000, ms % 1000 * 1000000};
	if (syscall(SCS_FUTEX_WIDE, scs_half(w), FUTEX_WAIT, seen, &wide, NULL, 0) == 0)
		return 0;
	if (errno != ENOSYS && errno != EPERM) /* a filter of system calls may return EPERM for an unknown call */
		return errno == ETIMEDOUT;
#endif
	struct {
		__kernel_long_t s, ns;
	} t = {(__kernel_long_t)(ms / 1000), (__kernel_long_t)(ms % 1000 * 1000000)};
	return syscall(SCS_FUTEX, scs_half(w), FUTEX_WAIT, seen, &t, NULL, 0) == -1 && errno == ETIMEDOUT;
}
static inline void scs_wake(scs_word *w) { syscall(SCS_FUTEX, scs_half(w), FUTEX_WAKE, INT32_MAX, NULL, NULL, 0); }

static inline int scs_cas(scs_word *w, uint64_t old, uint64_t new_) {
	return atomic_compare_exchange_strong(w, &old, new_);
}

/* scs_service_lives returns 1 if a process has the lock of the service, 0 if none has, or SCS_SYSTEM. */
static inline int scs_service_lives(const scs_client *c) {
	struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 192, .l_len = 1};
	if (fcntl(c->fd, F_OFD_GETLK, &l) != 0)
		return SCS_SYSTEM;
	return l.l_type != F_UNLCK;
}

static inline int scs_fail(scs_client *c, int r) {
	int saved = errno;
	if (c->memory != NULL)
		munmap(c->memory, (size_t)c->size);
	if (c->fd >= 0)
		close(c->fd);
	c->memory = NULL;
	c->fd = -1;
	errno = saved;
	return r;
}

static inline void scs_close(scs_client *c) { (void)scs_fail(c, SCS_OK); }

/* scs_inherit frees the slots of the client before this one, which is dead, because this one has its lock. */
static inline void scs_inherit(scs_client *c) {
	for (uint64_t i = 0; i < c->slots; i++) {
		scs_word *w = scs_at(c, scs_slot(c, i));
		for (int n = 0; n < 8; n++) {
			uint64_t now = atomic_load(w), s = SCS_STATE(now);
			if (s == SCS_FREE || s == SCS_ABANDONED ||
			    scs_cas(w, now, s == SCS_TAKEN ? SCS_IN(now, SCS_ABANDONED) : SCS_NEXT(now, SCS_FREE)))
				break;
		}
	}
}

/*
 * scs_open opens the slot file of this client. The file must belong to the user with the number owner, or to the
 * effective user if owner is -1. It may return SCS_FILE, SCS_BUSY (the file has a client already) and SCS_SYSTEM.
 */
static inline int scs_open(scs_client *c, const char *path, long owner) {
	struct stat st;
	uint64_t h[8];
	memset(c, 0, sizeof *c);
	c->timeout_ms = 5000;
	c->look_ms = 100;
	c->fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (c->fd < 0)
		return scs_fail(c, errno == ELOOP || errno == EISDIR || errno == ENXIO ? SCS_FILE : SCS_SYSTEM);
	if (fstat(c->fd, &st) != 0)
		return scs_fail(c, SCS_SYSTEM);
	if (!S_ISREG(st.st_mode) || st.st_uid != (owner < 0 ? geteuid() : (uint64_t)owner) || (st.st_mode & 7) != 0)
		return scs_fail(c, SCS_FILE);
	ssize_t n = pread(c->fd, h, sizeof h, 0);
	if (n != (ssize_t)sizeof h)
		return scs_fail(c, n < 0 ? SCS_SYSTEM : SCS_FILE);
	c->slots = h[2], c->stride = h[3], c->request = h[4], c->response = h[5], c->size = h[6];
	if (h[0] != 0x3153544f4c534353 || h[1] != 1 || c->slots < 1 || c->slots > 64 || c->request < 128 ||
	    c->request > 64 << 20 || c->request % 64 != 0 || c->response < 128 || c->response > 64 << 20 ||
	    c->response % 64 != 0 || c->stride != 64 + c->request + c->response ||
	    c->size != 256 + c->slots * c->stride || c->size != (uint64_t)st.st_size)
		return scs_fail(c, SCS_FILE);
	struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 200, .l_len = 1};
	if (fcntl(c->fd, F_OFD_SETLK, &l) != 0)
		return scs_fail(c, errno == EAGAIN || errno == EACCES ? SCS_BUSY : SCS_SYSTEM);
	if (c->size > SIZE_MAX) {
		errno = ENOMEM; /* the error of mmap for a length without enough addresses */
		return scs_fail(c, SCS_SYSTEM);
	}
	void *memory = mmap(NULL, (size_t)c->size, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd, 0);
	if (memory == MAP_FAILED)
		return scs_fail(c, SCS_SYSTEM);
	c->memory = memory;
	scs_inherit(c);
	return SCS_OK;
}

/* scs_need returns the number of bytes of an operation in a request, or 0 if they do not fit into room bytes. */
static inline size_t scs_need(size_t room, size_t nkey, size_t nvalue) {
	if (nkey > 65535 || nvalue != (uint32_t)nvalue)
		return 0;
	uint64_t need = 24 + (((uint64_t)nkey + nvalue + 7) & ~(uint64_t)7);
	return need <= room ? (size_t)need : 0;
}

/*
 * scs_add appends one operation to the first used bytes of a request of room bytes, and adds its length to used. A
 * set keeps its value for ttl_ns nanoseconds. With 0 the default of the cache applies, and with -1 the value stays for
 * ever; any other negative number makes the request invalid. For other operations ttl_ns must be 0.
 */
static inline int scs_add(void *request, size_t room, size_t *used, uint32_t kind, const void *key, size_t nkey,
			  const void *value, size_t nvalue, int64_t ttl_ns) {
	size_t all = *used > room ? 0 : scs_need(room - *used, nkey, nvalue);
	if (all == 0)
		return SCS_TOO_LARGE;
	unsigned char *at = (unsigned char *)request + *used;
	uint32_t head[4] = {kind, (uint32_t)nkey, (uint32_t)nvalue, 0};
	memcpy(at, head, 16);
	memcpy(at + 16, &ttl_ns, 8);
	memset(at + all - 8, 0, all > 24 ? 8 : 0);
	if (nkey != 0)
		memcpy(at + 24, key, nkey);
	if (nvalue != 0)
		memcpy(at + 24 + nkey, value, nvalue);
	*used += all;
	return SCS_OK;
}

/*
 * scs_result reads the next result of an answer, and adds its length to read. The value stays in the answer. With
 * SCS_TOO_LARGE, n is the length of the value that does not fit. If that is the only result of a batch, nothing was
 * done, and n is the largest number of operations: 1024, or as many as fit into the response area. With SCS_SUSPECT,
 * SCS_DENIED and SCS_OFTEN, n is the number of milliseconds to wait.
 */
static inline int scs_result(const void *answer, size_t length, size_t *read, const void **value, uint32_t *n) {
	static const int of[] = {SCS_OK, SCS_ABSENT, SCS_TOO_LARGE, SCS_TOO_LARGE, SCS_TOO_LARGE, SCS_BUSY,
		SCS_CORRUPT, SCS_REQUEST, SCS_CLOSED, SCS_UNKNOWN, SCS_SUSPECT, SCS_DENIED, SCS_OFTEN};
	uint32_t head[2];
	if (*read > length || length - *read < 8)
		return SCS_CORRUPT;
	memcpy(head, (const unsigned char *)answer + *read, 8);
	*n = head[1];
	*value = (const unsigned char *)answer + *read + 8;
	*read += 8;
	if (head[0] == 7 && head[1] != 0)
		return SCS_TOO_LARGE;
	if (head[0] != 0)
		return head[0] < sizeof of / sizeof of[0] ? of[head[0]] : SCS_CORRUPT;
	if (head[1] > length - *read)
		return SCS_CORRUPT;
	*read += (size_t)(((uint64_t)head[1] + 7) & ~(uint64_t)7);
	return SCS_OK;
}

/* scs_claim takes a free slot, and returns the place of its request. */
static inline int scs_claim(scs_client *c, scs_call *call, unsigned char **request) {
	call->end = scs_now() + c->timeout_ms;
	for (;;) {
		for (uint64_t i = 0; i < c->slots; i++) {
			scs_word *w = scs_at(c, scs_slot(c, i));
			uint64_t now = atomic_load(w);
			if (SCS_STATE(now) != SCS_FREE || ((now >> 8) & 1) != 0 ||
			    !scs_cas(w, now, SCS_NEXT(now, SCS_CLAIMED)))
				continue;
			call->slot = i;
			call->word = SCS_NEXT(now, SCS_CLAIMED);
			*request = c->memory + scs_slot(c, i) + 72;
			return SCS_OK;
		}
		if (scs_now() >= call->end)
			return SCS_NO_SLOT;
		struct timespec pause = {0, 1000000};
		nanosleep(&pause, NULL);
	}
}

/* scs_publish sends the request of n bytes that is in a claimed slot. */
static inline int scs_publish(scs_client *c, scs_call *call, uint64_t n) {
	uint64_t at = scs_slot(c, call->slot), claimed = call->word;
	memcpy(c->memory + at + 64, &n, 8);
	call->word = SCS_IN(claimed, SCS_PUBLISHED);
	if (!scs_cas(scs_at(c, at), claimed, call->word))
		return SCS_CORRUPT;
	atomic_fetch_add(scs_at(c, 64), 1);
	if (atomic_load(scs_at(c, 128)) != 0)
		scs_wake(scs_at(c, 64));
	return SCS_OK;
}

/* scs_start sends a request and does not wait for its answer. Each call must be waited for. */
static inline int scs_start(scs_client *c, const void *request, size_t n, scs_call *call) {
	unsigned char *to = NULL;
	if (n > c->request - 8)
		return SCS_TOO_LARGE;
	int r = scs_claim(c, call, &to);
	if (r != SCS_OK)
		return r;
	memcpy(to, request, n);
	return scs_publish(c, call, n);
}

/* scs_answer returns the begin and the length of the answer in a slot that is done. */
static inline int scs_answer(const scs_client *c, const scs_call *call, const unsigned char **answer, size_t *n) {
	uint64_t at = scs_slot(c, call->slot) + 64 + c->request, length = atomic_load(scs_at(c, at));
	*answer = c->memory + at + 8;
	*n = (size_t)length;
	return length > c->response - 8 ? SCS_CORRUPT : SCS_OK;
}

/* scs_free frees a slot that is done. It returns r if the word of the slot is still seen, and otherwise SCS_CORRUPT. */
static inline int scs_free(scs_client *c, const scs_call *call, uint64_t seen, int r) {
	return scs_cas(scs_at(c, scs_slot(c, call->slot)), seen, SCS_NEXT(seen, SCS_FREE)) ? r : SCS_CORRUPT;
}

/* scs_await waits until the slot is done, and stores its word in seen. If it returns an error, the call is over. */
static inline int scs_await(scs_client *c, const scs_call *call, uint64_t *seen) {
	scs_word *w = scs_at(c, scs_slot(c, call->slot));
	for (;;) {
		uint64_t now = atomic_load(w), state = SCS_STATE(now);
		if (now >> 8 != call->word >> 8)
			return SCS_CORRUPT;
		*seen = now;
		if (state == SCS_DONE)
			return SCS_OK;
		if (state == SCS_FAILED)
			return scs_cas(w, now, SCS_NEXT(now, SCS_FREE)) ? SCS_UNKNOWN : SCS_CORRUPT;
		if (state != SCS_PUBLISHED && state != SCS_TAKEN)
			return SCS_CORRUPT;
		int64_t left = call->end - scs_now();
		if (left <= 0) {
			if (state == SCS_PUBLISHED && scs_cas(w, now, SCS_NEXT(now, SCS_FREE)))
				return SCS_TIMEOUT;
			if (state == SCS_TAKEN && scs_cas(w, now, SCS_IN(now, SCS_ABANDONED)))
				return SCS_UNKNOWN;
			continue; /* the service has changed the word, which it does at most twice */
		}
		if (!scs_sleep(w, (uint32_t)now, left < c->look_ms ? left : c->look_ms) || left < c->look_ms)
			continue;
		/*
		 * The word was loaded before the question, and the compare-and-swaps expect that word. So if no service lives,
		 * the one that had taken the request is dead, and a service that begins now changes the word.
		 */
		atomic_fetch_add(&c->timed_out, 1);
		if (scs_service_lives(c) != 0)
			continue;
		if (state == SCS_PUBLISHED && scs_cas(w, now, SCS_NEXT(now, SCS_FREE)))
			return SCS_NO_SERVICE;
		if (state == SCS_TAKEN)
			scs_cas(w, now, SCS_IN(now, SCS_FAILED)); /* if this fails, the next service has done so */
	}
}

/*
 * scs_wait waits for the answer, and copies it. If the answer has more than room bytes, scs_wait returns
 * SCS_TOO_LARGE, although the request was done. A room of response - 8 bytes is always enough.
 */
static inline int scs_wait(scs_client *c, scs_call *call, void *answer, size_t room, size_t *n) {
	const unsigned char *from = NULL;
	uint64_t seen = 0;
	int r = scs_await(c, call, &seen);
	if (r != SCS_OK)
		return r;
	r = scs_answer(c, call, &from, n);
	if (r == SCS_OK && *n > room)
		r = SCS_TOO_LARGE;
	if (r == SCS_OK)
		memcpy(answer, from, *n);
	return scs_free(c, call, seen, r);
}

/* scs_one reads the answer to one operation in the slot, and copies the value of a get. */
static inline int scs_one(scs_client *c, const scs_call *call, uint32_t kind, void *to, size_t room, size_t *n) {
	const unsigned char *answer = NULL;
	const void *value = NULL;
	size_t length = 0, read = 0;
	uint32_t nvalue = 0;
	int r = scs_answer(c, call, &answer, &length);
	if (r == SCS_OK)
		r = scs_result(answer, length, &read, &value, &nvalue);
	if (r == SCS_SUSPECT || r == SCS_DENIED || r == SCS_OFTEN) {
		atomic_store(&c->retry_ms, nvalue);
		nvalue = 0;
	}
	*n = nvalue;
	if (r != SCS_OK || kind != SCS_GET)
		return r;
	if (nvalue > room)
		return SCS_TOO_LARGE;
	if (nvalue != 0)
		memcpy(to, value, nvalue);
	return SCS_OK;
}

/* scs_operation performs one operation. It writes the request, and reads the answer, in the slot itself. */
static inline int scs_operation(scs_client *c, uint32_t kind, const void *key, size_t nkey, const void *value,
				size_t nvalue, int64_t ttl_ns, void *to, size_t room, size_t *n) {
	scs_call call;
	unsigned char *request = NULL;
	uint64_t seen = 0;
	size_t used = 0, length = 0, most = (size_t)c->request - 8;
	if (n == NULL)
		n = &length;
	*n = 0;
	if (scs_need(most, nkey, nvalue) == 0)
		return SCS_TOO_LARGE;
	int r = scs_claim(c, &call, &request);
	if (r != SCS_OK)
		return r;
	(void)scs_add(request, most, &used, kind, key, nkey, value, nvalue, ttl_ns); /* it fits */
	r = scs_publish(c, &call, used);
	if (r == SCS_OK)
		r = scs_await(c, &call, &seen);
	return r == SCS_OK ? scs_free(c, &call, seen, scs_one(c, &call, kind, to, room, n)) : r;
}

/* scs_get copies the value of the key. With SCS_TOO_LARGE, n is the length of the value. */
static inline int scs_get(scs_client *c, const void *key, size_t nkey, void *value, size_t room, size_t *n) {
	return scs_operation(c, SCS_GET, key, nkey, NULL, 0, 0, value, room, n);
}

/* scs_set gives the key a value. For ttl_ns see scs_add. */
static inline int scs_set(scs_client *c, const void *key, size_t nkey, const void *value, size_t nvalue,
			  int64_t ttl_ns) {
	return scs_operation(c, SCS_SET, key, nkey, value, nvalue, ttl_ns, NULL, 0, NULL);
}

/* scs_delete removes the key, or returns SCS_ABSENT. */
static inline int scs_delete(scs_client *c, const void *key, size_t nkey) {
	return scs_operation(c, SCS_DELETE, key, nkey, NULL, 0, 0, NULL, 0, NULL);
}

#endif
