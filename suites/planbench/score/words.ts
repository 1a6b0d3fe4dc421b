/** The words of PlanBench's prompts for actions, objects and facts of its domains. */

/** A domain in words. `actions` are in the domain's order; `{}` is an object. */
export type Words = {
  readonly actions: Readonly<Record<string, string>>;
  /** Predicates in the order in which the official parser searches for them. */
  readonly predicates: Readonly<Record<string, string>>;
  /** The text of each object: `a` is "red block". */
  readonly objects: Readonly<Record<string, string>>;
};

/** Domains with their own rules for reading answers. */
export type Reading = "blocks" | "logistics" | "depots" | "obfuscated" | "pddl";

const letters = [..."abcdefghijkl"];
const colours = "red blue orange yellow white magenta black cyan green violet silver gold".split(" ");
const blocks = Object.fromEntries(letters.map((letter, index) => [letter, `${colours[index]} block`]));
const objects = Object.fromEntries(letters.map((letter) => [letter, `object ${letter}`]));

const blocksworld: Words = {
  actions: {
    "pick-up": "pick up the {}",
    "put-down": "put down the {}",
    stack: "stack the {} on top of the {}",
    unstack: "unstack the {} from on top of the {}",
  },
  predicates: {
    ontable: "the {} is on the table",
    clear: "the {} is clear",
    handempty: "the hand is empty",
    holding: "the hand is currently holding {}",
    on: "the {} is on top of the {}",
  },
  objects: blocks,
};

const mystery: Words = {
  actions: { attack: "attack {}", succumb: "succumb {}", overcome: "overcome {} from {}", feast: "feast {} from {}" },
  predicates: {
    planet: "planet {}",
    province: "province {}",
    harmony: "harmony",
    craves: "{} craves {}",
    pain: "pain {}",
  },
  objects,
};

/** Blocksworld with words of random letters; its PDDL is Blocksworld's. */
const random: Words = {
  actions: {
    "pick-up": "1jpkithdyjmlikck {}",
    "put-down": "9big8ruzarkkquyu {}",
    stack: "2ijg9q8swj2shjel {} from {}",
    unstack: "xptxjrdkbi3pqsqr {} from {}",
  },
  predicates: {
    ontable: "51nbwlachmfartjn {}",
    clear: "aqcjuuehivl8auwt {}",
    handempty: "3covmuy4yrjthijd",
    on: "{} 4dmf1cmtyxgsp94g {}",
    holding: "gk5asm3f7u1fekpj {}",
  },
  objects,
};

/** Returns how the plans of a config are read. */
export function readingOf(config: string): Reading {
  if (config.includes("obfuscated")) return "obfuscated";
  if (config.startsWith("logistics")) return "logistics";
  if (config.startsWith("depots")) return "depots";
  return config.includes("blocksworld") ? "blocks" : "pddl";
}

/** Returns the words of a config whose objects are letters. */
export function wordsOf(config: string): Words {
  if (config.startsWith("mystery")) return mystery;
  return config.startsWith("random") ? random : blocksworld;
}

/** Returns how many objects a text of an action or fact names. */
export function arityOf(text: string): number {
  return text.split("{}").length - 1;
}

/** Templates of domains whose objects are not letters. */
const otherActions: Readonly<Record<string, string>> = {
  "load-truck": "load {} into {} at {}",
  "load-airplane": "load {} into {} at {}",
  "unload-truck": "unload {} from {} at {}",
  "unload-airplane": "unload {} from {} at {}",
  "drive-truck": "drive {} from {} to {} in {}",
  "fly-airplane": "fly {} from {} to {}",
  drive: "drive {} from {} to {}",
  lift: "Use {} to lift {} from {} at {}",
  drop: "Use {} to drop {} to {} at {}",
  load: "Use {} to load {} into {} at {}",
  unload: "Use {} to unload {} from {} at {}",
};
const logisticsObjects: Readonly<Record<string, string>> = {
  p: "package",
  t: "truck",
  a: "airplane",
  l: "location",
  c: "city",
};

/** Returns a step or fact in the words of a config: `["pick-up", "a"]` is "pick up the red block" in Blocksworld. */
export function inWords(config: string, [name, ...values]: readonly string[]): string {
  const { actions, predicates, objects: letters } = wordsOf(config);
  const reading = readingOf(config);
  const template = (reading === "blocks" ? (actions[name!] ?? predicates[name!]) : otherActions[name!]) ?? name!;
  const shown = values.map((value) => {
    if (reading === "blocks") return letters[value] ?? value;
    if (reading === "logistics") return `${logisticsObjects[value[0]!] ?? ""}_${value.slice(1).replace("-", "_")}`;
    return reading === "obfuscated" ? value.replace(/^o/, "object_") : value;
  });
  const [first, ...rest] = template.split("{}");
  if (rest.length === 0) return [template, ...shown].join(" ");
  return rest.reduce((text, part, index) => text + (shown[index] ?? "") + part, first!);
}
