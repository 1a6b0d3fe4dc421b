import { basename } from "node:path";
import type { Terminal } from "../terminal.ts";

type Watched = Pick<Terminal, "workbench" | "notices" | "navigation" | "keyboard">;

/**
 * Says when another program has changed the document, and asks what is to become of it where it was changed here too: not while
 * something is typed, whose next letter would be taken for the answer.
 */
export function watchOutside({ workbench, notices, navigation, keyboard }: Watched): () => void {
  let taken = workbench.outside?.taken ?? 0;
  let told: string | undefined;
  const look = () => {
    const { outside } = workbench;
    if (outside === undefined) return;
    if (outside.taken !== taken)
      notices.say("session.md was changed elsewhere and read again: z brings back the former");
    taken = outside.taken;
    const { theirs } = outside;
    if (theirs === undefined || notices.question() !== undefined) return;
    if (keyboard.top()?.text !== undefined) {
      if (told !== theirs) notices.say("session.md was changed elsewhere too: you are asked once this text is left");
      told = theirs;
      return;
    }
    const keep = () => {
      try {
        const kept = outside.keep();
        if (kept === undefined) return;
        const path = basename(kept);
        notices.say(`Yours stays, s saves it; the other one is in ${path}`);
        navigation.push({ kind: "text", title: `${path}, written elsewhere`, text: theirs });
      } catch (error) {
        notices.say((error as Error).message, "bad");
      }
    };
    const question = "session.md was changed elsewhere: y reads that, n keeps both.";
    const take = () => {
      outside.take();
      notices.say("Read: z brings yours back");
    };
    notices.ask(question, take, { no: keep });
  };
  const ends = [workbench.subscribe(look), keyboard.subscribe(look)];
  return () => {
    for (const end of ends) end();
  };
}
