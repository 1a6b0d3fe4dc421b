/** Long arrays whose items are made on access. */

/**
 * Returns a read-only array of this length that makes each item on access, so that only accessed items of hundreds of thousands
 * exist. Reading all items repeatedly costs more than with an ordinary array.
 */
export function madeWhenRead<Item>(length: number, make: (at: number) => Item): readonly Item[] {
  const places: Item[] = [];
  places.length = length;
  const placeOf = (key: string | symbol): number | undefined => {
    const at = typeof key === "string" ? Number(key) : -1;
    return at >= 0 && at < length && String(at) === key ? at : undefined;
  };
  return new Proxy(places, {
    get(target, key) {
      const at = placeOf(key);
      return at === undefined ? Reflect.get(target, key) : make(at);
    },
    has: (target, key) => placeOf(key) !== undefined || Reflect.has(target, key),
    ownKeys: (target) => [...target.keys().map(String), "length"],
    getOwnPropertyDescriptor(target, key) {
      const at = placeOf(key);
      if (at === undefined) return Reflect.getOwnPropertyDescriptor(target, key);
      return { value: make(at), enumerable: true, configurable: true, writable: false };
    },
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  });
}
