/** Small seeded changes of JSON: what a hostile or broken program could have written in place of a value. */

type Parent = Record<string | number, unknown>;

/** Deeper than `JSON.stringify` can serialise: inserted into the text. */
const deep = "(so many brackets)";
const brackets = "[".repeat(9000) + "]".repeat(9000);

/** In place of a value: other types, other sizes, names that every object has. */
const strange: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => -1,
  () => 0.5,
  () => 1e308,
  () => -1e308,
  () => Number.MAX_SAFE_INTEGER,
  () => "",
  () => "word",
  () => "constructor",
  () => "\u001b[2J\u202e\ud800",
  () => [],
  () => [null],
  () => ["word", 7],
  () => ({}),
  () => ({ toString: 1, valueOf: 2 }),
  () => JSON.parse('{"__proto__":{"type":"text"},"length":-1}'),
  () => deep,
];

/** Similar JSON, one value of which is replaced, removed, doubled or renamed; `random` gives numbers from 0 to 1. */
export function mutated(json: string, random: () => number): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const copy: { readonly root: unknown } = { root: JSON.parse(json) };
  const places = placesIn(copy);
  const { parent, key } = pick(places);
  const change = random();
  if (change < 0.7 || Array.isArray(parent)) parent[key] = pick(strange)();
  else if (change < 0.85) delete parent[key];
  else if (change < 0.95) parent[pick(["type", "task", "request", "seq", "at", "toString"])] = pick(strange)();
  else parent[key] = structuredClone(pick(places).parent);
  return JSON.stringify(copy.root ?? null).replaceAll(JSON.stringify(deep), brackets);
}

function placesIn(parent: object): { readonly parent: Parent; readonly key: string }[] {
  return Object.entries(parent).flatMap(([key, value]) => [
    { parent: parent as Parent, key },
    ...(typeof value === "object" && value !== null ? placesIn(value as object) : []),
  ]);
}
