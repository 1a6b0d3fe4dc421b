/** Tests the claims of all analysis cells of a notebook when rows change, and answers them together. */
import type { Figure } from "../../figure.ts";
import type { Claim } from "../../measures/claim.ts";
import { type ClaimAnswer, claimAnswers, claimTables, type ClaimTest, claimTests } from "../../measures/claim-test.ts";
import type { CellProblem } from "../../session/cell.ts";
import { type PoolableRun, pooledRuns, withDistinctLabels } from "../runs/wanted-runs.ts";

/** A cell with claims, and their runs. */
export type Claimant<Run = PoolableRun> = {
  readonly cell: string;
  readonly source: string;
  /** A key per run that changes with its rows. */
  readonly rows: readonly string[];
  readonly claims: readonly Claim[];
  readonly runs: readonly Run[];
};

/** The state of a cell's claims. */
export type CellClaims = {
  readonly answers: readonly ClaimAnswer[];
  readonly figures: readonly Figure[];
  readonly problems: readonly CellProblem[];
};

type Tested = {
  readonly cell: string;
  /** The source and rows of the tests. */
  readonly key: string;
  readonly tests: readonly ClaimTest[];
  readonly problems: readonly CellProblem[];
};

type Answered = { readonly tested: readonly Tested[]; readonly claims: ReadonlyMap<string, CellClaims> };

export class NotebookClaims {
  readonly #tested = new Map<string, Tested>();
  #answered: Answered = { tested: [], claims: new Map() };

  /** Returns the same object until a claim or a row of the notebook changes. */
  of(claimants: readonly Claimant[], cell: string): CellClaims | undefined {
    const tested = claimants.map((claimant) => this.#test(claimant));
    const { tested: before } = this.#answered;
    if (tested.length !== before.length || tested.some((each, at) => each !== before[at]))
      this.#answered = { tested, claims: answerAll(tested) };
    return this.#answered.claims.get(cell);
  }

  #test(claimant: Claimant): Tested {
    const known = this.#tested.get(claimant.cell);
    const key = JSON.stringify([claimant.source, claimant.rows, claimant.claims.map(({ written }) => written?.at)]);
    if (known?.key === key) return known;
    const runs = withDistinctLabels(pooledRuns(claimant.runs));
    const found = claimant.claims.map((claim) => claimTests(claim, runs));
    const tested = {
      cell: claimant.cell,
      key,
      tests: found.flatMap((each) => ("problem" in each ? [] : each)),
      problems: found.flatMap((each) => ("problem" in each ? [{ message: each.problem }] : [])),
    };
    this.#tested.set(claimant.cell, tested);
    return tested;
  }
}

function answerAll(tested: readonly Tested[]): ReadonlyMap<string, CellClaims> {
  const answers = claimAnswers(tested.flatMap(({ tests }) => tests));
  const made = answers.filter(({ test }) => test !== undefined).length;
  let from = 0;
  const claims = tested.map(({ cell, tests, problems }) => {
    const own = answers.slice(from, (from += tests.length));
    const figures = own.some(({ test }) => test !== undefined) ? claimTables(own, made) : [];
    return [cell, { answers: own, figures, problems }] as const;
  });
  return new Map(claims);
}
