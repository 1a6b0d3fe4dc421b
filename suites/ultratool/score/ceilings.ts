/** What the answer key gets where it does not get everything. */
import type { Ceiling } from "../../../source/engine/benchmark.ts";
import { measures } from "./measures.ts";

const judged = "Judges are told to give a plan or tool like the reference 8 of 10";
const python = "Lists are asked for as Python text unless `lists` is `json`; strict reading takes JSON alone";

const judgedMeasures = measures.filter(
  ({ name, mode }) => mode === "judge" || name === "official.planning" || name === "official.tool_creation",
);

export const ceilings: readonly Ceiling[] = [
  ...judgedMeasures.map(({ name }) => ({ measure: name, sample: 0.8, why: judged })),
  { measure: "official.overall", sample: 0.9556, why: judged },
  { measure: "sample.score", sample: 0.9333, why: judged },
  ...measures.filter(({ mode }) => mode === "strict").map(({ name }) => ({ measure: name, sample: 0, why: python })),
  { measure: "reading.strict", sample: 0, why: python },
];
