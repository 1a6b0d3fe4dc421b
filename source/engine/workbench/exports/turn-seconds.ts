import type { Turn } from "../../log/trajectory.ts";

/** Seconds a reply took, or once took where it was taken over; one from the cache took what reading it did. */
export function turnSeconds({ saved, from, to }: Turn): number {
  return (typeof saved === "number" ? saved : to - from) / 1000;
}
