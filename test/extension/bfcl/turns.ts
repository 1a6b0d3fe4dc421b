/**
 * Calls on which BFCL's systems and ours are compared: the right calls of tasks, seeded changes of them, and calls of any function with
 * arguments of any kind.
 */
import { type Py, Dict, repr, text } from "../../../documentation/examples/bfcl/turns/python/value.ts";
import type { Turns } from "../../../documentation/examples/bfcl/turns/check.ts";
import { Systems } from "../../../documentation/examples/bfcl/turns/execute.ts";
import type { TurnsTask } from "../../../documentation/examples/bfcl/turns/tasks.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";

export const rightTurns = ({ answer }: TurnsTask): Turns => answer.map((calls) => (calls.length === 0 ? [] : [calls]));

type Random = () => number;
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;

/** Values that fit somewhere, and values that fit nowhere. */
const wordsOfSystems =
  "a note.txt USD EUR RMB JPY km m cm celsius fahrenheit l w c START STOP engage release on off fuel doors climate engine brakePedal economy first 2024-11-15 2024-02-30 1990-01-01 SFO LAX JFK RMS Rivermist USR001 USR002 Alice Buy Sell AAPL NVDA ZETA Technology Apple Closed open US12345 83214 74532 94016 12.5 cm_to_in";
const usual: readonly Py[] = [
  0n,
  1n,
  2n,
  5n,
  10n,
  21n,
  100n,
  1000n,
  -3n,
  12345n,
  123456789012345678901234n,
  0,
  0.5,
  1,
  2.675,
  12.6,
  -7.25,
  100.125,
  1e-7,
  1e22,
  72,
  true,
  false,
  null,
  "",
  ".",
  "..",
  "/",
  "x y",
  "2024-1-5 x",
  "it's",
  'say "a"\n',
  "é ü 漢 😀",
  "mean (3) of add(1)",
  "a\\b",
  ...wordsOfSystems.split(" "),
];

const nested = (random: Random): Py => {
  const item = () => pick(random, usual);
  const shapes: readonly (() => Py)[] = [
    () => [],
    () => [item(), item()],
    () => [1n, 2.5, 3n],
    () => ["driver", "rear_left"],
    () => ["AAPL", "GOOG", "XX"],
    () => new Dict([["status", item()]]),
    () =>
      new Dict([
        ["priority", 3n],
        ["title", "t"],
      ]),
    () => new Dict([["foreign", 1n]]),
    () => new Dict(),
  ];
  return pick(random, shapes)();
};

/** All texts and numbers of a scenario. */
function valuesIn(value: Py): readonly Py[] {
  if (Array.isArray(value)) return value.flatMap(valuesIn);
  if (value instanceof Dict) return value.entries().flatMap(([key, each]) => [key, ...valuesIn(each)]);
  return typeof value === "string" && value.length > 60 ? [] : [value];
}

/** Returns calls of the functions of a task's systems, from a seed: six turns of four calls. */
export function anyTurns({ input: { world } }: TurnsTask, seed: number): Turns {
  const random = randomFrom(seed);
  const systems = new Systems(world, "planwright");
  const names = [...systems.byClass.values()].flatMap((system) => system.names);
  const own = valuesIn(world.scenario);
  const value = (): Py => {
    const kind = random();
    if (kind < 0.55) return pick(random, own);
    return kind < 0.9 ? pick(random, usual) : nested(random);
  };
  const entering = ["authenticate_twitter", "trading_login", "message_login", "ticket_login", "authenticate_travel"];
  const call = (): string => {
    if (random() < 0.02)
      return pick(random, ["foo(a=1)", "_load_scenario(scenario={})", "cd(", "kill(1)", "pwd", "3 + 4"]);
    const name =
      random() < 0.1
        ? pick(random, names.filter((each) => entering.includes(each)).concat(names))
        : pick(random, names);
    const takes = systems.argumentsOf(name) ?? [];
    const given = takes.map((key): readonly [string, Py] => [key, fitting(key, own, random) ?? value()]);
    // A folder copied into itself never ends, and Python does not return either.
    if (name === "cp" && given[0]![1] === given[1]![1]) return "pwd()";
    const kept = random() < 0.12 ? given.slice(1) : given;
    const more = random() < 0.04 ? [...kept, ["foreign", value()] as const] : kept;
    const isPositional = random() < 0.1;
    return `${name}(${more.map(([key, each]) => (isPositional ? repr(each) : `${key}=${repr(each)}`)).join(", ")})`;
  };
  return Array.from({ length: 6 }, () => [Array.from({ length: 4 }, call)]);
}

/** A value that an argument of this name usually accepts. */
function fitting(key: string, own: readonly Py[], random: Random): Py | undefined {
  if (random() < 0.35) return undefined;
  if (key === "numbers") return [pick(random, [1n, 2.5, -3n, 7n]), pick(random, [0, 4n, 1e3]), 5n];
  if (
    /value|amount|temperature|distance|liter|gallon|price|part|whole|number$|^[ab]$|base$|exponent|limit|cost|threshold|fuel|speed/i.test(
      key,
    )
  )
    return pick(random, [0n, 1n, 3n, 8n, 2.5, 0.1, 65, 1e3, -4n, 12.75, 250n]);
  if (/precision|places|lines|priority|pedal/i.test(key)) return pick(random, [0n, 1n, 2n, 3n, 6n, 12n, 0.4, -2n]);
  if (key.endsWith("token"))
    return own.find((each) => typeof each === "string" && /^[a-z]+\d+\w*$/.test(each)) ?? undefined;
  if (/file|folder|dir_name|source|destination/.test(key))
    return pick(
      random,
      own.filter((each) => typeof each === "string" && (each.includes(".") || each.length < 15)),
    );
  return undefined;
}

/** Returns the right calls with one of them omitted, repeated, moved, or with a changed argument. */
export function changedTurns(task: TurnsTask, seed: number): Turns {
  const random = randomFrom(seed);
  const turns = rightTurns(task).map((steps) => steps.map((calls) => [...calls]));
  const filled = turns.filter((steps) => steps.length > 0);
  const [calls] = pick(random, filled);
  const at = Math.floor(random() * calls!.length);
  const changes: readonly (() => void)[] = [
    () => void calls!.splice(at, 1),
    () => void calls!.splice(at, 0, calls![at]!),
    () => void calls!.reverse(),
    () =>
      void calls!.push(pick(random, ["pwd()", "ls(a=True)", "list_all_airports()", "get_current_time()", "nothing()"])),
    () =>
      void calls!.splice(
        at,
        1,
        calls![at]!.replace(/'([^']*)'/, (all, inner: string) => (inner.includes("\\") ? all : repr(`${inner}x`))),
      ),
    () =>
      void calls!.splice(
        at,
        1,
        calls![at]!.replace(/\d+/, (digits) => text(BigInt(digits) + 1n)),
      ),
    () =>
      void turns.splice(
        turns.findIndex((steps) => steps[0] === calls),
        1,
        [],
      ),
  ];
  pick(random, changes)();
  return turns.map((steps) => steps.filter((each) => each.length > 0));
}
