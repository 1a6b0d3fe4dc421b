/**
 * The message line, and questions answered by yes or no. They are kept outside React, because commands and ended runs
 * raise them.
 */
import { openListeners } from "./listeners.ts";
export type Notice = { readonly tone: "plain" | "good" | "bad"; readonly text: string };
export type Confirmation = {
  readonly text: string;
  readonly yes: () => void;
  readonly no?: () => void;
  /** Saves first; absent if there are no unsaved changes. */
  readonly save?: () => void;
};
export type Answer = "yes" | "no" | "save";

export type Notices = ReturnType<typeof openNotices>;

export function openNotices() {
  let notice: Notice | undefined;
  let question: Confirmation | undefined;
  const { subscribe, tell: changed } = openListeners();
  return {
    current: () => notice,
    question: () => question,
    subscribe,
    /** Shown until the next key press. */
    say(text: string, tone: Notice["tone"] = "plain") {
      notice = { tone, text };
      changed();
    },
    clear() {
      if (notice === undefined) return;
      notice = undefined;
      changed();
    },
    /** Asks in the message line: `y` means yes, `s` saves first if that is offered, and any other key means no. */
    ask(text: string, yes: () => void, otherwise: Pick<Confirmation, "no" | "save"> = {}) {
      question = { text, yes, ...otherwise };
      changed();
    },
    answer(answer: Answer) {
      const asked = question;
      question = undefined;
      changed();
      asked?.[answer]?.();
    },
  };
}

/** Calls `then` with the result of the promise; shows the error if the promise, or `then`, fails. */
export function report<Result>(
  { notices }: { readonly notices: Notices },
  promise: Promise<Result>,
  then: (result: Result) => void = () => {},
): void {
  const fail = (error: unknown) => notices.say(error instanceof Error ? error.message : String(error), "bad");
  promise.then(then).catch(fail);
}

/** Executes the change and shows its error if the change fails. Returns true if it succeeded. */
export function attempted({ notices }: { readonly notices: Notices }, change: () => void): boolean {
  try {
    change();
    return true;
  } catch (error) {
    notices.say((error as Error).message, "bad");
    return false;
  }
}
