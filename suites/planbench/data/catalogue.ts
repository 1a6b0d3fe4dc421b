/** The configs and tasks that PlanBench has published, and the files they are read from. */

/** A config: a domain with its own instances and words. */
type Config = {
  readonly name: string;
  readonly title: string;
  /** Path of the domain below `instances`. */
  readonly domain: string;
  /** The folder of the instances below `instances`, and the folder of the instances of task 5. */
  readonly instances: string;
  readonly generalized?: string;
  /** The codes of the domain's tasks, in the order of `tasks`. */
  readonly tasks: string;
};

const blocks = { domain: "blocksworld", generalized: "blocksworld/generated" };
const mysteryBlocks = { domain: "blocksworld/mystery", generalized: "blocksworld/mystery/generated" };

const configs: readonly Config[] = [
  {
    ...blocks,
    name: "blocksworld",
    title: "Blocksworld",
    instances: "blocksworld/generated_basic",
    tasks: "1 1z 1p 1zp 2 3 4 5 6 7 8a 8b 8c",
  },
  {
    ...blocks,
    name: "blocksworld_3",
    title: "Blocksworld, 3 blocks",
    instances: "blocksworld/generated_basic_3",
    tasks: "1 1z 1p 1zp 1s 2 3 4 5 6 7 8a 8b 8c",
  },
  {
    ...mysteryBlocks,
    name: "mystery_blocksworld",
    title: "Mystery Blocksworld",
    instances: "blocksworld/mystery/generated_basic",
    tasks: "1 1z 1p 1zp 2 3 5 7 8a 8b 8c",
  },
  {
    ...mysteryBlocks,
    name: "mystery_blocksworld_3",
    title: "Mystery Blocksworld, 3 objects",
    instances: "blocksworld/mystery/generated_basic_3",
    tasks: "1 1z 1p 1zp 1s 2 3 4 6 7 8a 8b 8c",
  },
  {
    name: "logistics",
    title: "Logistics",
    domain: "logistics",
    instances: "logistics/generated_basic",
    tasks: "1 1z 1p 1zp 2 3 7 8a 8b 8c",
  },
  { name: "depots", title: "Depots", domain: "depots", instances: "depots/generated_basic", tasks: "1" },
  {
    ...blocks,
    name: "random_blocksworld",
    title: "Blocksworld in random words",
    instances: "blocksworld/generated_basic",
    tasks: "1",
  },
  {
    ...blocks,
    name: "random_blocksworld_3",
    title: "Blocksworld in random words, 3 blocks",
    instances: "blocksworld/generated_basic_3",
    tasks: "1",
  },
  {
    name: "obfuscated_deceptive_logistics",
    title: "Deceptive Logistics",
    domain: "obfuscated_deceptive_logistics",
    instances: "obfuscated_deceptive_logistics/generated_basic",
    tasks: "1 2",
  },
  {
    name: "obfuscated_randomized_blocksworld",
    title: "Randomised Blocksworld",
    domain: "obfuscated_randomized_blocksworld",
    instances: "obfuscated_randomized_blocksworld/generated_basic",
    tasks: "1z 1zp",
  },
  {
    name: "obfuscated_randomized_blocksworld_3",
    title: "Randomised Blocksworld, 3 objects",
    domain: "obfuscated_randomized_blocksworld",
    instances: "obfuscated_randomized_blocksworld/generated_basic_3",
    tasks: "1z",
  },
  {
    name: "obfuscated_randomized_logistics",
    title: "Randomised Logistics",
    domain: "",
    instances: "",
    tasks: "1zp",
  },
  { name: "sokoban", title: "Sokoban", domain: "sokoban", instances: "sokoban/generated_basic", tasks: "1zp" },
  {
    name: "blocksworld_hard",
    title: "Blocksworld, hard",
    domain: "blocksworld_hard",
    instances: "blocksworld_hard/generated",
    tasks: "1zp",
  },
  {
    name: "unsolvable_blocksworld",
    title: "Unsolvable Blocksworld",
    domain: "unsolvable_blocksworld",
    instances: "unsolvable_blocksworld/generated_basic",
    tasks: "1z 1zp",
  },
  {
    name: "unsolvable_obfuscated_randomized_blocksworld",
    title: "Unsolvable Randomised Blocksworld",
    domain: "unsolvable_obfuscated_randomized_blocksworld",
    instances: "unsolvable_obfuscated_randomized_blocksworld/generated_basic",
    tasks: "1zp",
  },
];

/** Each task by its code: the name of its file and a title. */
const tasks: Readonly<Record<string, readonly [file: string, title: string]>> = {
  "1": ["task_1_plan_generation", "plan generation"],
  "1z": ["task_1_plan_generation_zero_shot", "plan generation, zero-shot"],
  "1p": ["task_1_plan_generation_pddl", "plan generation, PDDL"],
  "1zp": ["task_1_plan_generation_zero_shot_pddl", "plan generation, zero-shot PDDL"],
  "1s": ["task_1_plan_generation_state_tracking", "plan generation with states"],
  "2": ["task_2_plan_optimality", "cheapest plan"],
  "3": ["task_3_plan_verification", "plan verification"],
  "4": ["task_4_plan_reuse", "plan reuse"],
  "5": ["task_5_plan_generalization", "plan generalisation"],
  "6": ["task_6_replanning", "replanning"],
  "7": ["task_7_plan_execution", "plan execution"],
  "8a": ["task_8_1_goal_shuffling", "goal shuffling"],
  "8b": ["task_8_2_full_to_partial", "full to partial goal"],
  "8c": ["task_8_3_partial_to_full", "partial to full goal"],
};

export type Split = { readonly config: Config; readonly task: string; readonly title: string };

const bySplit: ReadonlyMap<string, Split> = new Map(
  configs.flatMap((config) =>
    config.tasks.split(" ").map((code) => {
      const [task, title] = tasks[code]!;
      return [`${config.name}/${task}`, { config, task, title: `${config.title}: ${title}` }] as const;
    }),
  ),
);

/** All splits, `CONFIG/TASK` as the folders are called. */
export const splits: readonly { readonly name: string; readonly title: string }[] = [...bySplit].map(
  ([name, { title }]) => ({ name, title }),
);

/** Describes a split; undefined if there is no split of this name. */
export function splitOf(name: string): Split | undefined {
  return bySplit.get(name);
}

/** Kinds of tasks, which decide how a reply is scored. */
export const taskKinds = [
  "generation",
  "optimality",
  "verification",
  "reuse",
  "generalization",
  "replanning",
  "execution",
  "reformulation",
] as const;

/** Returns the kind of the task with this file name. */
export function kindOf(task: string): (typeof taskKinds)[number] {
  return taskKinds[Number(task.split("_")[1]) - 1]!;
}

/** True if the problems of a config have no plan, so that the right reply states this. */
export function isUnsolvable(config: string): boolean {
  return config.startsWith("unsolvable");
}
