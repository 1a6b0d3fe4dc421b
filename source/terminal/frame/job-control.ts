/** Ctrl+Z and the shell's `fg`: the program stops after releasing the terminal, and takes control of it again when it continues. */

type Suspend = (callback: () => void | Promise<void>) => Promise<void>;

/** Milliseconds in which a stop signal to oneself arrives; without job control in the shell it never does. */
const arrival = 100;

/**
 * Handles SIGTSTP and SIGCONT. `suspend` releases the terminal, calls the function, and then takes and redraws the terminal; it
 * rejects while another program, such as an editor, uses the terminal.
 */
export function openJobControl(suspend: Suspend): { readonly stop: () => void; readonly close: () => void } {
  let stopping = false;
  const stop = () => {
    // Windows has no job control.
    if (stopping || process.platform === "win32") return;
    stopping = true;
    suspend(stopGroup)
      .catch(() => stopGroup())
      .finally(() => (stopping = false));
  };
  /** Stops the whole job, including npm above this program, because the shell waits for that. */
  const stopGroup = async () => {
    // Without a listener the signal has its default effect.
    process.off("SIGTSTP", stop);
    process.kill(0, "SIGTSTP");
    await new Promise((resolve) => setTimeout(resolve, arrival));
    process.on("SIGTSTP", stop);
  };
  // After SIGSTOP nothing was given back, and the shell has used the terminal since.
  const continued = () => {
    if (!stopping) suspend(() => {}).catch(() => {});
  };
  process.on("SIGTSTP", stop).on("SIGCONT", continued);
  return {
    stop,
    close: () => void process.off("SIGTSTP", stop).off("SIGCONT", continued),
  };
}
