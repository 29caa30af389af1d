import type { RemoteServer } from "@turnkit/remote/server";

/** Fault of an otherwise correct server, which exactly one check of the transport finds. */
export type TransportMutant = {
  /** Id of the check. */
  readonly check: string;
  /** Fault of the server, after the words `a server that`. */
  readonly what: string;
  /** Further checks that the same fault breaks. */
  readonly also?: readonly string[];
  readonly wrap: (server: RemoteServer) => RemoteServer;
};

type Asked = { readonly request: Request; readonly body: string };
type Next = (changed?: Request) => Promise<Response>;

/** Returns a wrapper that may answer a request itself, or change it or its answer. */
const fetching =
  (fault: (asked: Asked, next: Next) => Response | Promise<Response>) =>
  (server: RemoteServer): RemoteServer => ({
    ...server,
    upgrade: (request) => server.upgrade(request),
    close: () => server.close(),
    async fetch(request) {
      const body = request.method === "POST" ? await request.clone().text() : "";
      return fault({ request, body }, (changed = request) => server.fetch(changed));
    },
  });

const withHeaders = (request: Request, change: (headers: Headers) => void): Request => {
  const copy = new Request(request, { headers: new Headers(request.headers) });
  change(copy.headers);
  return copy;
};

/** Answers with another status where the server gives one. */
const status = (
  check: string,
  what: string,
  { from, to, fits }: { readonly from: number; readonly to: number; readonly fits: (asked: Asked) => boolean },
  also: readonly string[] = [],
): TransportMutant => ({
  ...{ check, what, also },
  wrap: fetching(async (asked, next) => {
    const answer = await next();
    if (answer.status !== from || !fits(asked)) return answer;
    return new Response(answer.body, { status: to, headers: answer.headers });
  }),
});

const isHello = ({ body }: Asked) => body.includes('"initialize"');
const isPost = ({ request }: Asked) => request.method === "POST";
const isGet = ({ request }: Asked) => request.method === "GET";
const isDelete = ({ request }: Asked) => request.method === "DELETE";
const has = (name: string, { request }: Asked) => request.headers.has(name);
const idOf = ({ request }: Asked) => request.headers.get("Acp-Connection-Id");

const helloAnswer = (
  check: string,
  what: string,
  change: (answer: Response, body: string) => Response,
  also?: readonly string[],
): TransportMutant => ({
  ...{ check, what, ...(also && { also }) },
  wrap: fetching(async (asked, next) => {
    const answer = await next();
    if (!isHello(asked) || answer.status !== 200) return answer;
    return change(answer, await answer.clone().text());
  }),
});

const replaced = (answer: Response, body: string | null, change: (headers: Headers) => void = () => {}): Response => {
  const headers = new Headers(answer.headers);
  headers.delete("content-length");
  change(headers);
  return new Response(body, { status: answer.status, headers });
};

/** Changes the events of streams. */
const events = (
  check: string,
  what: string,
  change: (text: string, isSession: boolean) => string,
  also?: readonly string[],
): TransportMutant => ({
  ...{ check, what, ...(also && { also }) },
  wrap: fetching(async (asked, next) => {
    const answer = await next();
    if (!isGet(asked) || answer.status !== 200 || answer.body === null) return answer;
    const isSession = has("Acp-Session-Id", asked);
    const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
    const body = answer.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (bytes, controller) =>
          controller.enqueue(encoder.encode(change(decoder.decode(bytes, { stream: true }), isSession))),
      }),
    );
    return new Response(body, { status: 200, headers: answer.headers });
  }),
});

const dropping = (fits: (event: string, isSession: boolean) => boolean) => (text: string, isSession: boolean) =>
  text
    .split(/(?<=\n\n)/)
    .filter((event) => !fits(event, isSession))
    .join("");

/** Every fault of a server. */
export const transportMutants: readonly TransportMutant[] = [
  status("TKR-INIT-01", "answers initialize with 201", { from: 200, to: 201, fits: isHello }, [
    "TKR-HTTP2-01",
    "TKR-POST-05",
  ]),
  helloAnswer("TKR-INIT-02", "answers initialize as text", (answer, body) =>
    replaced(answer, body, (headers) => headers.set("content-type", "text/plain")),
  ),
  helloAnswer("TKR-INIT-03", "hides the id of a connection", (answer, body) =>
    replaced(answer, body, (headers) => headers.delete("acp-connection-id")),
  ),
  helloAnswer("TKR-INIT-04", "changes the id of initialize", (answer, body) =>
    replaced(answer, body.replace('"id":77', '"id":78')),
  ),
  {
    check: "TKR-INIT-05",
    what: "gives every connection the same id",
    wrap(server) {
      let first: string | null = null;
      let wasHello = false;
      return fetching(async (asked, next) => {
        const answer = await next();
        const isAgain = wasHello;
        wasHello = isHello(asked) && answer.status === 200;
        if (!wasHello) return answer;
        if (!isAgain) first = answer.headers.get("acp-connection-id");
        const id = first;
        if (!isAgain || id === null) return answer;
        return replaced(answer, await answer.text(), (headers) => headers.set("acp-connection-id", id));
      })(server);
    },
  },
  status("TKR-INIT-06", "takes initialize twice", {
    from: 400,
    to: 202,
    fits: (asked) => isHello(asked) && has("Acp-Connection-Id", asked),
  }),
  status(
    "TKR-POST-01",
    "answers requests with 200",
    {
      from: 202,
      to: 200,
      fits: ({ body }) => body.includes("session/new"),
    },
    ["TKR-STREAM-07"],
  ),
  {
    check: "TKR-POST-02",
    what: "answers 202 with a body",
    wrap: fetching(async (asked, next) => {
      const answer = await next();
      return isPost(asked) && answer.status === 202 ? replaced(answer, "accepted") : answer;
    }),
  },
  {
    check: "TKR-POST-03",
    what: "takes a body of any type",
    wrap: fetching(({ request }, next) =>
      next(
        request.headers.get("content-type") === "text/plain"
          ? withHeaders(request, (headers) => headers.set("content-type", "application/json"))
          : request,
      ),
    ),
  },
  status("TKR-POST-04", "answers a body without a type with 400", {
    from: 415,
    to: 400,
    fits: (asked) => !asked.request.headers.get("content-type")?.startsWith("text/plain"),
  }),
  status("TKR-POST-05", "refuses parameters of a type", {
    from: 200,
    to: 415,
    fits: ({ request }) => request.headers.get("content-type")?.includes("charset") === true,
  }),
  status("TKR-POST-06", "answers a request without a connection with 404", {
    from: 400,
    to: 404,
    fits: (asked) => isPost(asked) && idOf(asked) === null,
  }),
  status("TKR-POST-07", "answers an unknown connection with 400", {
    from: 404,
    to: 400,
    fits: (asked) => isPost(asked) && idOf(asked) === "turnkit-unknown",
  }),
  status("TKR-POST-08", "takes a prompt without a session", {
    from: 400,
    to: 202,
    fits: ({ body }) => body.includes("session/prompt"),
  }),
  status("TKR-POST-09", "does not compare sessions", {
    from: 400,
    to: 202,
    fits: ({ body }) => body.includes("conf-one"),
  }),
  status("TKR-POST-10", "needs a session for every notification", {
    from: 202,
    to: 400,
    fits: ({ body }) => body.includes("$/cancel_request"),
  }),
  status("TKR-POST-11", "takes batches", { from: 400, to: 202, fits: ({ body }) => body.startsWith("[") }),
  {
    check: "TKR-POST-12",
    what: "refuses batches without an error",
    wrap: fetching(async (asked, next) => {
      const answer = await next();
      return asked.body.startsWith("[") ? replaced(answer, "no") : answer;
    }),
  },
  status("TKR-POST-13", "takes a body that is not JSON", {
    from: 400,
    to: 202,
    fits: ({ body }) => body === '{"jsonrpc":',
  }),
  status("TKR-GET-01", "opens the stream of a connection with 202", {
    from: 200,
    to: 202,
    fits: (asked) =>
      isGet(asked) && !has("Acp-Session-Id", asked) && asked.request.headers.get("accept") === "text/event-stream",
  }),
  {
    check: "TKR-GET-02",
    what: "gives streams another type",
    wrap: fetching(async (asked, next) => {
      const answer = await next();
      if (!isGet(asked) || answer.status !== 200) return answer;
      const headers = new Headers(answer.headers);
      headers.set("content-type", "text/plain");
      return new Response(answer.body, { status: 200, headers });
    }),
  },
  {
    check: "TKR-GET-03",
    what: "needs no Accept",
    wrap: fetching((asked, next) =>
      next(
        isGet(asked) && !has("accept", asked)
          ? withHeaders(asked.request, (headers) => headers.set("accept", "text/event-stream"))
          : asked.request,
      ),
    ),
  },
  {
    check: "TKR-GET-04",
    what: "sends events to a reader of JSON",
    wrap: fetching((asked, next) =>
      next(
        asked.request.headers.get("accept") === "application/json"
          ? withHeaders(asked.request, (headers) => headers.set("accept", "text/event-stream"))
          : asked.request,
      ),
    ),
  },
  status("TKR-GET-05", "takes only one type in Accept", {
    from: 200,
    to: 406,
    fits: (asked) => isGet(asked) && asked.request.headers.get("accept")?.includes(",") === true,
  }),
  status("TKR-GET-06", "answers a stream without a connection with 404", {
    from: 400,
    to: 404,
    fits: (asked) => isGet(asked) && idOf(asked) === null,
  }),
  status("TKR-GET-07", "answers a stream of an unknown connection with 400", {
    from: 404,
    to: 400,
    fits: (asked) => isGet(asked),
  }),
  status("TKR-GET-08", "gives a second reader an empty stream", { from: 409, to: 200, fits: isGet }),
  status("TKR-DELETE-01", "answers DELETE with 204", { from: 202, to: 200, fits: isDelete }),
  {
    check: "TKR-DELETE-02",
    what: "keeps a connection after DELETE",
    also: ["TKR-STREAM-08"],
    wrap: fetching((asked, next) => {
      const isKnown = idOf(asked) !== null && idOf(asked) !== "turnkit-unknown";
      return isDelete(asked) && isKnown ? new Response(null, { status: 202 }) : next();
    }),
  },
  status("TKR-DELETE-03", "answers DELETE of nothing with 202", { from: 400, to: 202, fits: isDelete }),
  status("TKR-DELETE-04", "answers DELETE of an unknown connection with 202", { from: 404, to: 202, fits: isDelete }),
  status("TKR-METHOD-01", "answers PUT with 200", {
    from: 405,
    to: 200,
    fits: ({ request }) => request.method === "PUT",
  }),
  {
    check: "TKR-SOCKET-01",
    what: "refuses WebSockets",
    also: ["TKR-SOCKET-02"],
    wrap: (server) => ({
      ...server,
      fetch: (request) => server.fetch(request),
      upgrade: async () => new Response(null, { status: 404 }),
    }),
  },
  {
    check: "TKR-SOCKET-02",
    what: "hides the id of a WebSocket's connection",
    wrap: (server) => ({
      ...server,
      fetch: (request) => server.fetch(request),
      async upgrade(request) {
        const answer = await server.upgrade(request);
        answer.headers.delete("Acp-Connection-Id");
        return answer;
      },
    }),
  },
  {
    check: "TKR-HTTP2-01",
    what: "fails over HTTP/2",
    wrap: fetching(({ request }, next) =>
      request.headers.has("connection") ? next() : new Response(null, { status: 500 }),
    ),
  },
  {
    check: "TKR-ORIGIN-01",
    what: "serves pages of any origin",
    wrap: fetching(({ request }, next) => next(withHeaders(request, (headers) => headers.delete("origin")))),
  },
  events(
    "TKR-STREAM-01",
    "answers session/new nowhere",
    dropping((event, isSession) => !isSession && event.includes('"sessionId"')),
    ["TKR-STREAM-02", "TKR-STREAM-03", "TKR-STREAM-04", "TKR-STREAM-05", "TKR-STREAM-06"],
  ),
  status("TKR-STREAM-02", "opens the stream of a session with 202", {
    from: 200,
    to: 202,
    fits: (asked) => isGet(asked) && has("Acp-Session-Id", asked),
  }),
  events(
    "TKR-STREAM-03",
    "loses updates",
    dropping((event, isSession) => isSession && event.includes('"session/update"')),
  ),
  events(
    "TKR-STREAM-04",
    "loses the answer to a prompt",
    dropping((event, isSession) => isSession && event.includes('"id":500')),
    ["TKR-STREAM-06"],
  ),
  events("TKR-STREAM-05", "sends updates of other sessions", (text, isSession) =>
    isSession ? text.replace(/"sessionId":"[^"]*"/, '"sessionId":"other"') : text,
  ),
  {
    check: "TKR-STREAM-06",
    what: "drops what was said before a stream was opened",
    wrap(server) {
      let isPrompted = false;
      return fetching(async (asked, next) => {
        if (asked.body.includes("session/prompt")) isPrompted = true;
        if (isGet(asked) && has("Acp-Session-Id", asked) && isPrompted)
          return new Response(new ReadableStream({ start: (controller) => controller.close() }), {
            status: 200,
            headers: { "content-type": "text/event-stream" },
          });
        if (isHello(asked)) isPrompted = false;
        return next();
      })(server);
    },
  },
  {
    check: "TKR-STREAM-07",
    what: "ends a connection whose stream is cut",
    wrap(server) {
      const cut = new Set<string | null>();
      return fetching(async (asked, next) => {
        if (cut.has(idOf(asked)) && isPost(asked)) return new Response(null, { status: 404 });
        const answer = await next();
        if (!isGet(asked) || answer.status !== 200 || answer.body === null) return answer;
        const reader = answer.body.getReader();
        const body = new ReadableStream<Uint8Array>({
          async pull(controller) {
            const { done, value } = await reader.read();
            if (done) controller.close();
            else controller.enqueue(value);
          },
          cancel() {
            cut.add(idOf(asked));
            return reader.cancel();
          },
        });
        return new Response(body, { status: 200, headers: answer.headers });
      })(server);
    },
  },
  {
    check: "TKR-STREAM-08",
    what: "keeps streams open after DELETE",
    wrap: fetching(async (asked, next) => {
      const answer = await next();
      if (!isGet(asked) || answer.status !== 200 || answer.body === null) return answer;
      const reader = answer.body.getReader();
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { done, value } = await reader.read();
          if (!done) controller.enqueue(value);
          else await new Promise(() => {});
        },
        cancel: () => reader.cancel(),
      });
      return new Response(body, { status: 200, headers: answer.headers });
    }),
  },
];
