/** Lines out of a socket. */
import type { Socket } from "node:net";
import { longestMessage } from "./session-message.ts";

/** Calls `take` with every whole line that comes; ends a connection that sends a line without end. */
export function onLines(socket: Socket, take: (line: string) => void): void {
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    if (rest.length > longestMessage) socket.destroy();
    for (const line of lines) take(line);
  });
}
