/** Ctrl+Z, and the shell's `fg`: the program stops with the terminal given back, and takes it again when it is continued. */

type Suspend = (callback: () => void | Promise<void>) => Promise<void>;

/** Milliseconds in which a stop signal sent to oneself arrives; where the shell has no job control, it never does. */
const arrival = 100;

/**
 * Handles SIGTSTP and SIGCONT from now on. `suspend` gives the terminal back, calls the function, and takes and redraws the
 * terminal when that has ended; it rejects while something else, such as an editor, has the terminal.
 */
export function openJobControl(suspend: Suspend): { readonly stop: () => void; readonly close: () => void } {
  let stopping = false;
  const stop = () => {
    // There is no such thing on Windows.
    if (stopping || process.platform === "win32") return;
    stopping = true;
    suspend(stopGroup)
      .catch(() => stopGroup())
      .finally(() => (stopping = false));
  };
  /** Stops all of the job, such as npm above this program: the shell waits for that. */
  const stopGroup = async () => {
    // Without a listener the signal has its usual effect.
    process.off("SIGTSTP", stop);
    process.kill(0, "SIGTSTP");
    await new Promise((resolve) => setTimeout(resolve, arrival));
    process.on("SIGTSTP", stop);
  };
  // Stopped by SIGSTOP nothing could be given back, and the shell has used the terminal since.
  const continued = () => {
    if (!stopping) suspend(() => {}).catch(() => {});
  };
  process.on("SIGTSTP", stop).on("SIGCONT", continued);
  return {
    stop,
    close: () => void process.off("SIGTSTP", stop).off("SIGCONT", continued),
  };
}
