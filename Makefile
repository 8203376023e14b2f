# SPDX-License-Identifier: GPL-2.0
# netbatch: everything a person types.  The work is in scripts/.

KDIR ?= /lib/modules/$(shell uname -r)/build

# KSRC: a kernel tree or tarball of one's own, instead of Debian's package.
# NETBATCH_CACHE: where sources and built things are kept.
export KSRC NETBATCH_CACHE FORCE

.DEFAULT_GOAL := help
.PHONY: help run shell test test-long test-dkms test-ixgbe bench-ixgbe bench-qdisc bench-flows bench-xsk bench-gro models audit fuzz check series tree refresh module dkms qemu clean distclean

help:
	@echo 'netbatch: per batch what the Linux network stack does per packet'
	@echo
	@echo '  make run        build all that is needed, measure, show the table (build/results/)'
	@echo '  make shell      a guest with the patched kernel and both ports up; Ctrl-a x ends it'
	@echo '  make test       all tests; the last line counts them'
	@echo '  make test-long  what takes longer: debug-kernel loops in full'
	@echo '  make test-ixgbe   stock ixgbe on the emulated 82599: of 7.3, and as Debian packages it'
	@echo '  make bench-ixgbe  ixm beside stock ixgbe: instructions a frame, packets per second'
	@echo '  make bench-qdisc  senders x mode of the qdisc x kind of qdisc: rate, verdicts, latency'
	@echo '  make bench-flows  flows moved between CPUs, with and without the transmit flow table'
	@echo '  make bench-xsk    AF_XDP in copy mode: tail writes and instructions a frame, by batch'
	@echo '  make bench-gro    batches of the receive path: floods, acknowledgments, requests'
	@echo '  make models     the locks of the transmit path, model-checked with spin'
	@echo '  make audit      exits of drivers that lose a tail write, with verdicts; DRIVER=PATH: one driver'
	@echo '  make fuzz       the device model under libFuzzer for SECONDS (default 60)'
	@echo '  make check      static checks only: sparse, checkpatch, kernel-doc, shellcheck, layout'
	@echo
	@echo '  make series     build/series/7.3/*.patch, for git am on a 7.3 tree'
	@echo '  make tree       the patched git tree; prints where it is'
	@echo '  make refresh    carry edits made in that tree back into this repository'
	@echo '  make module KDIR=DIR   build/module/*/ixm.ko for the kernel built or installed at DIR'
	@echo '  make dkms       the driver to /usr/src; then: dkms install ixm/VERSION'
	@echo '  make test-dkms  DKMS for Debian 12: kernels 6.1 and 6.12'
	@echo '  make qemu       the emulated 82599; prints the emulator that has it'
	@echo
	@echo '  make clean      remove build/;  make distclean: and the cache'
	@echo
	@echo 'KSRC=TREE|TARBALL takes a 7.3 source of your own as the base;'
	@echo 'NETBATCH_CACHE=DIR keeps sources and builds there (now: $(or $(NETBATCH_CACHE),~/.cache/netbatch)).'

run shell test test-long test-dkms test-ixgbe bench-ixgbe bench-xsk bench-gro models check series tree refresh:
	@scripts/$@

bench-qdisc:
	@scripts/bench-qdisc
	@scripts/bench-qdisc-uml

bench-flows:
	@scripts/bench-flows
	@scripts/bench-flows-tcp

audit:
	@scripts/audit $(if $(DRIVER),"$(DRIVER)")

fuzz:
	@scripts/fuzz-device $(SECONDS)

module:
	@scripts/build-module "$(KDIR)"

dkms:
	@scripts/dkms-source

qemu:
	@scripts/build-qemu

clean:
	rm -rf build

distclean: clean
	rm -rf "$(or $(NETBATCH_CACHE),$(HOME)/.cache/netbatch)"
