import { describe, expect, test } from "vitest";
import { readDuration } from "../../source/commands/shell/arguments.ts";

describe("a time on the command line", () => {
  test.each([
    ["90s", 90_000],
    ["30m", 1_800_000],
    ["2h", 7_200_000],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
    ["24d", 2_073_600_000],
  ])("%s is %i milliseconds", (written, milliseconds) => expect(readDuration("until", written)).toBe(milliseconds));

  test.each(["", "2", "h", "0s", "2 h", "2h!", "-2h", "25d", "1e9h", "tomorrow"])("%j is none", (written) =>
    expect(() => readDuration("until", written)).toThrow("Expected `--until` to be a time such as 90s, 30m, 2h"),
  );
});
