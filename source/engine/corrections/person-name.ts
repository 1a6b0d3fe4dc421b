/** Who says so, when a person overrules a scorer. */
import { userInfo } from "node:os";

/** The name one is logged in by; `a person` where the system knows none. Never throws. */
export function personName(read: () => string = () => userInfo().username): string {
  try {
    return read().trim() || "a person";
  } catch {
    return "a person";
  }
}
