/** The published files: those of the official wheel, or of the wheel of Inspect's evaluations, which has no texts for prompts. */
import type { DataFile } from "../../../source/engine/suite.ts";
import published from "./published-files.json" with { type: "json" };
import { placesOf } from "./files.ts";
import { domainNames } from "./splits.ts";

const needed = "the official wording of prompts and tools; without these files, this project's own wording is used";
const code = [
  ...domainNames.map((name) => `domains/${name}/tools.py`),
  "domains/airline/data_model.py",
  "domains/telecom/user_tools.py",
  "domains/telecom/user_data_model.py",
  "agent/llm_agent.py",
];

export const dataFiles: readonly DataFile[] = [
  ...Object.entries(published).map(([path, facts]): DataFile => ({ path, places: placesOf(path), ...facts })),
  // Read as text, never executed.
  ...code.map((path): DataFile => ({ path, places: placesOf(path), optional: true, needed })),
];
