import { basename } from "node:path";
import type { OutsideChange } from "../../engine/session/document/outside-change.ts";
import type { Terminal } from "../terminal.ts";
import { attempted } from "./notices.ts";

type Watched = Pick<Terminal, "workbench" | "notices" | "navigation" | "keyboard">;

/**
 * Reports that another program changed or removed the document or the settings. If the user changed the document, too, asks which
 * version to keep, but not while a text field is open, because its next letter would answer the question.
 */
export function watchOutside({ workbench, notices, navigation, keyboard }: Watched): () => void {
  let taken = workbench.outside?.taken ?? 0;
  let missed: string | undefined;
  let troubled: string | undefined;
  const sayMissing = (missing: OutsideChange["missing"]) => {
    // Read-only sessions report their reason elsewhere.
    if (missing?.why === missed || workbench.readOnly !== undefined) return;
    missed = missing?.why;
    if (missing === undefined) notices.say("session.md exists again");
    else
      notices.say(`${missing.why}: ${missing.isGone ? "s writes the file again" : "the notebook stays open"}`, "bad");
  };
  const saySettings = (trouble: string | undefined) => {
    if (trouble === troubled) return;
    troubled = trouble;
    if (trouble === undefined) notices.say("The settings were reloaded");
    else notices.say(`The previous settings stay in use: ${trouble}`, "bad");
  };
  let told: string | undefined;
  const look = () => {
    const { outside } = workbench;
    saySettings(workbench.settingsTrouble());
    if (outside === undefined) return;
    sayMissing(outside.missing);
    if (outside.taken !== taken)
      notices.say("session.md was changed elsewhere and reloaded: z restores the previous version");
    taken = outside.taken;
    const { theirs } = outside;
    if (theirs === undefined || notices.question() !== undefined) return;
    if (keyboard.top()?.text !== undefined) {
      if (told !== theirs)
        notices.say("session.md was changed elsewhere too: leave the text field to choose a version");
      told = theirs;
      return;
    }
    const keep = () =>
      attempted({ notices }, () => {
        const kept = outside.keep();
        if (kept === undefined) return;
        const path = basename(kept);
        notices.say(`Your version is kept (s saves it); the other version is in ${path}`);
        navigation.push({ kind: "text", title: `${path}: the version written elsewhere`, text: theirs });
      });
    const question = "session.md was changed elsewhere: y loads that version, n keeps both.";
    const take = () => {
      outside.take();
      notices.say("Reloaded: z restores your version");
    };
    notices.ask(question, take, { no: keep });
  };
  const ends = [workbench.subscribe(look), keyboard.subscribe(look)];
  return () => {
    for (const end of ends) end();
  };
}
