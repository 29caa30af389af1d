import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { defaultUsage, type Failure, type Frames, type Part, type ReceivedRequest, type Step } from "./step.js";
import { anthropicMessages } from "./wire/anthropic-messages.js";
import { chatCompletions } from "./wire/chat-completions.js";
import { googleGenerateContent } from "./wire/google-generate-content.js";
import { openaiResponses } from "./wire/openai-responses.js";
import type { Ending, ServerSentEvent, SpokenPart, StreamWriter, Wire } from "./wire/wire.js";

/** A list, one step for each request; or a rule, for programs that ask in an order of their own. */
export type Script = readonly Step[] | ((request: ReceivedRequest, index: number) => Step);

/** The stand-in for a model's provider. */
export interface ModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly origin: string;
  /** The base URL of every format but Google's: the origin and `/v1`. */
  readonly url: string;
  /** All requests for answers, in the order in which they came. */
  readonly requests: readonly ReceivedRequest[];
  /** Settles when request number `index` (from 0) is there. */
  request(index: number): Promise<ReceivedRequest>;
  close(): Promise<void>;
}

type Pages = Readonly<Record<string, unknown>>;
type Plan = Iterable<Part> | AsyncIterable<Part>;

const wires: readonly Wire[] = [chatCompletions, openaiResponses, anthropicMessages, googleGenerateContent];

/**
 * Listens on a free port of this machine, and answers each request by its script in the format of the path that was
 * asked. A request that the script has no step for is an error 501, so that a test which asks too often fails.
 *
 * @param pages answers to GET requests by path, such as a list of models
 */
export async function createModelServer(script: Script, pages: Pages = {}): Promise<ModelServer> {
  const requests: ReceivedRequest[] = [];
  const waiting: { readonly index: number; resolve(request: ReceivedRequest): void }[] = [];
  const server = createServer((incoming, outgoing) => {
    receive(incoming, outgoing, pages)
      .then((request) => {
        if (!request) return;
        const index = requests.push(request) - 1;
        for (const waiter of waiting) if (waiter.index === index) waiter.resolve(request);
        const step = typeof script === "function" ? script(request, index) : script[index];
        return respond(outgoing, request, step ?? { status: 501, message: `The script has no step ${index}.` });
      })
      .catch((error: unknown) => {
        // A step that throws must not look like an answer.
        if (!outgoing.headersSent) outgoing.writeHead(500).end(String(error));
        else outgoing.destroy();
      });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  return {
    origin,
    url: `${origin}/v1`,
    requests,
    request: (index) =>
      new Promise((resolve) => {
        const request = requests[index];
        if (request) resolve(request);
        else waiting.push({ index, resolve });
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function receive(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  pages: Pages,
): Promise<ReceivedRequest | undefined> {
  const { pathname: path, searchParams } = new URL(incoming.url ?? "/", "http://stand-in");
  if (incoming.method === "GET" && pages[path] !== undefined) {
    outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(pages[path]));
    return undefined;
  }
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
  const wire = wires.find((candidate) => candidate.matches(path));
  if (!wire || incoming.method !== "POST") {
    outgoing.writeHead(404, { "content-type": "application/json" }).end('{"error":{"message":"No such path."}}');
    return undefined;
  }
  const body = JSON.parse(text);
  const { headers } = incoming;
  const bearer = headers.authorization?.replace(/^Bearer /, "");
  const key = bearer ?? headers["x-api-key"] ?? headers["x-goog-api-key"] ?? searchParams.get("key");
  const over = new Promise<"answered" | "dropped">((resolve) => {
    outgoing.once("close", () => resolve(outgoing.writableFinished ? "answered" : "dropped"));
  });
  return { wire: wire.name, path, headers, body, ...wire.read(body, path), key: key?.toString(), over };
}

async function respond(outgoing: ServerResponse, request: ReceivedRequest, step: Step): Promise<void> {
  const plan = typeof step === "function" ? step(request) : step;
  const wire = wires.find(({ name }) => name === request.wire) as Wire;
  if ("frames" in plan) {
    outgoing.writeHead(200, { "content-type": "text/event-stream" }).end(plan.frames);
    return;
  }
  if (isFailure(plan)) return refuse(outgoing, wire, plan);
  if (request.streams) return stream(outgoing, wire.stream(request.model), plan);
  const parts: SpokenPart[] = [];
  for await (const part of untilEnd(plan)) {
    if (part.type === "cut") return cutOff(outgoing);
    if (part.type === "end") {
      outgoing.writeHead(200, { "content-type": "application/json" });
      outgoing.end(JSON.stringify(wire.whole(request.model, parts, part)));
    } else parts.push(part);
  }
}

async function stream(outgoing: ServerResponse, writer: StreamWriter, plan: Plan): Promise<void> {
  const write = (events: readonly ServerSentEvent[]) => {
    for (const { event, data } of events) {
      const text = typeof data === "string" ? data : JSON.stringify(data);
      outgoing.write(`${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`);
    }
  };
  for await (const part of untilEnd(plan)) {
    if (outgoing.destroyed) return;
    if (part.type === "cut") return cutOff(outgoing);
    if (!outgoing.headersSent) {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      write(writer.start());
    }
    if (part.type === "end") {
      write(writer.end(part));
      outgoing.end();
    } else write(writer.part(part));
  }
}

/** The parts of an answer up to its end or its cut, whichever it has. */
async function* untilEnd(plan: Plan): AsyncGenerator<SpokenPart | { type: "cut" } | ({ type: "end" } & Ending)> {
  let reason: Ending["reason"] = "stop";
  for await (const part of plan) {
    if (part.type === "finish") {
      yield { type: "end", reason: part.reason, usage: { ...defaultUsage, ...part.usage } };
      return;
    }
    yield part;
    if (part.type === "cut") return;
    if (part.type === "call") reason = "calls";
  }
  yield { type: "end", reason, usage: defaultUsage };
}

/** Ends the connection after what was written, without the end that the format demands. */
function cutOff(outgoing: ServerResponse): void {
  if (outgoing.headersSent) outgoing.socket?.destroySoon();
  else outgoing.destroy();
}

function refuse(outgoing: ServerResponse, wire: Wire, failure: Failure): void {
  outgoing.writeHead(failure.status, {
    "content-type": "application/json",
    ...(failure.retryAfter === undefined ? {} : { "retry-after": failure.retryAfter }),
  });
  outgoing.end(JSON.stringify(wire.error(failure)));
}

function isFailure(step: Exclude<Step, Frames | ((...args: never[]) => unknown)>): step is Failure {
  return "status" in step;
}
