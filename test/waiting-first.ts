/** Orders test files as long as their durations are unknown. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They start programs and wait for them. If one began last, the run would wait for it alone. */
const waiting = ["stories", "workers", "sessions", "interchange", "extension", "kit"].map((name) => `/test/${name}/`);

export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const waits = ({ moduleId }: TestSpecification) => waiting.some((folder) => moduleId.includes(folder));
    const sorted = await super.sort(files);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}
