/**
 * A fetch whose bodies end, with an error, after so many bytes: a server elsewhere may send without end. It follows nobody to
 * another address, where headers with keys would go with it. `exceeded` is called where a body was too long: who reads a stream of
 * events may take its end for one that can be taken up again.
 */
export function boundedFetch(most: number, exceeded: () => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "error" });
    if (response.body === null) return response;
    let size = 0;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length;
        if (size <= most) return controller.enqueue(chunk);
        controller.error(new Error(`Expected a reply of at most ${most} bytes, got more`));
        exceeded();
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bounded), { status, statusText, headers });
  };
}
