/** Long arrays that are not kept: an item is made when it is read. */

/**
 * An array of so many items, each made anew whenever it is read: of hundreds of thousands, only those that are looked at are ever
 * there. Nothing can be put into it. Reading all of it again and again costs more than an ordinary array does.
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
