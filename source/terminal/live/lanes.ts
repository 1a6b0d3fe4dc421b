/** Which trajectories are visible, side by side. */

/** How many lanes fit: one, from 120 columns two, from 180 four. */
export function lanesThatFit(columns: number): number {
  return columns >= 180 ? 4 : columns >= 120 ? 2 : 1;
}

/**
 * A task stays in its lane while it runs; a lane whose task ended gets the newest running task that is in none. `pinned` is
 * visible in any case: where it already is, else in the first lane. Returns `before` itself when nothing changes.
 */
export function assignLanes(
  before: readonly string[],
  running: readonly string[],
  count: number,
  pinned: string | undefined,
): readonly string[] {
  const isRunning = new Set(running);
  const lanes = before.slice(0, count);
  if (pinned !== undefined && !lanes.includes(pinned)) lanes[0] = pinned;
  const waiting = running.filter((task) => !lanes.includes(task));
  for (let lane = 0; lane < count; lane++) {
    const held = lanes[lane];
    if (held !== undefined && (held === pinned || isRunning.has(held))) continue;
    const next = waiting.pop();
    if (next !== undefined) lanes[lane] = next;
  }
  const same = lanes.length === before.length && lanes.every((task, index) => task === before[index]);
  return same ? before : lanes;
}
