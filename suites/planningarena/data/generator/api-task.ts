/** Generates API tasks: calls with arguments from profile, request, calendar and earlier results. */
import { pick, shuffled } from "../../../../source/engine/statistics/random.ts";
import type { Json } from "../../../../source/engine/types.ts";
import { canon } from "../canonical.ts";
import type { Edge, GoldArgument, Subtask } from "../records.ts";
import type { ApiChains, Call, CallParameter, ResultField } from "./api-chains.ts";
import { withoutOn } from "./app-task.ts";
import { parameterNames } from "./catalogue-files.ts";
import { filled, type Phrase } from "./chain-file.ts";
import type { Draft, Kitchen } from "./draft.ts";
import { writtenCall } from "../literal.ts";
import { planCalls, type PlannedCall } from "./shapes.ts";
import { pickSize } from "./sizes.ts";
import { pickSpan } from "./spans.ts";

type Made = {
  readonly call: Call;
  readonly args: readonly GoldArgument[];
  readonly results: { readonly [field: string]: Json };
  /** Phrase for each parameter in the request. */
  readonly phrases: ReadonlyMap<string, Phrase>;
};

/** Drafts a task; returns undefined if two calls are equal or no shape fits. */
export function draftApiTask(kitchen: Kitchen): Draft | undefined {
  const { chains, order, random } = kitchen;
  const file = chains.apis.find(({ scenario }) => scenario === order.scenario)!;
  const size = pickSize(order.level, random);
  const plan = planCalls(file, order.relation, order.structure, size, random);
  if (plan === undefined) return undefined;
  const values = new UniqueValues(random);
  const made: Made[] = [];
  for (const planned of plan) made.push(makeCall(kitchen, file, planned, made, values));
  const calls = made.map(({ call, args }) => writtenCall(call.tool, argumentsOf(args)));
  if (new Set(calls).size < calls.length) return undefined;
  const subtasks: Subtask[] = made.map(({ call, args }, index) => ({ id: `s${index + 1}`, tool: call.tool, args }));
  const steps = made.map(({ call, args, results }, index) => ({
    description: describedCall(call, args),
    action: calls[index]!,
    results: writtenCall(call.tool, results),
  }));
  return {
    ...requestFor(pick(file.openers, random), made, order.relation === "PAPI", random),
    gold: { subtasks, edges: edgesOf(plan), literals: [], dates: [] },
    steps,
  };
}

/** Returns an edge per passed value. Calls that share no value are independent, whatever their order in the request. */
function edgesOf(plan: readonly PlannedCall[]): Edge[] {
  const name = (index: number) => `s${index + 1}`;
  return plan.flatMap(({ takes }, index) =>
    takes.map(({ from }) => ({ from: name(from), to: name(index), kind: "value" })),
  );
}

function makeCall(
  { chains, order, random }: Kitchen,
  file: ApiChains,
  { call, takes }: PlannedCall,
  made: readonly Made[],
  values: UniqueValues,
): Made {
  const args: GoldArgument[] = [];
  const phrases = new Map<string, Phrase>();
  for (const parameter of call.parameters) {
    const { name, source } = parameter;
    switch (source.from) {
      case "optional":
        break;
      case "slot": {
        const value = pick(file.slots.get(source.name)!, random);
        args.push({ name, value, check: "PC" });
        phrases.set(name, { en: String(value), zh: String(value) });
        break;
      }
      case "profile":
        args.push({ name, value: order.user.profile.userInfo[source.name]!, check: "PC" });
        phrases.set(name, chains.fields.get(source.name)!.phrase);
        break;
      case "date": {
        const { date, phrase } = pickSpan(order.user.currentDate, random);
        args.push({ name, value: date, check: "TR" });
        phrases.set(name, phrase);
        break;
      }
      case "takes":
        args.push(...takenArguments(parameter, source.name, takes, made));
        phrases.set(name, file.kinds.get(source.name)!);
        break;
      default:
        source satisfies never;
    }
  }
  const given = argumentsOf(args);
  const results = Object.fromEntries(call.results.map((field) => [field.name, values.make(field, given)]));
  return { call, args, results, phrases };
}

function takenArguments(
  parameter: CallParameter,
  kind: string,
  takes: PlannedCall["takes"],
  made: readonly Made[],
): GoldArgument[] {
  const names = parameterNames(parameter);
  return takes
    .filter((take) => take.kind === kind)
    .slice(0, names.length)
    .map(({ from }, index) => {
      const field = made[from]!.call.results.find(({ gives }) => gives === kind)!;
      return { name: names[index]!, value: made[from]!.results[field.name]!, check: "TD" };
    });
}

const argumentsOf = (args: readonly GoldArgument[]): { readonly [name: string]: Json } =>
  Object.fromEntries(args.map(({ name, value }) => [name, value]));

function describedCall(call: Call, args: readonly GoldArgument[]): string {
  const clause = filled(call.clause.en, (name) => {
    const values = args.filter(
      (arg) => arg.name === name || (arg.name.startsWith(name) && /^\d+$/.test(arg.name.slice(name.length))),
    );
    return values.map(({ value }) => String(value)).join(", ");
  });
  return withoutOn(clause).slice(0, 100);
}

/** Creates result values that are unique within the task, so that a repeated value reveals its source. */
class UniqueValues {
  readonly #random: () => number;
  readonly #used = new Set<string>();

  constructor(random: () => number) {
    this.#random = random;
  }

  make({ name, maker }: ResultField, args: { readonly [name: string]: Json }): Json {
    if (maker.make === "echo") return args[name]!;
    for (;;) {
      const value =
        maker.make === "code"
          ? `${maker.prefix}-${this.#number(10_000, 99_999)}`
          : maker.make === "amount"
            ? this.#amount()
            : this.#name();
      if (this.#used.has(canon(value))) continue;
      this.#used.add(canon(value));
      return value;
    }
  }

  #number(from: number, to: number): number {
    return from + Math.floor(this.#random() * (to - from));
  }

  /** Returns an amount, never an integer, so that it equals no count or year in a request. */
  #amount(): number {
    const cents = this.#number(1, 99);
    return this.#number(21, 899) + (cents % 10 === 0 ? cents + 1 : cents) / 100;
  }

  #name(): string {
    return `${pick(firstWords, this.#random)} ${pick(lastWords, this.#random)}`;
  }
}

const firstWords = "Silver Marble Velvet Northern Golden Hidden Crimson Willow Granite Ivory".split(" ");
const lastWords = "Anchor Lantern Garden Feather Compass Orchid Harbor Sparrow Window Valley".split(" ");

const sideBySide = [
  "Please {}.",
  "I also need you to {}.",
  "Would you {}?",
  "One more thing: {}.",
  "Separately, {}.",
  "Also {}.",
];
const inTurn = [
  "Then {}.",
  "After that, {}.",
  "Next, {}.",
  "When you have that, {}.",
  "Once that is done, {}.",
  "Now {}.",
];
const zhSideBySide = ["请{}。", "另外{}。", "还请{}。", "同时{}。"];
const zhInTurn = ["然后{}。", "接着{}。", "再{}。", "之后{}。"];

function requestFor(opener: Phrase, made: readonly Made[], parallel: boolean, random: () => number) {
  const [nextEn, nextZh] = parallel
    ? [inTurnFrom(sideBySide, random), inTurnFrom(zhSideBySide, random)]
    : [inTurnFrom(inTurn, random), inTurnFrom(zhInTurn, random)];
  const parts = made.map(({ call, phrases }, index) => {
    const clauseIn = (language: "en" | "zh") => filled(call.clause[language], (name) => phrases.get(name)![language]);
    const last = index === made.length - 1 && !parallel;
    const en = index === 0 ? "First, please {}." : last ? "Finally, {}." : nextEn();
    const zh = index === 0 ? "请先{}。" : last ? "最后{}。" : nextZh();
    return { en: withoutOn(en.replace("{}", clauseIn("en"))), zh: zh.replace("{}", clauseIn("zh")) };
  });
  return {
    query: `${opener.en}. ${parts.map(({ en }) => en).join(" ")}`,
    queryZh: `${opener.zh}。${parts.map(({ zh }) => zh).join("")}`,
  };
}

/** Cycles through all forms in a random order, so that no phrase occurs twice in a row. */
function inTurnFrom(forms: readonly string[], random: () => number): () => string {
  const order = shuffled(forms, random);
  let next = 0;
  return () => order[next++ % order.length]!;
}
