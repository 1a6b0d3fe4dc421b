/** The catalogue in the order of a run's variant (`vary: {tools: 5}`). */
import { toolOrder } from "../../../source/engine/settings/varied.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import type { Catalogue } from "../data/catalogue.ts";

/** The largest number of cached orders. Requests of a run share one order, and the identity of that order caches texts. */
const mostKept = 8;

/** Returns a function that returns the catalogue of a run: apps and the APIs of each app in the order of the variant. */
export function orderedCatalogue(catalogue: Catalogue): (spec: Pick<RunSpec, "vary" | "seed">) => Catalogue {
  const known = new Map<string, Catalogue>();
  return (spec) => {
    if (spec.vary?.tools === undefined) return catalogue;
    const key = `${spec.seed} ${spec.vary.tools}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const order = toolOrder(spec);
    const apps = order(catalogue.apps, ({ name }) => name).map((app) => ({
      ...app,
      apis: [...order(app.apis, ({ name }) => name)],
    }));
    const ordered = { ...catalogue, apps };
    known.set(key, ordered);
    if (known.size > mostKept) known.delete(known.keys().next().value!);
    return ordered;
  };
}
