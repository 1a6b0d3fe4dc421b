/**
 * The expectations of each section in `captions.json` come from the paper: they are compared with the facts of the specification,
 * sentence by sentence, and with the columns of the printed tables; a section's deviations are listed in its `differs`.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { describePublished, shared, sharedJson } from "../shared.ts";
import { captionsOf } from "./captions.ts";

type Fact = {
  /** The words of the specification. */
  readonly says: string;
  readonly rows?: readonly string[];
  readonly columns?: readonly string[];
  readonly measures?: readonly string[];
  readonly decimals?: number;
};
const categories = ["SS", "SM", "MS", "MM"];
const main = ["F1 app", "F1 API", "Succ"];
const sets = ["G1_instruction", "G1_tool", "G1_category", "G2_instruction", "G2_category", "G3_instruction"];
const hubs = ["torchhub", "huggingface", "tensorflowhub"];
const three = ["G1_instruction", "G2_instruction", "G3_instruction"];
const checks = ["Result", "PGR", "SC", "SR", "TD", "FD-APP", "OSC", "FD-API", "PC", "TR"];
const rates = ["Delivery", "CS micro", "CS macro", "Hard micro", "Hard macro", "Final"];
const detailed: Fact = {
  says: "T7-9 (GPT-4o, DeepSeekV3, Qwen-plus) the columns of T5",
  columns: ["LPR", "SMAR"],
  measures: checks,
  decimals: 1,
};

/** By notebook and section. */
const facts: Readonly<Record<string, Readonly<Record<string, Fact>>>> = {
  "appbench-paper": {
    "table-2": { says: "T2 statistics: samples, apps, APIs", columns: categories },
    "table-3": {
      says: "T3 nine models x (F1 app, F1 API, Succ), two heads, 2 decimals",
      rows: ["Model"],
      columns: categories,
      measures: main,
      decimals: 2,
    },
    "table-11": {
      says: "T11 as T3 with EM of app and API",
      rows: ["Model"],
      columns: categories,
      measures: ["EM app", "EM API"],
    },
    "figure-4": {
      says: "F4 GPT-4o, map parallel x sequential scale; 5.1: EM of arguments",
      rows: ["parallel"],
      columns: ["sequential"],
      measures: ["Argument EM"],
    },
    "figure-5": {
      says: "F5 gap between hierarchical and flat, GPT-3.5 and GPT-4o; no measure in the caption; 5.2: F1 of apps falls for GPT-3.5 in all categories",
      rows: ["Category"],
      measures: ["F1 app"],
    },
    "table-4": {
      says: "T4 GPT-4o: rows categories; keys I, D; values I, D, T/S (two numbers in one cell); 1 decimal",
      rows: ["Category"],
      columns: ["Keys", "Values"],
      measures: ["I", "D", "T/S"],
      decimals: 1,
    },
    "table-4-arguments": { says: "T4 GPT-4o: rows categories", rows: ["Category"], decimals: 1 },
    "figure-6": { says: "5.4: F1 of app and API rise somewhat, Succ does not", measures: main },
    "table-5": {
      says: "T5 GPT-4o with 0, 3, 4, 5 shots, columns of T3",
      rows: ["Demonstrations"],
      columns: categories,
      measures: main,
    },
  },
  "planningarena-paper": {
    "tables-1-and-6": {
      says: "T1 tasks by level x (all, SAPP, CAPP, PAPI, CAPI, DAPI), and users",
      columns: ["users", "easy", "middle", "hard", "overall"],
    },
    "table-2": {
      says: "T2 ten models in two groups (Proprietary five, Open-weight five) x APP (SAPP, CAPP, overall), API (PAPI, CAPI, DAPI, OM, MO, MM1-4, overall), overall",
      rows: ["Group", "Run"],
      columns: ["APP", "API"],
      measures: ["SAPP", "CAPP", "all", "PAPI", "CAPI", "DAPI", "OM", "MO", "MM1", "MM2", "MM3", "MM4", "Overall"],
      decimals: 1,
    },
    "figure-4": {
      says: "F4 models by Result, PGR, LPR, SMAR; section 5.4.1: by level",
      rows: ["Model", "Level"],
      measures: ["Result", "PGR", "LPR", "SMAR"],
    },
    "figure-5": {
      says: "F5 models by scenario, a line each over the scenarios",
      columns: ["Scenario"],
      measures: ["Result"],
    },
    "table-5": {
      says: "T5 Qwen-plus with and without profile: Result, PGR, LPR (SC, SR, TD), SMAR (FD-APP, OSC, FD-API, PC, TR)",
      rows: ["Profile"],
      columns: ["LPR", "SMAR"],
      measures: checks,
      decimals: 1,
    },
    "table-7": detailed,
    "table-8": detailed,
    "table-9": detailed,
  },
  "ultratool-paper": {
    "table-en": {
      says: "planning, creation: a judge, 1 to 10; both awarenesses and selection: shares right (global, local); usage: likeness of arguments",
      measures: ["Plan", "CrAw G", "CrAw L", "Create", "UsAw G", "UsAw L", "Sel G", "Sel L", "Usage", "Overall"],
    },
    "table-zh": { says: "columns and rows are `conformance/ultratool/published_table_en.json`" },
    // The paper has no such table; its dimensions are those of the judge's instruction for plans.
    judge: {
      says: "planning, creation: a judge, 1 to 10",
      columns: [
        "Accuracy",
        "Completeness",
        "Executability",
        "Syntactic soundness",
        "Structural rationality",
        "Efficiency",
      ],
    },
  },
  "travelplanner-paper": {
    "table-a1": {
      says: "A.1 requests by split, days, level",
      rows: ["Split", "Days"],
      columns: ["easy", "medium", "hard"],
    },
    "table-3": {
      says: "T3 validation (180), test (1,000) x delivery, commonsense micro, macro, hard micro, macro, final",
      rows: ["Group", "Run"],
      columns: ["validation", "test"],
      measures: rates,
      decimals: 1,
    },
    "table-b3": {
      says: "B.3 Reflexion with GPT-4-Turbo, sole-planning, validation",
      columns: ["validation"],
      measures: rates,
    },
    "table-4": {
      says: "T4 GPT-4-Turbo, test; two-stage and sole-planning (Direct) x easy, medium, hard; groups commonsense, hard, final",
      rows: ["Group", "Constraint"],
      columns: ["GPT-4-Turbo, two-stage", "GPT-4-Turbo, sole-planning"],
      measures: ["easy", "medium", "hard"],
      decimals: 1,
    },
    "table-5": {
      says: "T5 mean uses by 3, 5, 7 days, agent (GPT-4-Turbo, entries of the notebook) and reference",
      rows: ["Tool"],
      columns: ["GPT-4-Turbo", "reference"],
      measures: ["3", "5", "7"],
    },
  },
  "tool-planner-paper": {
    "table-2": {
      says: "T2 three models x five methods x three hubs and average x pass, win, hallucination",
      rows: ["Model", "Strategy"],
      columns: [...hubs, "Average"],
      measures: ["Pass", "Win rate", "Hallucination"],
      decimals: 1,
    },
    "table-3": {
      says: "T3 the same x six sets and average x pass, win",
      rows: ["Model", "Strategy"],
      columns: [...sets, "Average"],
      measures: ["Pass rate", "Win rate"],
      decimals: 1,
    },
    "table-4": {
      says: "T4 GPT-4: ReAct, AdaPlanner, DFSDT without toolkits; ReAct, AdaPlanner, Tool-Planner with; four sets",
      rows: ["Toolkits", "Strategy"],
      columns: ["G1_tool", "G2_instruction", "G2_category", "G3_instruction"],
    },
    "figure-3-pass": { says: "F3 pass and win by number of clusters, G1-Inst", rows: ["Pass rate"], columns: ["k"] },
    "figure-3-win": { says: "F3 pass and win by number of clusters, G1-Inst", rows: ["Win rate"], columns: ["k"] },
    "table-5": { says: "T5 pass by embedding, three sets", rows: ["Embedding"], columns: three },
    "table-6": {
      says: "T6 win of DFSDT, ToolChain*, Tool-Planner, GPT-3.5 and GPT-4, six sets (and Home Search)",
      rows: ["Model", "Strategy"],
      columns: sets,
    },
    "table-7": {
      says: "T7 planning model x behaviour model, six sets and average",
      rows: ["Model", "Actor"],
      columns: [...sets, "Average"],
    },
    "table-8-toolbench": {
      says: "T8 win by eps and k-means, three sets, three hubs",
      rows: ["Clustering"],
      columns: three,
    },
    "table-8-apibench": {
      says: "T8 win by eps and k-means, three sets, three hubs",
      rows: ["Clustering"],
      columns: hubs,
    },
    "figure-4": {
      says: "F4 mean seconds, methods x data sets",
      rows: ["Strategy"],
      columns: ["apibench", "toolbench"],
      measures: [...hubs, ...sets],
    },
    "figure-4-effort": { says: "F4 mean seconds, methods x data sets", rows: ["Strategy"], columns: ["Seconds"] },
    "figure-5": {
      says: "F5 one distribution of all reasoning errors",
      columns: [
        "Invalid Input Parameters",
        "API Hallucinated",
        "False API Call Format",
        "Miss Input Parameters",
        "Cluster Incomplete",
        "Decision Failure",
      ],
    },
  },
};

describePublished("the facts of the specification", () => {
  const spec = readFileSync(shared("specs", "captions.md"), "utf8");
  describe.each(Object.entries(facts))("%s", (notebook, sections) => {
    const captions = captionsOf(notebook).flatMap((each) => Object.entries(each.sections));

    test("cover every section", () => {
      expect(captions.map(([name]) => name).toSorted()).toEqual(Object.keys(sections).toSorted());
    });

    test.each(Object.entries(sections))("are expected as in the paper: %s", (name, { says, decimals, ...axes }) => {
      expect(spec).toContain(says);
      const section = captions.find(([each]) => each === name)![1];
      for (const axis of ["rows", "columns", "measures"] as const) {
        const expected = axes[axis] ?? [];
        // Nothing from the paper is missing, and the order is the same; additions are ours and are named.
        const own = section[axis].filter((title) => expected.includes(title));
        expect(own, `${name}: ${axis}`).toEqual(expected);
        const ours = section[axis].filter(
          (title) => !expected.includes(title) && !["", "Run", "Model"].includes(title),
        );
        if (expected.length > 0 && ours.length > 0) expect(section.differs, `${name}: ${ours.join()}`).toBeDefined();
      }
      if (decimals !== undefined) expect(section.decimals).toBe(decimals);
    });
  });

  test("equal the suites' error kinds and a judge's dimensions", () => {
    const toolPlanner = readFileSync(shared("specs", "toolplanner.md"), "utf8");
    const kinds = facts["tool-planner-paper"]!["figure-5"]!.columns!;
    expect(
      [
        ...toolPlanner
          .split("Classes and intent: ")[1]!
          .split("\n")[0]!
          .matchAll(/\*([A-Z][^*]+)\*/g),
      ].map(([, kind]) => kind),
    ).toEqual(kinds);
    const ultratool = readFileSync(shared("specs", "ultratool.md"), "utf8").replaceAll(/\s+/g, " ");
    const listed = ultratool.split("Dimensions in order: ")[1]!.split("Output: JSON list of 7")[0]!.toLowerCase();
    const at = facts["ultratool-paper"]!["judge"]!.columns!.map((dimension) => listed.indexOf(dimension.toLowerCase()));
    expect(at.every((place, index) => place >= 0 && place > (at[index - 1] ?? -1))).toBe(true);
  });

  test("equal the statistics of AppBench's printed Table 2", () => {
    const { table2 } = sharedJson<Record<string, { columns: string[]; rows: object }>>(
      "data",
      "paper-tables",
      "appbench.json",
    );
    expect(table2!.columns).toEqual(categories);
    expect(Object.keys(table2!.rows)).toHaveLength(10);
  });
});
