import * as v1 from "@agentclientprotocol/sdk";
import * as v2 from "@agentclientprotocol/sdk/experimental/v2";
import * as v2Unstable from "@agentclientprotocol/sdk/experimental/v2/unstable";
import * as v1Unstable from "@agentclientprotocol/sdk/unstable";
import type { PreviewFrame } from "./frames.js";

// Finds the values that a program on the official SDK gets. Each frame reaches an app of the SDK over a stream of messages,
// and the handler of the app records its argument.

type Message = Readonly<Record<string, any>>;
type App = {
  onRequest(method: string, handler: (context: { readonly params: unknown }) => unknown): App;
  onNotification(method: string, handler: (context: { readonly params: unknown }) => unknown): App;
  connect(stream: unknown): { readonly [side: string]: unknown };
};
type Entry = { agent(options: object): unknown; client(options: object): unknown };

/** Entries of the official SDK, by version. */
const entries: { readonly [name: string]: { readonly version: 1 | 2; readonly sdk: Entry } } = {
  stable: { version: 2, sdk: v2 as unknown as Entry },
  unstable: { version: 2, sdk: v2Unstable as unknown as Entry },
  "stable, version 1": { version: 1, sdk: v1 as unknown as Entry },
  "unstable, version 1": { version: 1, sdk: v1Unstable as unknown as Entry },
};

/** Names of the entries that read a frame of this version. */
export const entriesOf = (version: 1 | 2): readonly string[] =>
  Object.keys(entries).filter((name) => entries[name]?.version === version);

/** Value that a program gets, `{ refused }` for a refusal, or `{ dropped: true }` if its handler is not called. */
export type Decoded = { readonly value: unknown } | { readonly refused: unknown } | { readonly dropped: true };

/** Sends a frame to a program that was written with an entry of the official SDK, after an exchange of `initialize`. */
export async function decodeByOfficialSdk(name: string, { message, from, call }: PreviewFrame): Promise<Decoded> {
  const { sdk, version } = entries[name] as (typeof entries)[string];
  const there = new TransformStream<Message, Message>();
  const back = new TransformStream<Message, Message>();
  const writer = there.writable.getWriter();
  const reader = back.readable.getReader();
  const send = (frame: Message) => void writer.write({ jsonrpc: "2.0", ...frame });
  const next = async (): Promise<Message> => (await reader.read()).value ?? {};
  let decoded: Decoded = { dropped: true };
  const take = ({ params }: { readonly params: unknown }): unknown => {
    decoded = { value: params };
    return answers[message.method as string] ?? {};
  };
  const { hello, welcome } = introductions[version];
  const app = (from === "agent" ? sdk.client({ name: "peer" }) : sdk.agent({ name: "peer" })) as App;
  const { method } = message;
  if (from === "client" && method !== "initialize") app.onRequest("initialize", () => welcome);
  if (method !== undefined && message.id !== undefined) app.onRequest(method, take);
  else if (method !== undefined) app.onNotification(method, take);
  const connection = app.connect({ readable: there.readable, writable: back.writable });
  const { request } = connection[from === "agent" ? "agent" : "client"] as Requesting;
  const asks = (asked: string, params: unknown) =>
    request.call(connection[from === "agent" ? "agent" : "client"], asked, params);
  if (from === "agent") {
    const agreed = asks("initialize", hello);
    send({ id: (await next()).id, result: welcome });
    await agreed;
  } else if (method !== "initialize") {
    send({ id: "hello", method: "initialize", params: hello });
    await next();
  }
  if (call !== undefined) {
    const asking = asks(call.method, call.params);
    send({ ...message, id: (await next()).id });
    return asking.then(
      (value) => ({ value }),
      (refused: unknown) => ({ refused: errorOf(refused) }),
    );
  }
  send(message);
  // The SDK handles messages in order, and refuses this request of an unknown method.
  send({ id: "after", method: "_after", params: {} });
  for (;;) {
    const answer = await next();
    if (answer.id === message.id && "dropped" in decoded) decoded = { refused: errorOf(answer.error) };
    if (answer.id === "after") return decoded;
  }
}

type Requesting = { request(method: string, params: unknown): Promise<unknown> };

const info = { name: "peer", version: "1.0.0" };
const introductions = {
  1: { hello: { protocolVersion: 1, clientCapabilities: {} }, welcome: { protocolVersion: 1, agentCapabilities: {} } },
  2: {
    hello: { protocolVersion: 2, info, capabilities: {} },
    welcome: { protocolVersion: 2, info, capabilities: { session: {} } },
  },
};

/** Results of handlers, where the SDK requires members. */
const answers: { readonly [method: string]: object } = {
  initialize: introductions[1].welcome,
  "session/prompt": { messageId: "m" },
  "session/request_permission": { outcome: { outcome: "cancelled" } },
};

const errorOf = (error: unknown): object => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return { code, message };
};
