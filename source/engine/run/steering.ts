/** Commands to the program that executes tasks: this program, another program by its socket, or workers through their Redis. */
export type Steering =
  | { readonly do: "pause" | "resume" }
  /** `run`: only this run of a cell. */
  | { readonly do: "stop"; readonly run?: string }
  /** Most tasks at once. */
  | { readonly do: "concurrency"; readonly to: number };

/** A message to another program; `follow` reports a viewer, so that text is sent as it is streamed. */
export type SteeringMessage = Steering | { readonly do: "follow" };

type Steered = {
  pause(): void;
  resume(): void;
  stop(): void;
  setConcurrency(concurrency: number): void;
};

export function steer(steered: Steered, request: Steering): void {
  if (request.do === "concurrency") steered.setConcurrency(request.to);
  else steered[request.do]();
}
