import { afterEach, describe, expect, it, vi } from "vitest";
import { editExternally } from "../../../source/terminal/editor/external-editor.ts";

afterEach(() => vi.unstubAllEnvs());

describe("a cell in the user's own editor", () => {
  const suspended: string[] = [];
  const suspend = async (callback: () => void | Promise<void>) => {
    suspended.push("lent");
    await callback();
    suspended.push("back");
  };

  it("has the edited text, and the editor controls the terminal until it ends", async () => {
    vi.stubEnv(
      "VISUAL",
      `${process.execPath} -e "const fs=require('fs');const f=process.argv[1];fs.writeFileSync(f,fs.readFileSync(f,'utf8').replace('mm','ss')+'\\n')"`,
    );
    expect(await editExternally("split: mm", ".yaml", suspend)).toBe("split: ss");
    expect(suspended).toEqual(["lent", "back"]);
  });
  it("reports a failure of the editor, and changes nothing", async () => {
    vi.stubEnv("VISUAL", "");
    vi.stubEnv("EDITOR", "exit 3;");
    await expect(editExternally("text", ".md", suspend)).rejects.toThrow(
      "Expected `exit 3;` to exit with status 0, got 3",
    );
  });
});
