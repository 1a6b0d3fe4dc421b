/** The published files this suite reads. */
import type { DataFile } from "../../../source/engine/suite.ts";

const counts = { torchhub: [94, 186], huggingface: [936, 911], tensorflowhub: [696, 688] } as const;

export const dataFiles: readonly DataFile[] = Object.entries(counts).flatMap(([hub, [apis, questions]]): DataFile[] => [
  { path: `catalogue/${hub}_api.jsonl.gz`, count: apis, of: "APIs" },
  {
    path: `catalogue/${hub}_match_keys.jsonl.gz`,
    count: apis,
    of: "match keys",
    needed:
      "what the official matcher derives from each API. The publisher has no such file, see suites/apibench/README.md",
  },
  { path: `eval/${hub}_eval.jsonl.gz`, count: questions, of: "questions" },
]);
