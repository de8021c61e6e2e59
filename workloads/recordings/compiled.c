/* The program whose compilation is recorded. It needs no header, so that the recording does not depend on which C library
 * is installed. What it does is of no importance: a table and a sort give every phase of a compiler something to do. */

struct entry {
  unsigned long key;
  long value;
  struct entry *next;
};

static struct entry *buckets[64], pool[512];
static unsigned used;

struct entry *find(unsigned long key) {
  struct entry *entry = buckets[key % 64];
  while (entry && entry->key != key) entry = entry->next;
  return entry;
}

int put(unsigned long key, long value) {
  struct entry *entry = find(key);
  if (!entry) {
    if (used == 512) return 0;
    entry = &pool[used++];
    entry->key = key;
    entry->next = buckets[key % 64];
    buckets[key % 64] = entry;
  }
  entry->value = value;
  return 1;
}

void sort(long *first, long *last) {
  while (last - first > 1) {
    long pivot = first[(last - first) / 2];
    long *low = first, *high = last - 1;
    while (low <= high) {
      while (*low < pivot) ++low;
      while (*high > pivot) --high;
      if (low <= high) {
        long held = *low;
        *low++ = *high;
        *high-- = held;
      }
    }
    sort(first, high + 1);
    first = low;
  }
}
