/** Reads the method of `planwright cluster` and its settings. */
import type { GroupingSettings } from "../../engine/clustering/methods/settings.ts";
import { ArgumentProblem, type Arguments } from "../shell/arguments.ts";

/** Flags that apply to a library only. */
const ofLibrary = ["embedding", "model", "only", "out", "explain", "describe", "cache", "queries"];

/** Throws `ArgumentProblem` for a flag that has no effect without a library. */
export function refuseLibraryFlags(given: Arguments): void {
  for (const flag of ofLibrary) {
    if (given.text(flag) !== undefined)
      throw new ArgumentProblem(`Expected \`--${flag}\` only together with \`--library\``);
  }
}

/** The method and its settings. Throws `ArgumentProblem`. */
export function settingsFrom(given: Arguments): GroupingSettings {
  const method = given.text("method") ?? (given.text("library") === undefined ? undefined : "kmeans");
  const not = (flag: string, wanted: string) => {
    if (given.text(flag) !== undefined || given.flag(flag))
      throw new ArgumentProblem(`Expected \`--${flag}\` only together with \`--method ${wanted}\``);
  };
  if (method === "kmeans") {
    not("eps", "dbscan");
    const k = given.number("k", { least: 1, whole: true });
    if (k === undefined) throw new ArgumentProblem("Expected `--k K`, the number of clusters, got none");
    const inits = given.number("n-init", { least: 1, whole: true }) ?? 10;
    const seed = given.number("seed", { least: 0, whole: true }) ?? 0;
    return { method, k, inits, seed, plain: given.flag("plain") };
  }
  if (method === "dbscan") {
    for (const flag of ["k", "n-init", "seed", "plain"]) not(flag, "kmeans");
    const eps = given.number("eps", { least: 0, most: 2 });
    if (eps === undefined) throw new ArgumentProblem("Expected `--eps E`, a cosine distance, got none");
    return { method, eps };
  }
  throw new ArgumentProblem(
    method === undefined
      ? "Expected `--method kmeans` or `--method dbscan`, got none"
      : `Expected \`--method\` to be kmeans or dbscan, got \`${method}\``,
  );
}
