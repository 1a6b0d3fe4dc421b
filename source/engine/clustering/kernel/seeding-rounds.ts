/**
 * How the threads of seeding meet, a round for each seed, in one number of shared memory. The first thread opens a round, does
 * what it can of it and closes it; it waits only for those that are in it. A thread that is still asleep, or whose core is
 * taken by another program, finds the round closed and comes to a later one.
 */
import { slot } from "./workspace.ts";

/** In the lowest bits the threads inside, then whether the round is closed, then its number. */
const inside = 0xff;
const closed = 0x100;
const numberBits = 9;
const ended = -1;

/** To be set before threads come. */
export const beforeRounds = closed;

/** Lets other threads in. `count` rounds were before it. */
export function openRound(control: Int32Array, count: number): void {
  Atomics.store(control, slot.round, (count + 1) << numberBits);
  Atomics.notify(control, slot.round);
}

/** Lets nobody in any more, and waits until all have left. */
export function closeRound(control: Int32Array): void {
  let now = Atomics.or(control, slot.round, closed) | closed;
  while ((now & inside) > 0) {
    Atomics.wait(control, slot.round, now);
    now = Atomics.load(control, slot.round);
  }
}

export function endRounds(control: Int32Array): void {
  Atomics.store(control, slot.round, ended);
  Atomics.notify(control, slot.round);
}

/** Does a part of every round that this thread comes to, until they have ended. */
export function takePart(control: Int32Array, part: () => void): void {
  let last = beforeRounds >> numberBits;
  for (let now; (now = Atomics.load(control, slot.round)) !== ended;) {
    if ((now & closed) > 0 || now >> numberBits === last) {
      Atomics.wait(control, slot.round, now);
      continue;
    }
    if (Atomics.compareExchange(control, slot.round, now, now + 1) !== now) continue;
    part();
    last = now >> numberBits;
    Atomics.sub(control, slot.round, 1);
    Atomics.notify(control, slot.round);
  }
}
