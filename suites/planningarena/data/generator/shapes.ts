/** Plans the calls of a task and the values passed between them, with one recipe for each relation and structure. */
import { pick, shuffled } from "../../../../source/engine/statistics/random.ts";
import type { Relation, Structure } from "../records.ts";
import { amountKind, type ApiChains, type Call } from "./api-chains.ts";
import { factOf } from "../../../../source/engine/work/fact.ts";

/** `takes` lists indexes of earlier nodes, with the kind of value passed on. */
export type PlannedCall = {
  readonly call: Call;
  readonly takes: readonly { readonly from: number; readonly kind: string }[];
};
type Roles = {
  readonly roots: readonly Call[];
  readonly singles: readonly Call[];
  readonly sinks: readonly Call[];
  takers(call: Call): readonly Call[];
  /** Returns whether a chain from this call can continue for this many more calls. */
  leads(call: Call, more: number): boolean;
};

/** Plans the calls of a task with `size` subtasks; returns undefined if the recipe cannot produce that size. */
export function planCalls(
  chains: ApiChains,
  relation: Relation,
  structure: Structure | null,
  size: number,
  random: () => number,
): readonly PlannedCall[] | undefined {
  const roles = rolesOf(chains);
  if (relation === "PAPI") return parallel(roles, size, random);
  if (relation === "CAPI") return chain(roles, size, random);
  const plan = graph(roles, structure!, size, random);
  return plan?.length === size ? plan : undefined;
}

/** Roles of calls in a graph, derived from the values that they need and return; cached per file. */
const rolesOf = factOf(newRoles);

function newRoles({ calls }: ApiChains): Roles {
  const takes = (call: Call) => call.parameters.flatMap(({ source }) => (source.from === "takes" ? [source.name] : []));
  const takersOf = new Map(
    calls.map((call) => [
      call,
      calls.filter((other) => takes(other).some((kind) => kind !== amountKind && gives(call).includes(kind))),
    ]),
  );
  const takers = (call: Call) => takersOf.get(call)!;
  const free = calls.filter((call) => takes(call).length === 0);
  const isRoot = (call: Call) => takers(call).length > 2;
  /** Calls after which this many further calls are possible. */
  const leading = [new Set(calls)];
  const leads = (call: Call, more: number) => {
    for (let last = leading.at(-1)!; leading.length <= more; last = leading.at(-1)!)
      leading.push(new Set(calls.filter((each) => takers(each).some((taker) => last.has(taker)))));
    return leading[more]!.has(call);
  };
  return {
    roots: free.filter(isRoot),
    singles: free.filter((call) => !isRoot(call) && gives(call).includes(amountKind)),
    sinks: calls.filter((call) => call.parameters.some(({ repeat }) => repeat > 0)),
    takers,
    leads,
  };
}

const gives = (call: Call): readonly string[] =>
  call.results.flatMap((result) => (result.gives === undefined ? [] : [result.gives]));

/** Returns the kind of value passed from `from` to `to`. */
const link = (from: Call, to: Call): string =>
  to.parameters
    .flatMap(({ source }) => (source.from === "takes" ? [source.name] : []))
    .find((kind) => gives(from).includes(kind))!;

/** Draws calls of at most `kinds` tools, each tool at least once if the count permits. */
function drawn(calls: readonly Call[], count: number, random: () => number): Call[] {
  const kinds = Math.max(1, Math.min(calls.length, count, 1 + Math.floor(random() * calls.length)));
  const chosen = shuffled(calls, random).slice(0, kinds);
  return shuffled(
    Array.from({ length: count }, (_, index) => chosen[index % kinds]!),
    random,
  );
}

const parallel = ({ roots, singles }: Roles, size: number, random: () => number): PlannedCall[] =>
  drawn([...singles, ...roots], size, random).map((call) => ({ call, takes: [] }));

/** Plans calls that each take a value from the previous call; returns undefined if no such chain is long enough. */
function chain({ roots, singles, takers, leads }: Roles, size: number, random: () => number) {
  const starts = [roots, singles].map((calls) => calls.filter((call) => leads(call, size - 1)));
  const open = starts.filter((calls) => calls.length > 0);
  if (open.length === 0) return undefined;
  let call = pick(pick(open, random), random);
  const plan: PlannedCall[] = [{ call, takes: [] }];
  while (plan.length < size) {
    const left = size - plan.length - 1;
    const taker = pick(
      takers(call).filter((next) => leads(next, left)),
      random,
    );
    plan.push({ call: taker, takes: [{ from: plan.length - 1, kind: link(call, taker) }] });
    call = taker;
  }
  return plan;
}

function graph(roles: Roles, structure: Structure, size: number, random: () => number): PlannedCall[] | undefined {
  const builder = new GraphBuilder(roles, random);
  const upTo = (most: number) => 1 + Math.floor(random() * Math.max(1, most));
  switch (structure) {
    case "one-to-many":
      builder.fan(size - 1, 0);
      return builder.plan;
    case "many-to-one":
      builder.alone(size - 1);
      return builder.joined();
    case "many-to-many-1": {
      const second = Math.min(upTo(3), Math.floor((size - 1) / 2));
      builder.fan(size - 1 - second, second);
      return builder.plan;
    }
    case "many-to-many-2":
      builder.fan(size - 2, 0);
      return builder.joined();
    case "many-to-many-3": {
      const alone = size < 7 ? 1 : upTo(2);
      const second = size < 7 ? 1 : upTo(2);
      builder.fan(size - 2 - alone - second, second);
      builder.alone(alone);
      return builder.joined();
    }
    case "many-to-many-4": {
      const second = size < 8 ? 0 : upTo(2);
      if (size - 4 - second < 2) return undefined;
      builder.fan(size - 4 - second, second);
      builder.pair();
      return builder.joined(true);
    }
    default:
      return structure satisfies never;
  }
}

class GraphBuilder {
  readonly plan: PlannedCall[] = [];
  readonly #roles: Roles;
  readonly #random: () => number;
  readonly #crossing: number[] = [];

  constructor(roles: Roles, random: () => number) {
    this.#roles = roles;
    this.#random = random;
  }

  /** Adds a root that feeds `many` calls; each of the first `second` calls feeds one more. */
  fan(many: number, second: number): void {
    const root = pick(this.#roles.roots, this.#random);
    const top = this.#add(root);
    let left = second;
    for (const call of many < 2 ? [] : drawn(this.#roles.takers(root), many, this.#random)) {
      const middle = this.#add(call, { from: top, kind: link(root, call) });
      const next = this.#roles.takers(call);
      if (left === 0 || next.length === 0) continue;
      const taker = pick(next, this.#random);
      this.#add(taker, { from: middle, kind: link(call, taker) });
      left -= 1;
    }
  }

  /** Adds calls that take no value. */
  alone(count: number): void {
    for (const call of drawn(this.#roles.singles, count, this.#random)) this.#add(call);
  }

  /** Adds a call that takes no value, and a call that takes a value from it. */
  pair(): void {
    const call = pick(
      this.#roles.singles.filter((single) => this.#roles.takers(single).length > 0),
      this.#random,
    );
    const from = this.#add(call);
    this.#crossing.push(from);
    const taker = pick(this.#roles.takers(call), this.#random);
    this.#add(taker, { from, kind: link(call, taker) });
  }

  /**
   * Adds a last call that takes the amount of every call whose value no other call takes and, with `crossing`, of the calls that
   * cross levels.
   */
  joined(crossing = false): PlannedCall[] {
    const used = new Set(this.plan.flatMap(({ takes }) => takes.map(({ from }) => from)));
    const ends = [...this.plan.keys()].filter(
      (index) => !used.has(index) || (crossing && this.#crossing.includes(index)),
    );
    const takes = ends.map((from) => ({ from, kind: amountKind }));
    this.plan.push({ call: pick(this.#roles.sinks, this.#random), takes });
    return this.plan;
  }

  #add(call: Call, ...takes: PlannedCall["takes"]): number {
    return this.plan.push({ call, takes }) - 1;
  }
}
