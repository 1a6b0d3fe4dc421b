/** A server in the place of somebody else's Redis, which counts what it is sent and hangs up at the first byte. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

export type Stranger = AsyncDisposable & {
  readonly url: string;
  readonly connections: () => number;
  readonly bytes: () => number;
};

export async function listeningStranger(): Promise<Stranger> {
  let [connections, bytes] = [0, 0];
  const server = createServer((socket) => {
    connections += 1;
    socket.on("error", () => {});
    socket.on("data", (data) => {
      bytes += data.length;
      // Whoever hangs up without a word might be a Redis that is away.
      socket.end("220 stranger\r\n", () => socket.destroy());
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => void (server.close(), await once(server, "close"));
  return { url, connections: () => connections, bytes: () => bytes, [Symbol.asyncDispose]: close };
}
