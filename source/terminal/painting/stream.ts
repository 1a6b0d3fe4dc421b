/** Returns the stream with its members of these names replaced. */
export const withMembers = <Stream extends object>(
  stream: Stream,
  members: { readonly [name: string]: unknown },
): Stream =>
  new Proxy(stream, {
    get(target, name) {
      if (typeof name === "string" && Object.hasOwn(members, name)) return members[name];
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
