/** The claims of all analysis cells of a notebook, tested when rows change and answered together. */
import type { RunRows } from "../../analysis.ts";
import type { Figure } from "../../figure.ts";
import type { Claim } from "../../measures/claim.ts";
import { type ClaimAnswer, claimAnswers, claimTables } from "../../measures/claim-answer.ts";
import { type ClaimTest, claimTests } from "../../measures/claim-test.ts";
import type { CellProblem } from "../../session/cell.ts";

/** A cell that claims something, and what it claims it of. */
export type Claimant = {
  readonly cell: string;
  readonly source: string;
  /** Another text where rows are others, one for each run. */
  readonly rows: readonly string[];
  readonly claims: readonly Claim[];
  runs(): readonly RunRows[];
};

/** What conditions and `--json` say of an answer. */
export type StatedClaim = Pick<
  ClaimAnswer,
  "claim" | "label" | "answer" | "difference" | "interval" | "p" | "n" | "deciding"
>;

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

type Answered = { readonly tested: readonly Tested[]; readonly claims: ReadonlyMap<string, CellClaims> };

export class NotebookClaims {
  readonly #tested = new Map<string, Tested>();
  #answered: Answered = { tested: [], claims: new Map() };

  /** The same object as long as no claim and no row of the notebook changes. */
  of(claimants: readonly Claimant[], cell: string): CellClaims | undefined {
    if (!this.#isAnswered(claimants, (before, now) => isSame(before.rows, now.rows))) this.#answer(claimants);
    return this.#answered.claims.get(cell);
  }

  /** Whether the answers are those of these texts, of which `is` holds as well. */
  #isAnswered(claimants: readonly Claimant[], is: (before: Claimant, now: Claimant) => boolean): boolean {
    const { tested } = this.#answered;
    return (
      tested.length === claimants.length &&
      tested.every(({ claimant }, at) => isOfSameText(claimant, claimants[at]!) && is(claimant, claimants[at]!))
    );
  }

  #answer(claimants: readonly Claimant[]): void {
    const tested = claimants.map((claimant) => this.#test(claimant));
    this.#answered = { tested, claims: answerAll(tested) };
  }

  #test(claimant: Claimant): Tested {
    const known = this.#tested.get(claimant.cell);
    const before = known?.claimant;
    if (before !== undefined && isOfSameText(before, claimant) && isSame(before.rows, claimant.rows)) return known!;
    const runs = claimant.runs();
    const found = claimant.claims.map((claim) => claimTests(claim, runs));
    const tested = {
      claimant,
      tests: found.flatMap((each) => ("problem" in each ? [] : each)),
      problems: found.flatMap((each) => ("problem" in each ? [{ message: each.problem }] : [])),
    };
    this.#tested.set(claimant.cell, tested);
    return tested;
  }
}

function isOfSameText(one: Claimant, other: Claimant): boolean {
  return one.cell === other.cell && one.source === other.source;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, at) => each === other[at]);
}

function answerAll(tested: readonly Tested[]): ReadonlyMap<string, CellClaims> {
  const answers = claimAnswers(tested.flatMap(({ tests }) => tests));
  const made = answers.filter(({ test }) => test !== undefined).length;
  let from = 0;
  const claims = tested.map(({ claimant, tests, problems }) => {
    const own = answers.slice(from, (from += tests.length));
    const figures = own.some(({ test }) => test !== undefined) ? claimTables(own, made) : [];
    return [claimant.cell, { answers: own, figures, problems }] as const;
  });
  return new Map(claims);
}
