#!/usr/bin/env python3
"""Counts TLB misses the slow way, from the text of `trace export`'s drmemtrace bytes: an independent simulator.

usage: tests/data/count_tlb_misses.py FILE ENTRIESxWAYS(l1d) ENTRIESxWAYS(l1i) ENTRIESxWAYS(l2)

FILE is a plain drmemtrace file of one thread. 4K pages, LRU, no tags, the second level sees what missed the first; a
reference that crosses a page is looked up in both, as DynamoRIO's TLB tool does. Prints: L1 I, L1 D, L2 misses.
"""
import struct
import sys
from collections import OrderedDict


class Array:
    """One LRU list a set."""

    def __init__(self, geometry):
        entries, self.ways = (int(part) for part in geometry.split("x"))
        self.sets = [OrderedDict() for _ in range(entries // self.ways)]
        self.misses = 0

    def refer(self, page):
        lru = self.sets[page % len(self.sets)]
        if page in lru:
            lru.move_to_end(page)
            return True
        self.misses += 1
        if len(lru) == self.ways:
            lru.popitem(last=False)
        lru[page] = None
        return False


def main():
    path, l1d, l1i, l2 = sys.argv[1], Array(sys.argv[2]), Array(sys.argv[3]), Array(sys.argv[4])
    fetches = set(range(10, 17)) | {30, 31, 48, 49}
    with open(path, "rb") as file:
        while block := file.read(12 << 16):
            for kind, size, address in struct.iter_unpack("<HHQ", block):
                if kind in fetches:
                    first = l1i
                elif kind < 2:
                    first = l1d
                else:
                    continue
                for page in range(address >> 12, ((address + size - 1) >> 12) + 1):
                    if not first.refer(page):
                        l2.refer(page)
    print(l1i.misses, l1d.misses, l2.misses)


main()
