/** Returns what `read` returns, or `otherwise` if it throws: for files and texts that may be missing or damaged. */
export function fallback<Value, Otherwise = undefined>(read: () => Value, otherwise?: Otherwise): Value | Otherwise {
  try {
    return read();
  } catch {
    return otherwise as Otherwise;
  }
}
