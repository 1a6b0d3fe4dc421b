/** A server in place of another user's Redis; it counts received data and disconnects at the first byte. */
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
      // A silent disconnect would look like a Redis that is away.
      socket.end("220 stranger\r\n", () => socket.destroy());
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => void (server.close(), await once(server, "close"));
  return { url, connections: () => connections, bytes: () => bytes, [Symbol.asyncDispose]: close };
}
