/* The source whose compilation is recorded. It includes nothing, so that the recording does not depend on the C library;
 * and it is short, since two nested loops already keep gcc -O2 busy for 78 million instructions. */

void sort(long *first, long count) {
  for (long i = 1; i < count; ++i) {
    long held = first[i], at = i;
    while (at > 0 && first[at - 1] > held) {
      first[at] = first[at - 1];
      --at;
    }
    first[at] = held;
  }
}
