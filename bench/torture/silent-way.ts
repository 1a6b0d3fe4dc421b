/** A way to a server that can go silent, as a network does that is cut: its connections stay open, and nothing passes. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type OwnRedis, ownRedis } from "../../source/engine/settings/own-redis.ts";

export class SilentWay implements Disposable {
  readonly url: OwnRedis;
  readonly #sockets: Set<Socket>;
  readonly #close: () => void;
  readonly #state: { silent: boolean };

  private constructor(port: number, sockets: Set<Socket>, state: { silent: boolean }, close: () => void) {
    this.url = ownRedis(`redis://127.0.0.1:${port}`, {});
    this.#sockets = sockets;
    this.#state = state;
    this.#close = close;
  }

  static async to(url: OwnRedis): Promise<SilentWay> {
    const sockets = new Set<Socket>();
    const state = { silent: false };
    const server = createServer((near) => {
      const far = connect(Number(new URL(url).port), "127.0.0.1");
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from);
        from.on("data", (data) => to.write(data));
        from.once("close", () => (sockets.delete(from), to.destroy()));
        from.on("error", () => {});
        if (state.silent) from.pause();
      }
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return new SilentWay((server.address() as AddressInfo).port, sockets, state, () => server.close());
  }

  silence(): void {
    this.#state.silent = true;
    for (const socket of this.#sockets) socket.pause();
  }
  resume(): void {
    this.#state.silent = false;
    for (const socket of this.#sockets) socket.resume();
  }

  [Symbol.dispose](): void {
    this.#close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
