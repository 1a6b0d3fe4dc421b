/** Returns the promise stored under `key`, made on first use. A failed promise is dropped, so the next call tries again. */
export function keptPromise<Value>(kept: Map<string, Promise<unknown>>, key: string, make: () => Promise<Value>) {
  // The caller uses each key for one type of value.
  const known = kept.get(key) as Promise<Value> | undefined;
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  made.catch(() => kept.delete(key));
  return made;
}
