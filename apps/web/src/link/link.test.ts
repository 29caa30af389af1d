import type { Channel } from "@turnkit/client";
import { createMemoryPair } from "@turnkit/transport/channels";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLink } from "./link.js";
import type { PageServer } from "./page-server.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Server whose answers a test sets. Each open connection can be ended. */
function fakeServer(answers: Partial<PageServer> = {}) {
  const sides: Channel[] = [];
  const logins: string[] = [];
  let tellState: Parameters<PageServer["open"]>[0] = () => undefined;
  const server: PageServer = {
    async login(token) {
      logins.push(token);
      return true;
    },
    settings: async () => ({ folder: "/work" }),
    files: async () => [],
    hasFolder: async () => true,
    async open(onState) {
      tellState = onState;
      const [ours, theirs] = createMemoryPair();
      theirs.start({
        message(message) {
          const { id, method } = message as { readonly id: number; readonly method: string };
          const info = { name: "agent", version: "1.0.0" };
          if (method === "initialize")
            theirs.send({ jsonrpc: "2.0", id, result: { protocolVersion: 2, capabilities: {}, info } });
        },
        invalidLine() {},
      });
      sides.push(theirs);
      return ours;
    },
    ...answers,
  };
  return { server, sides, logins, tellState: (...given: Parameters<typeof tellState>) => tellState(...given) };
}

it("logs in with the token once, opens, and tells each change", async () => {
  const { server, sides, logins } = fakeServer();
  const link = createLink(server, "a token");
  const seen: string[] = [];
  link.subscribe(() => seen.push(link.state.status));
  expect(link.state.status).toBe("connecting");
  await vi.waitUntil(() => link.state.status === "open");
  expect(link.state).toMatchObject({ settings: { folder: "/work" } });
  await sides[0]?.close();
  await vi.waitUntil(() => link.state.status === "lost");
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitUntil(() => link.state.status === "open");
  expect([logins, seen]).toEqual([["a token"], ["open", "lost", "open"]]);
});

it("without a valid cookie it is locked, and asks for no connection", async () => {
  const { server, sides } = fakeServer({ settings: async () => undefined });
  const link = createLink(server);
  await vi.waitUntil(() => link.state.status === "locked");
  await vi.advanceTimersByTimeAsync(60_000);
  expect([link.state.status, sides.length]).toEqual(["locked", 0]);
});

it("a server that does not answer is tried again after 1, 2, 4 and at most 30 seconds, or at once by a click", async () => {
  const tries: number[] = [];
  const { server } = fakeServer({
    async settings() {
      tries.push(Date.now());
      throw new Error("no route");
    },
  });
  const link = createLink(server);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(link.state).toMatchObject({ status: "lost", message: "no route" });
  const gaps = tries.slice(1).map((at, index) => (at - (tries[index] as number)) / 1_000);
  expect(gaps.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 30, 30]);
  const before = tries.length;
  link.retry();
  link.retry();
  await vi.advanceTimersByTimeAsync(0);
  expect(tries.length).toBe(before + 1);
});

it("after a loss, the old client stays readable until the new one is there", async () => {
  const { server, sides } = fakeServer();
  const link = createLink(server);
  await vi.waitUntil(() => link.state.status === "open");
  const { client } = link.state;
  await sides[0]?.close();
  await vi.waitUntil(() => link.state.status === "lost");
  expect(link.state.client).toBe(client);
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitUntil(() => link.state.status === "open");
  expect(link.state.client).not.toBe(client);
});

it("a cut that heals by itself is told, and changes no client", async () => {
  const { server, tellState } = fakeServer();
  const link = createLink(server);
  await vi.waitUntil(() => link.state.status === "open");
  tellState({ status: "reconnecting", message: "The network is away." } as never);
  expect(link.state).toMatchObject({ status: "open", cut: "The network is away." });
  tellState({ status: "connected" } as never);
  expect(link.state).toMatchObject({ status: "open", cut: undefined });
});

it("the frames of each connection are kept, the first one included", async () => {
  const { server, sides } = fakeServer();
  const link = createLink(server);
  await vi.waitUntil(() => link.state.status === "open");
  expect(link.frames.frames).toMatchObject([
    { direction: "sent", message: { method: "initialize" } },
    { direction: "received", message: { result: { protocolVersion: 2 } } },
  ]);
  await sides[0]?.close();
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitUntil(() => sides.length === 2 && link.state.status === "open");
  expect(link.frames.frames.length).toBe(4);
});

it("defect E7: a server that no longer knows this browser locks the page in a cut, and a later login opens it again", async () => {
  let settings: { readonly folder: string } | undefined = { folder: "/work" };
  const { server, sides, tellState } = fakeServer({ settings: async () => settings });
  const link = createLink(server);
  await vi.waitUntil(() => link.state.status === "open");
  const { client } = link.state;
  tellState({ status: "reconnecting", message: "The network is away." } as never);
  await vi.advanceTimersByTimeAsync(0);
  expect(link.state).toMatchObject({ status: "open", cut: "The network is away." });
  settings = undefined;
  tellState({ status: "reconnecting", message: "The network is away." } as never);
  await vi.waitUntil(() => link.state.status === "locked");
  expect(link.state.client).toBe(client);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([link.state.status, sides.length]).toEqual(["locked", 1]);
  link.retry();
  await vi.advanceTimersByTimeAsync(0);
  expect([link.state.status, link.state.client]).toEqual(["locked", client]);
  settings = { folder: "/work" };
  link.retry();
  await vi.waitUntil(() => link.state.status === "open");
  link.retry();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([link.state.status, sides.length]).toEqual(["open", 2]);
});
