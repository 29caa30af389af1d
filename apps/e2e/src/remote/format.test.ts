import { MessageChannel, type MessagePort } from "node:worker_threads";
import { type AgentHandlers, createAgent, outgoingContracts as fromAgent } from "@turnkit/agent";
import { allowOnce, connectWith, outgoingContracts as fromClient } from "@turnkit/client";
import type { Channel, Message } from "@turnkit/transport";
import { createMemoryPair, createMessageStreamChannel } from "@turnkit/transport/channels";
import { tapChannel } from "@turnkit/transport/trace";
import { describe, expect, it } from "vitest";
import { only } from "../kit/only.js";
import { remoteTransports, type Serve } from "./transports.js";

const info = { name: "format", version: "1.0.0" };

const handlers: AgentHandlers = {
  info,
  newSession() {},
  async prompt(turn) {
    turn.say("Let me see.");
    const allowed = await turn.toolCall({ title: "Dig", kind: "execute" }).ask();
    turn.say(allowed ? "dug" : "left");
  },
};

/** A custom transport: a message of a worker's port is a message of the protocol, as text; "" is the end. */
function portChannel(port: MessagePort): Channel {
  const readable = new ReadableStream<unknown>({
    start(controller) {
      port.on("message", (text: string) => {
        if (text !== "") return controller.enqueue(JSON.parse(text));
        controller.close();
        port.close();
      });
    },
    cancel: () => port.close(),
  });
  const writable = new WritableStream<Message>({
    write: (message) => port.postMessage(JSON.stringify(message)),
    close: () => port.postMessage(""),
  });
  return createMessageStreamChannel({ readable, writable });
}

const custom = async (serve: Serve): Promise<Channel> => {
  const { port1, port2 } = new MessageChannel();
  serve(portChannel(port1));
  return portChannel(port2);
};

const memory = async (serve: Serve): Promise<Channel> => {
  const [one, other] = createMemoryPair();
  serve(one);
  return other;
};

type Crossed = {
  readonly sent: readonly unknown[];
  readonly received: readonly unknown[];
  readonly ends: readonly string[];
};

/** Everything that crosses in a whole life: hello, session, turn with a question, end. Made ids read `id-1`, `id-2`, … */
async function live(transport: typeof memory, dialect: "v1" | "v2"): Promise<Crossed> {
  const sent: unknown[] = [];
  const received: unknown[] = [];
  const served: Promise<{ readonly kind: string }>[] = [];
  const channel = await transport((end) => {
    const one = createAgent(handlers).serve(end, { validateOutgoing: fromAgent });
    served.push(one.closed);
    return one;
  });
  const tapped = tapChannel(channel, (event) => {
    if ("message" in event) (event.direction === "sent" ? sent : received).push(event.message);
  });
  const client = await connectWith(only(dialect), tapped, {
    info,
    permissions: allowOnce,
    validateOutgoing: fromClient,
  });
  const session = await client.newSession({ cwd: "/srv" });
  await session.prompt("go").ended;
  await client.close();
  const ends = [(await client.closed).kind, (await served[0])?.kind ?? "none"];
  const names = new Map<string, string>();
  const named = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value).replaceAll(/[0-9a-f]{8}(-[0-9a-f-]{27}|(?=-\d))/g, (id) => {
        if (!names.has(id)) names.set(id, `id-${names.size + 1}`);
        return names.get(id) as string;
      }),
    );
  return { received: received.map(named), sent: sent.map(named), ends };
}

describe.each(["v1", "v2"] as const)("version %s", (dialect) => {
  it.each(Object.entries({ ...remoteTransports, "a transport of one's own": custom }))(
    "V2-TRA-05, V1-STDIO-11: over %s the same messages cross, from initialize to the end",
    async (_, transport) => {
      const there = await live(memory, dialect);
      expect(await live(transport, dialect)).toEqual(there);
      expect(there.sent[0]).toMatchObject({ jsonrpc: "2.0", method: "initialize" });
      expect(there.received.length).toBeGreaterThan(4);
      for (const message of [...there.sent, ...there.received]) expect(message).toHaveProperty("jsonrpc", "2.0");
      expect(there.ends).toEqual(["local", "remote"]);
    },
  );
});
