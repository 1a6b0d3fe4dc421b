/** The claims of all analysis cells of a notebook, tested when rows change and answered together. */
import type { RunRows } from "../analysis.ts";
import type { Figure } from "../figure.ts";
import type { Claim } from "../measures/claim.ts";
import { type ClaimAnswer, claimAnswers, claimTables } from "../measures/claim-answer.ts";
import { type ClaimTest, claimTests } from "../measures/claim-test.ts";
import type { CellProblem } from "../session/cell.ts";

/** A cell that claims something, and what it claims it of. */
export type Claimant = {
  readonly cell: string;
  readonly source: string;
  /** Another text where rows are others, one for each run. */
  readonly rows: readonly string[];
  readonly claims: readonly Claim[];
  runs(): readonly RunRows[];
};

/** What a cell shows of its claims. */
export type CellClaims = {
  readonly answers: readonly ClaimAnswer[];
  readonly figures: readonly Figure[];
  readonly problems: readonly CellProblem[];
};

type Tested = {
  readonly claimant: Claimant;
  readonly tests: readonly ClaimTest[];
  readonly problems: readonly CellProblem[];
};

export class NotebookClaims {
  readonly #tested = new Map<string, Tested>();
  #answered: { readonly tested: readonly Tested[]; readonly claims: ReadonlyMap<string, CellClaims> } | undefined;

  /** The same object as long as no claim and no row of the notebook changes. */
  of(claimants: readonly Claimant[], cell: string): CellClaims | undefined {
    const tested = claimants.map((claimant) => this.#test(claimant));
    const before = this.#answered?.tested;
    if (before?.length !== tested.length || tested.some((each, index) => each !== before[index]))
      this.#answered = { tested, claims: answerAll(tested) };
    return this.#answered!.claims.get(cell);
  }

  #test(claimant: Claimant): Tested {
    const { cell, source, rows, claims } = claimant;
    const known = this.#tested.get(cell);
    const before = known?.claimant;
    const same = before?.source === source && before.rows.length === rows.length;
    if (known !== undefined && same && before!.rows.every((each, index) => each === rows[index])) return known;
    const runs = claimant.runs();
    const found = claims.map((claim) => claimTests(claim, runs));
    const tested = {
      claimant,
      tests: found.flatMap((each) => ("problem" in each ? [] : each)),
      problems: found.flatMap((each) => ("problem" in each ? [{ message: each.problem }] : [])),
    };
    this.#tested.set(cell, tested);
    return tested;
  }
}

function answerAll(tested: readonly Tested[]): ReadonlyMap<string, CellClaims> {
  const answers = claimAnswers(tested.flatMap(({ tests }) => tests));
  const made = answers.filter(({ test }) => test !== undefined).length;
  let from = 0;
  return new Map(
    tested.map(({ claimant, tests, problems }) => {
      const own = answers.slice(from, (from += tests.length));
      const figures = own.some(({ test }) => test !== undefined) ? claimTables(own, made) : [];
      return [claimant.cell, { answers: own, figures, problems }];
    }),
  );
}
