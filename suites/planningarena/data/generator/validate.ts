/** Proves a task solvable: everything it asks for follows from profile, request, calendar or an earlier result. */
import { field } from "../../../../source/engine/text/json-record.ts";
import type { Json } from "../../../../source/engine/types.ts";
import { canon, collapsed, leavesOf } from "../canonical.ts";
import type { Offer } from "../catalogue.ts";
import { evaluate } from "../../score/evaluate.ts";
import { givenBy } from "../../score/given.ts";
import { parseCall } from "../literal.ts";
import type { Gold, Subtask, TaskHead } from "../records.ts";
import { toolCount } from "../task.ts";
import { transcriptOfRecords } from "../../score/transcript.ts";
import type { TaskRecord } from "./draft.ts";
import { sizeProblems } from "./sizes.ts";
import { daysSpokenOf } from "./spans.ts";
import { structureProblems } from "./structure-check.ts";

/** What the validator needs to know of a user. */
export type Person = { readonly profile: Json; readonly currentDate: string | undefined };
/** What it needs of a task. */
export type Candidate = TaskHead & { readonly gold: Gold; readonly reference: readonly Json[] };

/** Why a generated task is not sound, or not what it claims to be; empty when it is. */
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

/** Why a task cannot be solved as its answer key says; empty when it can. */
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

/** Words that ask for one thing after another. */
const orderWords =
  /\b(?:then|after|afterwards|next|before|once|finally|when you have|first)\b|先|然后|接着|之后|再|最后/i;

/** Order without a value is only a dependency where the request asks for it. */
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

/** Arguments that nothing a planner can see fixes. */
function underivable(subtask: Subtask, { days, given }: Known, returned: ReadonlySet<string>): string[] {
  return (subtask.args ?? []).flatMap(({ name, value, check }) => {
    const derivable =
      check === "PC" ? given(canon(value)) : check === "TR" ? days.has(String(value)) : returned.has(canon(value));
    return derivable ? [] : [`Expected ${name} of ${subtask.id} (${canon(value)}) to follow from what is known`];
  });
}

/** Also one-digit numbers, which stand in a request as words of their own. */
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
