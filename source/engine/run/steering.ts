/** What whoever executes tasks can be asked for: this program, another one by its socket, or workers by way of their Redis. */
export type Steering =
  | { readonly do: "pause" | "resume" }
  /** `run`: only this run of a cell. */
  | { readonly do: "stop"; readonly run?: string }
  /** So many tasks at once. */
  | { readonly do: "concurrency"; readonly to: number };

/** A message to another program: also that somebody looks on, so that text is sent as it is streamed. */
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
