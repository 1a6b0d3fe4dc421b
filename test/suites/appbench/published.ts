/** The published data and expected values for the tests of this suite. */
import type { Catalogue } from "../../../suites/appbench/data/catalogue.ts";
import type { Gold, Sample } from "../../../suites/appbench/data/gold.ts";
import type { Aggregate, AnswerRecord } from "../../../suites/appbench/score/record.ts";
import { sharedJson } from "../../shared.ts";

export const categoryNames = ["ss", "sm", "ms", "mm"] as const;

export type ScoringFile = {
  readonly records: readonly {
    readonly id: string;
    readonly sample_id: string;
    readonly output: string;
    readonly expected: AnswerRecord & {
      readonly parse: {
        readonly decided_app: readonly string[];
        readonly decided_api: readonly string[];
        readonly api_names: readonly string[];
        readonly api_arguments: readonly { readonly api: string; readonly args: readonly [string, string][] }[];
      };
    };
  }[];
  readonly aggregate: Aggregate;
};

export function scoringFile(category: string): ScoringFile {
  return sharedJson("conformance", "appbench", `scoring_${category}.json`);
}

/** Every published sample by task id. */
export function publishedGold(): Map<string, Gold> {
  const gold = new Map<string, Gold>();
  for (const category of categoryNames) {
    const samples = sharedJson<Sample[]>("data", "appbench", `test_${category}.json`);
    for (const [index, sample] of samples.entries()) {
      gold.set(`${category}-${String(index).padStart(3, "0")}`, sample.output);
    }
  }
  return gold;
}

export function publishedCatalogue(): Catalogue {
  return sharedJson("data", "appbench", "catalogue.json");
}
