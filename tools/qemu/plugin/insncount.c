// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * insncount - a QEMU TCG plugin that counts executed guest instructions by
 * address, in the stretches that the guest itself marks.
 *
 *   -plugin libinsncount.so,out=FILE
 *
 * Every instruction gets a counter that the translated code increments in
 * line.  The guest marks the end of a stretch by executing one particular
 * long no-op, nopl MARK_DISP(%rax), which does nothing on any CPU.  On each
 * mark the plugin writes what was executed since the mark before:
 *
 *   mark NUMBER TOTAL
 *   ADDRESS COUNT		(kernel addresses; hexadecimal, decimal)
 *   user COUNT			(all user space addresses together)
 *
 * What runs before the first mark (the boot) is stretch 0.  One vCPU only: the
 * counters are not atomic.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <qemu-plugin.h>

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

#define MARK_DISP	0x4e424d4b	/* "NBMK" */

#define HASH_BITS	18
#define CHUNK		4096
/* Canonical addresses: the upper half is the kernel's. */
#define KERNEL_BASE	(UINT64_C(1) << 63)

struct counter {
	uint64_t addr;
	uint64_t count;		/* written by translated code */
	uint64_t marked;	/* count at the last mark */
	struct counter *next;
};

static struct counter *hash[1u << HASH_BITS];
static struct counter *chunk;
static unsigned int chunk_used = CHUNK;
static struct counter user;
static unsigned int marks;
static FILE *out;

static void fail(const char *what)
{
	fprintf(stderr, "insncount: %s\n", what);
	abort();
}

/* Counters never move: translated code holds their addresses. */
static struct counter *new_counter(uint64_t addr)
{
	if (chunk_used == CHUNK) {
		chunk = calloc(CHUNK, sizeof(*chunk));
		if (!chunk)
			fail("out of memory");
		chunk_used = 0;
	}
	chunk[chunk_used].addr = addr;
	return &chunk[chunk_used++];
}

static struct counter *find_counter(uint64_t addr)
{
	uint64_t h = (addr * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - HASH_BITS);
	struct counter *c;

	for (c = hash[h]; c; c = c->next)
		if (c->addr == addr)
			return c;
	c = new_counter(addr);
	c->next = hash[h];
	hash[h] = c;
	return c;
}

static uint64_t delta(const struct counter *c)
{
	return c->count - c->marked;
}

static void write_stretch(void)
{
	uint64_t total = delta(&user);
	struct counter *c;
	unsigned int i;

	for (i = 0; i < 1u << HASH_BITS; i++)
		for (c = hash[i]; c; c = c->next)
			total += delta(c);
	fprintf(out, "mark %u %" PRIu64 "\n", marks++, total);
	for (i = 0; i < 1u << HASH_BITS; i++) {
		for (c = hash[i]; c; c = c->next) {
			if (delta(c))
				fprintf(out, "%016" PRIx64 " %" PRIu64 "\n",
					c->addr, delta(c));
			c->marked = c->count;
		}
	}
	fprintf(out, "user %" PRIu64 "\n", delta(&user));
	user.marked = user.count;
	if (fflush(out))
		fail("cannot write the result");
}

static void on_mark(unsigned int vcpu, void *data)
{
	(void)vcpu;
	(void)data;
	write_stretch();
}

static int is_mark(const struct qemu_plugin_insn *insn)
{
	static const uint8_t mark[] = {
		0x0f, 0x1f, 0x80,
		MARK_DISP & 0xff, MARK_DISP >> 8 & 0xff,
		MARK_DISP >> 16 & 0xff, MARK_DISP >> 24,
	};

	return qemu_plugin_insn_size(insn) == sizeof(mark) &&
	       !memcmp(qemu_plugin_insn_data(insn), mark, sizeof(mark));
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb), i;

	(void)id;
	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint64_t addr = qemu_plugin_insn_vaddr(insn);
		struct counter *c = addr < KERNEL_BASE ? &user :
							 find_counter(addr);

		qemu_plugin_register_vcpu_insn_exec_inline(insn,
				QEMU_PLUGIN_INLINE_ADD_U64, &c->count, 1);
		if (c == &user && is_mark(insn))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark,
					QEMU_PLUGIN_CB_NO_REGS, NULL);
	}
}

static void on_exit_qemu(qemu_plugin_id_t id, void *data)
{
	(void)id;
	(void)data;
	fclose(out);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
					   const qemu_info_t *info,
					   int argc, char **argv)
{
	if (!info->system_emulation || info->system.smp_vcpus != 1) {
		fprintf(stderr, "insncount: it takes a system with one vCPU\n");
		return -1;
	}
	if (argc != 1 || strncmp(argv[0], "out=", 4)) {
		fprintf(stderr, "insncount: the one argument is out=FILE\n");
		return -1;
	}
	out = fopen(argv[0] + 4, "w");
	if (!out) {
		perror(argv[0] + 4);
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_atexit_cb(id, on_exit_qemu, NULL);
	return 0;
}
