/** The most that one message may take, in bytes; as much as one over stdio. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

const LINE_FEED = 10;

/**
 * `fetch` whose answers cannot fill the memory: a body is cut off with an error above {@link MAX_MESSAGE_BYTES}, of an event
 * stream, which may go on for days, each line.
 */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const { status, statusText, headers } = response;
  const bounded = new Response(response.body.pipeThrough(limiter(isStream ? "line" : "body")), {
    status,
    statusText,
    headers,
  });
  // A made response has no URL of its own, which readers of redirects look at.
  Object.defineProperty(bounded, "url", { value: response.url });
  return bounded;
}

function limiter(of: "line" | "body"): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const end = of === "line" ? chunk.lastIndexOf(LINE_FEED) : -1;
      length = end < 0 ? length + chunk.length : chunk.length - end - 1;
      if (length > MAX_MESSAGE_BYTES) {
        controller.error(new Error(`a message is larger than ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB`));
      } else controller.enqueue(chunk);
    },
  });
}
