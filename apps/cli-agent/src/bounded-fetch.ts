/** Largest message in bytes. The bound for stdio is the same. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Fetches a URL with a bound on the use of memory. An answer that is larger than {@link MAX_MESSAGE_BYTES} fails. An
 * event stream may last for days, so the bound applies to each event.
 */
export async function boundedFetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const { status, statusText, headers } = response;
  const limited = response.body.pipeThrough(limiter(isStream ? createEventCounter() : createByteCounter()));
  const bounded = new Response(limited, { status, statusText, headers });
  // A constructed `Response` has no URL, but checks of redirects need the URL.
  Object.defineProperty(bounded, "url", { value: response.url });
  return bounded;
}

function limiter(count: (chunk: Uint8Array) => number): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      if (count(chunk) > MAX_MESSAGE_BYTES) {
        controller.error(new Error(`a message is larger than ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB`));
      } else controller.enqueue(chunk);
    },
  });
}

function createByteCounter(): (chunk: Uint8Array) => number {
  let length = 0;
  return (chunk) => (length += chunk.length);
}

/**
 * Returns a function that gets the chunks of a stream. For each chunk, it returns the size of the longest event in
 * bytes. The part of an event in earlier chunks counts too. The client stores all lines of an event until an empty line
 * ends the event. A line ends with CR, LF or both.
 */
function createEventCounter(): (chunk: Uint8Array) => number {
  let length = 0;
  let isLineEmpty = true;
  let previous = LINE_FEED;
  return (chunk) => {
    let longest = 0;
    for (const byte of chunk) {
      length += 1;
      const isSecondOfPair = byte === LINE_FEED && previous === CARRIAGE_RETURN;
      previous = byte;
      if (isSecondOfPair) continue;
      const isLineEnd = byte === LINE_FEED || byte === CARRIAGE_RETURN;
      longest = Math.max(longest, length);
      if (isLineEnd && isLineEmpty) length = 0;
      isLineEmpty = isLineEnd;
    }
    return longest;
  };
}
