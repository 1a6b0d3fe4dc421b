/** Generates app tasks: one app, or several in sequence. */
import { pick, shuffled } from "../../../../source/engine/statistics/random.ts";
import type { Json } from "../../../../source/engine/types.ts";
import type { Edge, Subtask } from "../records.ts";
import { dayName, type AppChains, type AppStep } from "./app-chains.ts";
import { filled, placeholders, type Phrase } from "./chain-file.ts";
import { sentence, type Draft, type Kitchen } from "./draft.ts";
import { writtenDate } from "./profile-fields.ts";
import { pickSize } from "./sizes.ts";
import { pickSpan, type Span } from "./spans.ts";

type Segment = {
  readonly app: string;
  readonly steps: readonly AppStep[];
  readonly span: Span;
  readonly slots: ReadonlyMap<string, string>;
};

/** Drafts a task. If its size is out of range, the caller tries again. */
export function draftAppTask({ chains, order, random }: Kitchen): Draft {
  const file = chains.apps.find(({ scenario }) => scenario === order.scenario)!;
  const size = pickSize(order.level, random);
  const count = order.relation === "SAPP" ? 1 : order.level === "easy" ? 2 : size > 7 ? 3 : 2;
  const segments = makeSegments(file, chains.extras, count, size - count, order.user.currentDate, random);
  const userInfo = order.user.profile.userInfo;
  const literals: string[] = [];
  const dates: string[] = [];
  const steps: { description: string; action: Json; results: Json }[] = [];
  for (const { app, steps: own, span, slots } of segments) {
    steps.push(opened(app));
    const value = (name: string) =>
      name === dayName ? writtenDate(span.date) : (slots.get(name) ?? String(userInfo[name]));
    for (const step of own) {
      const description = filled(step.description, value);
      steps.push({
        description,
        action: { [step.operation]: filled(step.action, value) },
        results: { Status: "Success", Response: { Screen: `Done: ${description.toLowerCase()}.` } },
      });
      for (const name of placeholders(step.action))
        if (name === dayName) dates.push(span.date);
        else literals.push(value(name));
    }
  }
  const subtasks: Subtask[] = steps.map(({ description, action }, index) => ({
    id: `s${index + 1}`,
    text: `${description} ${Object.values(action as { [operation: string]: string }).join(" ")}`,
  }));
  const edges: Edge[] = subtasks.slice(1).map(({ id }, index) => ({ from: `s${index + 1}`, to: id, kind: "order" }));
  const gold = { subtasks, edges, literals: [...new Set(literals)], dates: [...new Set(dates)] };
  const phraseOf = (name: string) => chains.fields.get(name)!.phrase;
  return { ...requestFor(pick(file.openers, random), segments, phraseOf, random), gold, steps };
}

function opened(app: string): { description: string; action: Json; results: Json } {
  const action = { Tap: `Tap on the ${app} app icon to open it.` };
  return {
    description: `Open ${app}`,
    action,
    results: { Status: "Success", Response: { Screen: `${app} is open.` } },
  };
}

function makeSegments(
  file: AppChains,
  extras: readonly AppStep[],
  count: number,
  steps: number,
  today: string,
  random: () => number,
): Segment[] {
  const apps = shuffled(file.apps, random);
  const chains = shuffled(file.chains, random);
  const unused = shuffled(extras, random);
  return Array.from({ length: count }, (_, index) => {
    const share = Math.floor(steps / count) + (index < steps % count ? 1 : 0);
    const own = someInOrder(chains[index % chains.length]!.steps, share, random);
    while (own.length < share && unused.length > 0) own.push(unused.pop()!);
    const slots = new Map([...file.slots].map(([name, values]) => [name, String(pick(values, random))]));
    return { app: apps[index]!, steps: homeLast(own), span: pickSpan(today, random), slots };
  });
}

/** Chooses steps. The first step is always included, because the others refer to its object as "it". */
function someInOrder([first, ...others]: readonly AppStep[], count: number, random: () => number): AppStep[] {
  if (first === undefined || count === 0) return [];
  const chosen = new Set(shuffled(others, random).slice(0, count - 1));
  return [first, ...others.filter((step) => chosen.has(step))];
}

/** Moves steps to the home screen to the end, since they leave the app. */
const homeLast = (steps: readonly AppStep[]): readonly AppStep[] => [
  ...steps.filter(({ operation }) => operation !== "Home"),
  ...steps.filter(({ operation }) => operation === "Home"),
];

const firstForms = [
  "Please use {app} to ",
  "Open {app} and ",
  "In {app}, ",
  "With {app}, please ",
  "I would like you to take {app} and ",
];
const laterForms = [
  "After that, use {app} to ",
  "Then open {app} and ",
  "Once this is done, go to {app} and ",
  "Next, in {app}, ",
];
const zhFirst = ["请用{app}", "打开{app}，", "在{app}里"];
const zhLater = ["然后用{app}", "接着打开{app}，", "完成后在{app}里"];

function requestFor(
  opener: Phrase,
  segments: readonly Segment[],
  phraseOf: (field: string) => Phrase,
  random: () => number,
): { query: string; queryZh: string } {
  const parts = segments.map(({ app, steps, span, slots }, index) => {
    const clauseIn = (language: "en" | "zh") => (step: AppStep) =>
      filled(step.clause[language], (name) =>
        name === dayName ? span.phrase[language] : (slots.get(name) ?? phraseOf(name)[language]),
      );
    const form = (forms: readonly string[]) => pick(forms, random).replace("{app}", app);
    return {
      en: withoutOn(form(index === 0 ? firstForms : laterForms) + enumerated(steps.map(clauseIn("en")))),
      zh: form(index === 0 ? zhFirst : zhLater) + steps.map(clauseIn("zh")).join("，"),
    };
  });
  return {
    query: `${opener.en}. ${parts.map(({ en }) => `${en}.`).join(" ")}`,
    queryZh: `${opener.zh}。${parts.map(({ zh }) => `${zh}。`).join("")}`,
  };
}

const enumerated = (clauses: readonly string[]): string =>
  clauses.length < 2 ? clauses.join("") : `${clauses.slice(0, -1).join(", ")}, and ${clauses.at(-1)!}`;

/** Corrects "on tomorrow", "on next Friday", "a evening course" and "a honours course". */
export function withoutOn(text: string): string {
  const spoken = text.replace(/ a (?=[aeio]|hono|hour)/g, " an ");
  return sentence(spoken.replace(/ on (tomorrow|the day after tomorrow|this [A-Z]|next [A-Z])/g, " $1"));
}
