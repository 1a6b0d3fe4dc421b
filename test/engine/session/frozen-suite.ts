/** A benchmark that never changes, and its run cells with the ids and labels that version 0.1.0 gave their runs. */
import type { Suite } from "../../../source/engine/suite.ts";

const asking = { roles: ["model"], usesShots: true, run: () => [] };

export const frozenSuite = {
  name: "frozen",
  title: "Frozen",
  revision: 3,
  splits: [{ name: "small" }, { name: "large" }],
  facets: [{ name: "level" }, { name: "days" }],
  strategies: [
    { ...asking, name: "direct", revision: 2 },
    {
      ...asking,
      name: "search",
      revision: 5,
      roles: ["model", "actor", "responder", "user"],
      options: [{ name: "depth", title: "Depth", values: "number", default: 4 }],
    },
  ],
  options: [
    { name: "prompting", title: "Prompting", values: ["flat", "layered"], default: "flat" },
    { name: "profile", title: "Profile", values: ["on", "off"], default: "on" },
    { name: "hints", title: "Hints", values: ["off", "on"], default: "off", quiet: true },
    { name: "groups.k", title: "k", values: "number", default: 8, when: { strategy: ["search"] } },
  ],
  prompts: [{ name: "answer", role: "model", message: "user", text: "Answer {{question}}" }],
  maxShots: 5,
  predictions: {},
} as unknown as Suite;

export const frozenContext = {
  suites: [frozenSuite],
  defaultData: () => "sample" as const,
  dataset: (_suite: string, data: string) => (data === "published" ? "generated 300 of seed 7" : undefined),
};

export const frozenCells: readonly { readonly cell: string; readonly runs: readonly string[] }[] = [
  {
    cell: "suite: frozen\nmodel: builtin/oracle\n",
    runs: ["9c444b08873fe346 builtin/oracle"],
  },
  {
    cell: "suite: frozen\nsplit: [small, large]\nmodel: [builtin/slips, lab/org/m]\nprompting: [layered, flat]\nshots: [0, 3]\nlimit: 50\n",
    runs: [
      "259b777fdd9bafed small, builtin/slips, layered, 0 shots",
      "570e2c8a06ac0573 small, builtin/slips, layered, 3 shots",
      "340928ad3023fed7 small, builtin/slips, flat, 0 shots",
      "da55399cbbdd88e8 small, builtin/slips, flat, 3 shots",
      "346d46e29653d03c small, lab/org/m, layered, 0 shots",
      "f1a1110f03b38473 small, lab/org/m, layered, 3 shots",
      "5522d9792f0b48f3 small, lab/org/m, flat, 0 shots",
      "3646eb330aef7a13 small, lab/org/m, flat, 3 shots",
      "48e17b64b2162524 large, builtin/slips, layered, 0 shots",
      "5223050e7d7c557c large, builtin/slips, layered, 3 shots",
      "927dddba1ad3f806 large, builtin/slips, flat, 0 shots",
      "a7ee23ef03dafbe3 large, builtin/slips, flat, 3 shots",
      "af4d2af01f5b515d large, lab/org/m, layered, 0 shots",
      "ac2dca6ac441a454 large, lab/org/m, layered, 3 shots",
      "10e5e72ee3f14019 large, lab/org/m, flat, 0 shots",
      "a38c4a581decf964 large, lab/org/m, flat, 3 shots",
    ],
  },
  {
    // The ids for seed 0 are those of a cell without a seed: an explicit seed 0 has another id since only then is it sent.
    cell: "suite: frozen\ndata: published\nmodel: lab/m\ntemperature: [0, 0.7]\ntopP: 0.9\nmaxTokens: 512\ntrial: [1, 2]\n",
    runs: [
      "fc6fc5d74b4a2e60 temperature 0, trial 1",
      "2d1fa6148432d4e0 temperature 0, trial 2",
      "f59b12f71a132de5 temperature 0.7, trial 1",
      "26e593a4776b68d3 temperature 0.7, trial 2",
    ],
  },
  {
    cell: "suite: frozen\ndata: published\nmodel: lab/m\ntemperature: [0, 0.7]\ntopP: 0.9\nmaxTokens: 512\nseed: 7\ntrial: [1, 2]\n",
    runs: [
      "d279df9f8d371860 temperature 0, trial 1",
      "3194ee429ba42e4d temperature 0, trial 2",
      "8aa3c969c39573fd temperature 0.7, trial 1",
      "9dfea6f76deedead temperature 0.7, trial 2",
    ],
  },
  {
    cell: "suite: frozen\nmodel: lab/m\nprofile: [on, off]\nhints: [off, on]\njudge: lab/judge\n",
    runs: [
      "777703a51a6c6580 profile on, hints off",
      "b3d4cc1a21ab7807 profile on, hints on",
      "650c61032c342a8c profile off, hints off",
      "70496450cdd8b618 profile off, hints on",
    ],
  },
  {
    // Labels omit depth and k if they make no difference; version 0.1.0 wrote `direct, depth 2, k 4`.
    cell: "suite: frozen\nstrategy: [direct, search]\nmodel: lab/m\nactor: lab/a\nresponder: lab/r\ndepth: [2, 4]\ngroups: {k: [4, 8]}\n",
    runs: [
      "44aac61ab544ad01 direct",
      "3a8002406553ea7a search, depth 2, k 4",
      "3e79147ade0650fe search, depth 2, k 8",
      "0732a85f573406c3 search, depth 4, k 4",
      "27b5a4599dbf5667 search, depth 4, k 8",
    ],
  },
  {
    cell: "suite: frozen\nmodel: lab/m\nfilter: {level: [easy, hard], days: 3}\nbudget: {task: {steps: 20, cost: 0.5}, run: {seconds: 60}}\n",
    runs: ["2e4099bd41f43a39 lab/m"],
  },
  {
    cell: "suite: frozen\nmodel: lab/m\nfork: {run: 0123456789abcdef, task: t-1, request: 1, message: Again.}\n",
    runs: ["85e2a3880e7cbed9 lab/m"],
  },
  {
    cell: "suite: frozen\npredictions: [answers/one.jsonl, two.jsonl]\n",
    runs: ["6c5b85e91e3a80e3 answers/one.jsonl", "511bd47b0bbfd12a two.jsonl"],
  },
];
