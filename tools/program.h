/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What each of the bench's programs needs: a clock, and an end when the system
 * refuses something.
 */
#ifndef NB_PROGRAM_H
#define NB_PROGRAM_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Say that @what did not work, and errno's reason; exit status 1. */
static inline void fail(const char *what)
{
	fprintf(stderr, "error: %s: %s\n", what, strerror(errno));
	exit(1);
}

static inline uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

#endif
