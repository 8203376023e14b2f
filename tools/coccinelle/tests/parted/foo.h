/* SPDX-License-Identifier: GPL-2.0 */
void foo_push(struct foo_ring *ring);
