/** Proves that a task is solvable: all its requirements follow from profile, request, calendar or an earlier result. */
import { field } from "../../../../source/engine/text/json-record.ts";
import type { Json } from "../../../../source/engine/types.ts";
import { canon, collapsed, leavesOf } from "../canonical.ts";
import type { Offer } from "../catalogue.ts";
import { evaluate } from "../../score/evaluate.ts";
import { givenBy } from "../../score/given.ts";
import { parseCall } from "../literal.ts";
import type { Gold, Subtask, TaskHead, Edge, Relation, Structure } from "../records.ts";
import { toolCount } from "../task.ts";
import { transcriptOfRecords } from "../../score/transcript.ts";
import type { TaskRecord } from "./draft.ts";
import { sizeProblems } from "./sizes.ts";
import { daysSpokenOf } from "./spans.ts";

/** Facts about a user that the validator needs. */
export type Person = { readonly profile: Json; readonly currentDate: string | undefined };
/** Parts of a task that the validator needs. */
export type Candidate = TaskHead & { readonly gold: Gold; readonly reference: readonly Json[] };

/** Returns why a generated task is invalid or not as labelled; empty if it is valid. */
export function taskProblems(task: TaskRecord, offer: Offer, user: Person): string[] {
  const { gold, level, query, reference } = task;
  const tools = toolCount(task, gold, reference.slice(1));
  const size = sizeProblems(level, { tools, subtasks: gold.subtasks.length, query });
  if (size.length > 0) return size;
  return [
    ...(/\p{Script=Han}/u.test(task.queryZh) ? [] : ["Expected a Chinese wording"]),
    ...solvingProblems(task, offer, user),
  ];
}

/** Returns why a task cannot be solved by its answer key; empty if it can. */
export function solvingProblems(task: Candidate, offer: Offer, user: Person): string[] {
  const { gold, relation, structure, reference } = task;
  const ids = gold.subtasks.map(({ id }) => id);
  const shape = structureProblems(relation, structure, ids, gold.edges);
  if (shape.length > 0) return shape;
  const records = reference.filter((record) => field(record, "OrderSteps") !== undefined);
  const verdict = evaluate({ task, gold, offer, profile: user.profile, dialogue: reference });
  return [
    ...(task.operationalScenario === "API" ? unaskedOrder(task) : []),
    ...(task.operationalScenario === "API" ? callProblems(task, offer, user, records) : literalProblems(task, user)),
    ...(verdict.result ? [] : verdict.findings.map(({ check, text }) => `Reference fails ${check}: ${text}`)),
  ];
}

/** Words that request an order. */
const orderWords =
  /\b(?:then|after|afterwards|next|before|once|finally|when you have|first)\b|先|然后|接着|之后|再|最后/i;

/** Rejects order edges without a passed value, unless the request states an order. */
function unaskedOrder({ gold, query }: Candidate): string[] {
  if (orderWords.test(query)) return [];
  return gold.edges
    .filter(({ kind }) => kind === "order")
    .map(({ from, to }) => `Expected ${to} to take a value of ${from}, or the request to ask for an order in words`);
}

function callProblems(task: Candidate, offer: Offer, user: Person, records: readonly Json[]): string[] {
  const results = transcriptOfRecords(records, true).steps.map((step) =>
    typeof step.results === "string" ? leavesOf(parseCall(step.results)?.args ?? {}).map(canon) : [],
  );
  const known: Known = { days: daysSpokenOf(task.query, user.currentDate), given: givenIn(task.query, user) };
  return task.gold.subtasks.flatMap((subtask, index) => {
    const api = offer.apis.get(subtask.tool ?? "");
    if (api === undefined) return [`Expected ${subtask.tool} to be among the tools of \`${offer.name}\``];
    const bound = new Set(subtask.args?.map(({ name }) => name));
    const open = api.parameters.filter(({ name, required }) => required && !bound.has(name));
    const returned = new Set(results.slice(0, index).flat());
    return [
      ...open.map(({ name }) => `Expected ${subtask.id} to bind the required \`${name}\``),
      ...underivable(subtask, known, returned),
    ];
  });
}

type Known = { readonly days: ReadonlySet<string>; given(canonical: string): boolean };

/** Returns arguments whose values a planner cannot derive. */
const underivable = (subtask: Subtask, { days, given }: Known, returned: ReadonlySet<string>): string[] =>
  (subtask.args ?? []).flatMap(({ name, value, check }) => {
    const derivable =
      check === "PC" ? given(canon(value)) : check === "TR" ? days.has(String(value)) : returned.has(canon(value));
    return derivable ? [] : [`Expected ${name} of ${subtask.id} (${canon(value)}) to follow from what is known`];
  });

/** Also accepts one-digit numbers, which are separate words in a request. */
function givenIn(query: string, user: Person): (canonical: string) => boolean {
  const given = givenBy(query, user.profile);
  const words = new Set(
    collapsed(query)
      .toLowerCase()
      .split(/[^a-z0-9]+/),
  );
  return (canonical) => given(canonical) || words.has(canonical);
}

function literalProblems(task: Candidate, user: Person): string[] {
  const { literals = [], dates = [] } = task.gold;
  const given = givenIn(task.query, user);
  const days = daysSpokenOf(task.query, user.currentDate);
  const info = leavesOf(field(user.profile, "userInfo") ?? null).map(canon);
  return [
    ...literals
      .filter((literal) => !given(canon(literal)) && !info.includes(canon(literal)))
      .map((literal) => `Expected \`${literal}\` to be in the request or the profile`),
    ...dates.filter((date) => !days.has(date)).map((date) => `Expected the request to speak of ${date}`),
  ];
}

/** Returns the problems with the edges of a task over `nodes`; empty if there are none. */
export function structureProblems(
  relation: Relation,
  structure: Structure | null,
  nodes: readonly string[],
  edges: readonly Edge[],
): string[] {
  const known = new Set(nodes);
  for (const { from, to } of edges)
    if (!known.has(from) || !known.has(to)) return [`Expected edge ${from} → ${to} to join subtasks of the task`];
  const depth = depthOf(nodes, edges);
  if (depth === undefined) return ["Expected the graph to have no cycle"];
  const out = degrees(nodes, edges, "from");
  const into = degrees(nodes, edges, "to");
  const fits = fitting(relation, structure, nodes, edges, out, into, depth);
  return fits ? [] : [`Expected the edges to form ${structure ?? relation}`];
}

function fitting(
  relation: Relation,
  structure: Structure | null,
  nodes: readonly string[],
  edges: readonly Edge[],
  out: readonly number[],
  into: readonly number[],
  depth: number,
): boolean {
  if (relation === "PAPI") return edges.length === 0;
  if (relation !== "DAPI") return edges.length === nodes.length - 1 && depth === nodes.length - 1;
  const hubs = (degree: readonly number[]) => degree.filter((count) => count > 0);
  if (structure === "one-to-many") return hubs(out).length === 1 && hubs(out)[0]! >= 2 && hubs(out)[0] === edges.length;
  if (structure === "many-to-one")
    return hubs(into).length === 1 && hubs(into)[0]! >= 2 && hubs(into)[0] === edges.length;
  return depth >= 2 && (out.some((count) => count >= 2) || into.some((count) => count >= 2));
}

const degrees = (nodes: readonly string[], edges: readonly Edge[], end: "from" | "to"): number[] =>
  nodes.map((node) => edges.filter((edge) => edge[end] === node).length);

/** Returns the number of edges on the longest path; undefined for a cycle. */
function depthOf(nodes: readonly string[], edges: readonly Edge[]): number | undefined {
  const depth = new Map<string, number>();
  const waiting = new Map(nodes.map((node) => [node, edges.filter(({ to }) => to === node).length]));
  const ready = nodes.filter((node) => waiting.get(node) === 0);
  for (const node of ready) {
    const own = depth.get(node) ?? 0;
    depth.set(node, own);
    for (const { from, to } of edges) {
      if (from !== node) continue;
      depth.set(to, Math.max(depth.get(to) ?? 0, own + 1));
      waiting.set(to, waiting.get(to)! - 1);
      if (waiting.get(to) === 0) ready.push(to);
    }
  }
  return ready.length < nodes.length ? undefined : Math.max(0, ...depth.values());
}
