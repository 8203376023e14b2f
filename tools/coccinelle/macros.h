/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What spatch cannot parse by itself, for its --macro-file: with these,
 * functions that use them are analysed instead of being skipped.
 */
#define scoped_guard(kind, ...) if (1)
#define scoped_cond_guard(kind, fail, ...) if (1)
