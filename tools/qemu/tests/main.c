// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs all tests, each on a fresh machine; TAP on stdout. */
#include "machine.h"

const char *failed_at;

static const struct test *const suites[] = {
	reset_tests, irq_tests, tx_tests, offload_tests, rx_tests, filter_tests, rss_tests,
	fdir_tests, pause_tests, stats_tests, hostile_tests,
};

int main(void)
{
	unsigned int i, number = 0, failed = 0;
	const struct test *test;
	struct machine *m;

	for (i = 0; i < sizeof(suites) / sizeof(suites[0]); i++) {
		for (test = suites[i]; test->name; test++) {
			failed_at = NULL;
			m = machine_new();
			test->run(m);
			machine_free(m);
			printf("%sok %u - %s\n", failed_at ? "not " : "", ++number, test->name);
			failed += !!failed_at;
		}
	}
	printf("1..%u\n", number);
	printf("# %u passed, %u failed\n", number - failed, failed);
	return failed != 0;
}
