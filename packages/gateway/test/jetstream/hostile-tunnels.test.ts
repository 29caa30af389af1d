import type { Channel } from "@turnkit/transport";
import { expect, it } from "vitest";
import type { Messenger } from "../../src/jetstream/messenger.js";
import { Tunnel } from "../../src/jetstream/tunnel.js";
import { encodeCount, encodeFrame, frameKinds } from "../../src/jetstream/tunnel-frame.js";
import { addressOf, callOwner, OwnerTunnels } from "../../src/jetstream/tunnels.js";

const clock = { now: () => 0, after: () => () => undefined };
const address = addressOf("acp", "t-one.0123", 1);

/** Messages in this process. `sent` has the subjects and the messages that were sent. */
function memoryMessenger(answer: object = {}) {
  const listeners = new Map<string, (data: Uint8Array, answer: (data: Uint8Array) => void) => void>();
  const sent: { readonly subject: string; readonly data: Uint8Array }[] = [];
  const messenger: Messenger = {
    maxBytes: 1024 * 1024,
    send: (subject, data) => void sent.push({ subject, data }),
    listen(subject, receive) {
      listeners.set(subject, receive);
      return () => listeners.delete(subject);
    },
    ask: async () => new TextEncoder().encode(JSON.stringify(answer)),
  };
  /** Sends a message of the other side, and returns the answer. */
  const arrive = (subject: string, data: Uint8Array): { readonly to?: string; readonly refused?: string } => {
    let text = "{}";
    listeners.get(subject)?.(data, (bytes) => {
      text = new TextDecoder().decode(bytes);
    });
    return JSON.parse(text) as { readonly to?: string; readonly refused?: string };
  };
  return { messenger, sent, arrive, listeners };
}

const partsOf = (messenger: Messenger) => ({ messenger, clock, ttlMs: 1_000, newName: () => crypto.randomUUID() });

const foreign = [
  "acp.t-one.0.0123.ev",
  "$JS.API.STREAM.PURGE.acp-0",
  `${address}`,
  `${address}.>`,
  `${address}.*`,
  `${address}.a.b`,
  `${address}.`,
  `${address}.a b`,
  `${address}.${"a".repeat(5_000)}`,
  `${address}0.a`,
  "",
];

it("defect N60: an owner sends only to subjects below its address that are short names", () => {
  const { messenger, sent, arrive } = memoryMessenger();
  const tunnels = new OwnerTunnels(partsOf(messenger), address);
  const channels: Channel[] = [];
  tunnels.onConnect((channel) => channels.push(channel));
  for (const to of foreign) {
    const answer = arrive(address, new TextEncoder().encode(JSON.stringify({ to })));
    expect(answer).toEqual({ refused: "The request names no subject below the address." });
  }
  expect([sent.length, channels.length]).toEqual([0, 0]);
  const own = arrive(address, new TextEncoder().encode(JSON.stringify({ to: `${address}.${crypto.randomUUID()}` })));
  expect(own.to).toContain(`${address}.`);
  expect([sent.length, channels.length]).toEqual([1, 1]);
  tunnels.close();
});

it("defect N60: a caller sends only to subjects below the address of the owner", async () => {
  for (const to of [...foreign, 5]) {
    const { messenger, sent, listeners } = memoryMessenger({ to });
    await expect(callOwner(partsOf(messenger), { sessionId: "one", address, patienceMs: 1_000 })).rejects.toThrow(
      "did not take a channel",
    );
    expect([sent.length, listeners.size]).toEqual([0, 0]);
  }
});

/** A tunnel that has begun. `receive` hands it the next frame of the other side. */
function begunTunnel() {
  const { messenger, sent, arrive, listeners } = memoryMessenger();
  const tunnel = new Tunnel({ messenger, clock, from: "here", silenceMs: 1_000 });
  tunnel.begin("there");
  let number = 0;
  const receive = (kind: number, body: Uint8Array = new Uint8Array(0)) =>
    void arrive("here", encodeFrame({ kind, number: number++, body }));
  return { tunnel, sent, receive, isListening: () => listeners.has("here") };
}

const KIB = 1024;

it.each([
  ["of 256 KiB", 256 * KIB, 16],
  ["without a body", 0, 262_144],
])(
  "defect N61: a tunnel ends when more arrives than its window lets the other side send (frames %s)",
  async (_, size, most) => {
    const { tunnel, receive, isListening } = begunTunnel();
    const body = new Uint8Array(size);
    for (let at = 0; at < most; at += 1) receive(frameKinds.data, body);
    expect(isListening()).toBe(true);
    // What this side has read makes room again.
    const reader = tunnel.readable.getReader();
    await reader.read();
    for (let at = 0; at < 3; at += 1) receive(frameKinds.data, body);
    await expect(tunnel.writable.getWriter().write(new Uint8Array(1))).rejects.toThrow("more than its window");
  },
);

it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5, 11, 1e300])(
  "defect N62: a tunnel ends at a count of %s bytes, after 10 were sent",
  async (count) => {
    const { tunnel, receive, isListening } = begunTunnel();
    const writer = tunnel.writable.getWriter();
    await writer.write(new Uint8Array(10));
    receive(frameKinds.read, encodeCount(10));
    receive(frameKinds.read, encodeCount(10));
    expect(isListening()).toBe(true);
    receive(frameKinds.read, encodeCount(count));
    await expect(writer.write(new Uint8Array(1))).rejects.toThrow("count");
  },
);
