/* The merged VMID allocator of KVM on arm64 (Linux 5.18), step for step as src/kernel/tag_bitmap.h has it, in the small world of
 * src/world/explored/tag_world.h: for `bench/spin/compare`. Macros: CPUS, VMS, IDS (usable ones).
 *
 * Like `tollgate check`, it numbers old generations anew (at each rollover) so that the state space is finite, and watches one TLB
 * entry in place of whole TLBs. Unlike it, it has no symmetry over CPUs and VMs, and no transactions: spin has its own
 * partial-order reduction and its statement merging.
 *
 * A tag is a byte: age * SIZE + index, age 0 being the current generation. 0 is no tag; INVALID is what schedule-out leaves. */

#define SIZE (IDS + 1)
#define INVALID 255
#define AGE(t) ((t) / SIZE)
#define INDEX(t) ((t) % SIZE)
#define REAL(t) ((t) != 0 && (t) != INVALID)
#define NOBODY 255
#define AGES 16

byte tag[VMS], slot[CPUS], reserved[CPUS];
byte seen[CPUS], old[CPUS], vm[CPUS];   /* what each CPU has read, and the VM it has loaded */
byte base[CPUS], base_index[CPUS];      /* running VM + 1 */
bool taken[SIZE];
bool locked;
byte cursor = 1;
byte watch_cpu = NOBODY, watch_index, watch_vm;

hidden byte present[AGES];
hidden byte rank[AGES];
hidden byte i, j, k, free_ids;

#define NOTE(t) if :: REAL(t) && INDEX(t) == k -> present[AGE(t)] = 1 :: else fi
#define RENAME(t) if :: REAL(t) && INDEX(t) == k && AGE(t) > 0 -> t = rank[AGE(t)] * SIZE + k :: else fi
#define OLDER(t) if :: REAL(t) -> t = t + SIZE :: else fi

/* Next generation: every tag is one older; then, index by index, the ages that occur are numbered 1, 2, ... */
inline bump() {
  for (i : 0 .. VMS - 1) { OLDER(tag[i]) }
  for (i : 0 .. CPUS - 1) { OLDER(slot[i]); OLDER(reserved[i]); OLDER(seen[i]); OLDER(old[i]) }
  for (k : 1 .. IDS) {
    for (i : 0 .. AGES - 1) { present[i] = 0 }
    for (i : 0 .. VMS - 1) { NOTE(tag[i]) }
    for (i : 0 .. CPUS - 1) { NOTE(slot[i]); NOTE(reserved[i]); NOTE(seen[i]); NOTE(old[i]) }
    j = 1;
    for (i : 1 .. AGES - 1) { rank[i] = j; if :: present[i] == 1 -> j++ :: else fi }
    for (i : 0 .. VMS - 1) { RENAME(tag[i]) }
    for (i : 0 .. CPUS - 1) { RENAME(slot[i]); RENAME(reserved[i]); RENAME(seen[i]); RENAME(old[i]) }
  }
  for (i : 0 .. IDS) { taken[i] = false }
  i = 0; j = 0; k = 0
}

/* The next free index from `from` on into j; 0 when there is none. */
inline next_free(from) {
  j = from;
  do
  :: j <= IDS && taken[j] -> j++
  :: else -> break
  od;
  if :: j > IDS -> j = 0 :: else fi
}

/* Under the lock: the VM's index of old if it is reserved or free; else the next one; seen[me] == 0 asks for a rollover. */
inline choose(me) {
  seen[me] = tag[vm[me]];
  if
  :: REAL(seen[me]) && AGE(seen[me]) > 0 ->
     k = INDEX(seen[me]); free_ids = 0;
     for (i : 0 .. CPUS - 1) { if :: reserved[i] == seen[me] -> reserved[i] = k; free_ids = 1 :: else fi }
     if
     :: free_ids == 1 -> seen[me] = k
     :: else -> if :: !taken[k] -> taken[k] = true; seen[me] = k :: else -> seen[me] = 0 fi
     fi
  :: else
  fi;
  if
  :: seen[me] == 0 ->
     next_free(cursor);
     if :: j != 0 -> taken[j] = true; cursor = j; seen[me] = j :: else fi
  :: else
  fi;
  i = 0; j = 0; k = 0; free_ids = 0
}

#define FILL(c) if :: watch_cpu == NOBODY -> if :: watch_cpu = c; watch_index = base_index[c]; watch_vm = base[c] - 1 :: true fi :: else fi

proctype Cpu(byte me) {
  byte left, other;
idle:
  if
  :: vm[me] = 0
  :: VMS > 1 -> vm[me] = 1
  :: VMS > 2 -> vm[me] = 2
  :: VMS > 3 -> vm[me] = 3
  :: VMS > 4 -> vm[me] = 4
  fi;
update:
  seen[me] = tag[vm[me]];
  d_step { old[me] = slot[me]; if :: old[me] == 0 -> seen[me] = 0 :: else fi };
  if
  :: d_step { (old[me] == 0 || !REAL(seen[me]) || AGE(seen[me]) > 0) -> seen[me] = 0; old[me] = 0 }; goto lock
  :: !(old[me] == 0 || !REAL(seen[me]) || AGE(seen[me]) > 0)
  fi;
  if
  :: d_step { slot[me] == old[me] -> slot[me] = seen[me]; seen[me] = 0; old[me] = 0 }; goto ready
  :: d_step { slot[me] != old[me] -> seen[me] = 0; old[me] = 0 }
  fi;
lock:
  atomic { !locked -> locked = true };
  d_step { choose(me) };
  if
  :: seen[me] != 0 && seen[me] == tag[vm[me]] -> goto publish
  :: seen[me] != 0 && seen[me] != tag[vm[me]] -> goto store
  :: seen[me] == 0
  fi;
  d_step { bump(); left = (1 << CPUS) - 1 };
  do
  :: left != 0 ->
     if
     :: (left & 1) -> other = 0
     :: (left & 2) -> other = 1 % CPUS
     :: (left & 4) -> other = 2 % CPUS
     fi;
     d_step {
       if :: slot[other] != 0 -> reserved[other] = slot[other]; slot[other] = 0 :: else fi;
       if :: REAL(reserved[other]) -> taken[INDEX(reserved[other])] = true :: else fi;
       left = left & ~(1 << other); other = 0
     }
  :: left == 0 -> break
  od;
  atomic {
    skip;
    d_step {
      if :: watch_cpu != NOBODY -> watch_cpu = NOBODY; watch_index = 0; watch_vm = 0 :: else fi;
      /* at the end of a rollover */
      free_ids = 0;
      for (i : 1 .. IDS) { if :: !taken[i] -> free_ids++ :: else fi };
      assert(free_ids >= IDS - CPUS);                                              /* EnoughFree */
      for (i : 0 .. CPUS - 1) {
        assert(!REAL(reserved[i]) || taken[INDEX(reserved[i])]);                   /* ReservationsAgree */
        assert(base[i] == 0 || (REAL(reserved[i]) && INDEX(reserved[i]) == base_index[i]));  /* RunningIsReserved */
        for (j : 0 .. CPUS - 1) {
          assert(!REAL(reserved[i]) || !REAL(reserved[j]) || INDEX(reserved[i]) != INDEX(reserved[j]) ||
                 reserved[i] == reserved[j])
        }
      };
      i = 0; j = 0; free_ids = 0
    };
    if :: base[0] != 0 -> FILL(0) :: else fi;
    if :: CPUS > 1 && base[1 % CPUS] != 0 -> FILL(1 % CPUS) :: else fi;
    if :: CPUS > 2 && base[2 % CPUS] != 0 -> FILL(2 % CPUS) :: else fi
  };
  d_step { next_free(1); assert(j != 0); taken[j] = true; cursor = j; seen[me] = j; j = 0 };
store:
  atomic { tag[vm[me]] = seen[me]; assert(INDEX(tag[vm[me]]) != 0) };
publish:
  atomic { slot[me] = seen[me]; seen[me] = 0 };
  locked = false;
ready:
  if
  :: atomic {
       d_step {
         base[me] = vm[me] + 1; base_index[me] = INDEX(tag[vm[me]]);
         assert(base_index[me] != 0);
         assert(watch_cpu != me || watch_index != base_index[me] || watch_vm == vm[me]);          /* UniqueVMIDPerCPU */
         for (i : 0 .. CPUS - 1) {
           assert(i == me || base[i] == 0 || (base[i] == base[me]) == (base_index[i] == base_index[me]))
         };                                                                        /* Unique-, SameVMIDActive */
         i = 0
       };
       FILL(me)
     };
     d_step { base[me] = 0; base_index[me] = 0 }
  :: true
  fi;
  if
  :: goto update
  :: d_step { slot[me] = INVALID; vm[me] = 0 } -> goto idle
  fi
}

init {
  atomic {
    run Cpu(0);
    if :: CPUS > 1 -> run Cpu(1) :: else fi;
    if :: CPUS > 2 -> run Cpu(2) :: else fi
  }
}
