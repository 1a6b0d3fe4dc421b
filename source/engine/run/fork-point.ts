/** The tasks of a run of forks: each is a place in a saved task, `TASK@REQUEST`. */
import type { Facets, Fork, ForkedRun, RunSpec, Task } from "../types.ts";
import { changedTask } from "../work/whole-of.ts";

/** Facets of a forked task, in addition to the facets of its original. */
export const pointFacets = {
  /** Number of the request, from 1. */
  request: "fork.request",
  /** Number of requests that could be repeated. */
  requests: "fork.requests",
  /** The first kind of error of the original. */
  error: "fork.error",
  /** Hash of the requests before the forked request: see `Fork`. */
  attempt: "fork.attempt",
  /** Identifies the settings of the original, which a control arm shares. */
  settings: "fork.settings",
  /** The 1-based number of the request whose reply a built-in model spoilt. */
  spoilt: "fork.spoilt",
} as const;

const hashes: ReadonlySet<string> = new Set([pointFacets.attempt, pointFacets.settings]);

/** Returns the facets that are meaningful to a reader, with their values: all but hashes. */
export const readableFacets = (facets: Facets = {}): readonly (readonly [name: string, value: string | number])[] =>
  Object.entries(facets).filter(([name]) => !hashes.has(name));

const pointName = (task: string, request: number): string => `${task}@${request}`;

/** Returns the request from which a task of a run of forks continues. */
export function forkPoint({ of }: ForkedRun, { id, facets }: Pick<Task, "id" | "facets">): Fork {
  const cut = id.lastIndexOf("@");
  const attempt = facets[pointFacets.attempt];
  return {
    run: of,
    task: id.slice(0, cut),
    request: Number(id.slice(cut + 1)),
    ...(typeof attempt === "string" && attempt !== "" && { attempt }),
  };
}

/** Returns the data set's id of a run's task. */
export const dataTask = ({ forks }: Pick<RunSpec, "forks">, id: string): string =>
  forks === undefined ? id : id.slice(0, Math.max(0, id.lastIndexOf("@")));

/** Returns the task in the form that the suite defines. */
export const askedTask = <Own extends Pick<Task, "id">>(spec: Pick<RunSpec, "forks">, task: Own): Own =>
  spec.forks === undefined ? task : changedTask(task, { id: dataTask(spec, task.id) });

/** Returns a task for the request at which it is forked. */
export function pointOf(task: Task, request: number, facets: Facets): Task {
  return changedTask(task, { id: pointName(task.id, request), facets: { ...task.facets, ...facets } });
}
