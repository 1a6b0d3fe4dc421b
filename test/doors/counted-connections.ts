/**
 * Loaded before the program (`node --import`). Appends each connection the program opens, one per line, to the file named by
 * PLANWRIGHT_TEST_CONNECTIONS. TLS and HTTP use the same socket. If PLANWRIGHT_TEST_CONNECTIONS_DENIED is set, all connections
 * fail except those to sockets in the file system.
 */
import dgram from "node:dgram";
import { appendFileSync } from "node:fs";
import { Socket } from "node:net";

const path = process.env["PLANWRIGHT_TEST_CONNECTIONS"];
const isDenied = process.env["PLANWRIGHT_TEST_CONNECTIONS_DENIED"] !== undefined;
const note = (line: string) => path !== undefined && appendFileSync(path, `${line}\n`);

type Place = { readonly host?: string; readonly port?: number | string; readonly path?: string };
type Way = dgram.Socket | Socket;

/** `net.connect` passes its arguments on as one list. */
function placeOf(given: readonly unknown[]): Place {
  const [first, second] = Array.isArray(given[0]) ? (given[0] as readonly unknown[]) : given;
  if (typeof first === "object" && first !== null) return first;
  if (typeof first === "string" && !/^\d+$/.test(first)) return { path: first };
  return { port: first as number, ...(typeof second === "string" && { host: second }) };
}

function noteBefore(holder: Way, name: string, textOf: (given: readonly unknown[]) => string): void {
  const original = Reflect.get(holder, name) as (...given: unknown[]) => unknown;
  Reflect.set(holder, name, function counted(this: Way, ...given: unknown[]): unknown {
    const text = textOf(given);
    note(text);
    if (!isDenied || text.startsWith("socket ")) return Reflect.apply(original, this, given);
    const refused = Object.assign(new Error(`${text} is denied`), { code: "ECONNREFUSED" });
    process.nextTick(() => (this instanceof Socket ? this.destroy(refused) : this.emit("error", refused)));
    return this;
  });
}

noteBefore(Socket.prototype, "connect", (given) => {
  const { host = "localhost", port, path: socket } = placeOf(given);
  return socket === undefined ? `${host}:${port}` : `socket ${socket}`;
});
for (const name of ["connect", "send"]) noteBefore(dgram.Socket.prototype, name, () => "a datagram");
