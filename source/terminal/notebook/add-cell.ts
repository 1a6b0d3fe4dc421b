import { suiteNamed } from "../../engine/session/file-suite.ts";
import type { SessionCell, Workbench, CellState } from "../../engine/workbench/workbench.ts";
import type { Choice, ListRequest } from "../input/choice-list.tsx";
import type { Terminal } from "../terminal.ts";
import type { CellExtent, Viewport } from "./scroll.ts";

/**
 * Lists the cells that can be added below a cell: a note, a run in the form or as text, and every analysis; analyses without
 * results come last.
 */
export function cellKinds(workbench: Workbench, after: string | undefined): readonly Choice[] {
  const analyses = workbench.analyses.map(({ name, title, question }) => {
    const why = workbench.whyEmpty(analysisSource(workbench, name, after), after);
    const choice = { value: `analysis ${name}`, title: `Analysis: ${title}` };
    return { ...choice, note: why ?? question, faint: why !== undefined };
  });
  const hasDefaults = workbench.cells().some(({ kind }) => kind === "front-matter");
  return [
    { value: "note", title: "Note", note: "text in Markdown" },
    { value: "form", title: "Run cell in the form" },
    { value: "run", title: "Run cell as text", note: "YAML" },
    ...(hasDefaults ? [] : [{ value: "defaults", title: "Defaults of the notebook", note: "fields of all run cells" }]),
    { value: "kinds", title: "Kinds", note: "a codebook: the kinds with which you tag tasks and lines" },
    ...analyses.filter(({ faint }) => !faint),
    ...analyses.filter(({ faint }) => faint),
  ];
}

/** Inserts a cell of this kind below `after`, and opens the form or the editor if the kind has one. */
export function addCell(kind: string, after: string | undefined, context: NotebookContext): void {
  const { terminal, go, edit } = context;
  const { workbench, navigation } = terminal;
  if (kind === "form") return navigation.push({ kind: "form", ...(after !== undefined && { after }) });
  const insert = (cell: SessionCell["kind"], source: string, name?: string) => {
    const id = workbench.insert(cell, after, source, name);
    go({ selected: id, anchor: 2 });
    return workbench.cells().find((each) => each.id === id)!;
  };
  if (kind === "note") return edit(insert("note", ""));
  if (kind === "defaults") return edit(insert("front-matter", "defaults:\n  "));
  if (kind === "kinds") return edit(insert("kinds", ""));
  if (kind === "run") {
    const suite = workbench.suites[0];
    const source = `suite: ${suite?.name ?? ""}\nsplit: ${suite?.splits[0]?.name ?? ""}\nmodel: builtin/slips\nlimit: 20\n`;
    return edit(insert("run", source, freshName(workbench, suite?.name ?? "run")));
  }
  const analysis = kind.slice("analysis ".length);
  insert("analysis", analysisSource(workbench, analysis, after), freshName(workbench, analysis));
}

function analysisSource(workbench: Workbench, analysis: string, after: string | undefined): string {
  const near = runAbove(workbench, after, analysis);
  return `pane: ${analysis}\n${near === undefined ? "" : `of: [${near}]\n`}`;
}

/** Returns `name`, or `name-2` and so on if cells already have it. */
export function freshName(workbench: Workbench, name: string): string {
  const taken = new Set(workbench.cells().map((cell) => cell.name));
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/**
 * Returns the nearest named run cell at or above this cell whose benchmark has the analysis, otherwise the nearest named cell.
 */
function runAbove(workbench: Workbench, after: string | undefined, analysis: string): string | undefined {
  const cells = workbench.cells();
  const until = cells.findIndex(({ id }) => id === after);
  const named = cells.slice(0, until + 1).filter(({ kind, name }) => kind === "run" && name !== "");
  return (named.findLast(({ id }) => suits(workbench, id, analysis)) ?? named.at(-1))?.name;
}

function suits(workbench: Workbench, cell: string, analysis: string): boolean {
  const state = workbench.state(cell);
  const name = state.kind === "run" ? state.runs[0]?.spec.suite : undefined;
  return suiteNamed(name, workbench.suites)?.analyses.includes(analysis) === true;
}

/** The context of the notebook's commands. */
export type NotebookContext = {
  readonly terminal: Terminal;
  readonly selected: SessionCell | undefined;
  readonly state: CellState | undefined;
  readonly blocks: readonly CellExtent[];
  readonly viewport: Viewport;
  readonly height: number;
  readonly go: (viewport: Viewport) => void;
  readonly edit: (cell: SessionCell) => void;
  readonly ask: (asking: ListRequest) => void;
  /** Opens the search field. */
  readonly find: () => void;
  /** Run cells that show all their settings. */
  readonly opened: ReadonlySet<string>;
  readonly setOpened: (cells: ReadonlySet<string>) => void;
};
