/** Loads the program with more rows in its table of settings, and prints how it reads the cells of standard input. */
import { text } from "node:stream/consumers";
import { registerHooks } from "node:module";
import type { Asker } from "../../../source/engine/types.ts";

const rows = `
  { name: "topK", title: "Top k", kind: "whole", least: 0, sentAs: "top_k", refusable: true, group: "reply" },
  { name: "badWords", title: "Bad words", kind: "texts", sentAs: "bad_words", group: "reply" },
`;
const end = "] as const satisfies readonly Row[]";

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith("/run-settings-rows.ts")) return loaded;
    const source = String(loaded.source);
    if (source.split(end).length !== 2) throw new Error("Expected the table of settings to end once");
    return { ...loaded, source: source.replace(end, () => rows + end) };
  },
});

const { filledInTexts } = await import("../../../source/engine/session/fields/given-fields.ts");
const { runSource } = await import("../../../source/engine/session/fork-cell.ts");
const { planRunCell } = await import("../../../source/engine/session/run-cell.ts");
const { requestBody } = await import("../../../source/engine/models/protocols/chat/chat.ts");
const { formSource } = await import("../../../source/terminal/form/form-source.ts");
const { readValues } = await import("../../../source/terminal/form/form-values.ts");
const { frozenContext, frozenSuite } = await import("./frozen-suite.ts");

const random = { ...frozenSuite.strategies[0]!, name: "random", roles: [] };
const suite = { ...frozenSuite, strategies: [...frozenSuite.strategies, random] };

/** The result of a cell; `edited` is its text after the form has set `topK` to 5 and 40. */
export type ReadCell = ReturnType<typeof readCell>;

function readCell(cell: string) {
  const { runs, problems, filledIn = [] } = planRunCell(cell, { ...frozenContext, suites: [suite] });
  const values = readValues(cell);
  return {
    problems,
    notes: filledInTexts(filledIn.filter(({ from }) => from === "request")),
    kept: formSource(values, cell) === cell,
    fields: [...values.keys()],
    edited: formSource(new Map([...values, ["topK", [5, 40]]]), cell),
    runs: runs.map(({ run, label, spec }) => ({
      run,
      label,
      spec: spec as typeof spec & { readonly topK?: number; readonly badWords?: readonly string[] },
      source: runSource(spec, new Set()),
      body: JSON.stringify(
        requestBody("m", { ...spec, tools: [], messages: [], signal: AbortSignal.abort(), asker: { spec } as Asker }),
      ),
    })),
  };
}

const cells = JSON.parse(await text(process.stdin)) as readonly string[];
process.stdout.write(JSON.stringify(cells.map(readCell)));
