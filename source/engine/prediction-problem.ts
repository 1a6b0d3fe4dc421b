/** A line of a predictions file that does not fit. */
export class PredictionProblem extends Error {
  override readonly name = "PredictionProblem";
  /** 1-based number of the line in its file. */
  readonly line: number;

  /** `message` says what was expected; the line's number is put in front. */
  constructor(line: number, message: string) {
    super(`Line ${line}: ${message}`);
    this.line = line;
  }
}
