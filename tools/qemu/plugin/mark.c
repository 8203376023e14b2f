// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mark - runs in the guest; ends a stretch of the insncount plugin.  Without
 * the plugin it does nothing.
 */
int main(void)
{
	/* nopl 0x4e424d4b(%rax), in the one encoding that insncount knows. */
	__asm__ volatile(".byte 0x0f, 0x1f, 0x80\n\t.long 0x4e424d4b");
	return 0;
}
