/* SPDX-License-Identifier: GPL-2.0 */
/* Before 6.6 all of the page pool is in one header. */
#include <net/page_pool.h>
