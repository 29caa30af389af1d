import { expect, it } from "vitest";
import type { GatewayOptions } from "../src/index.js";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { createLatch } from "./latch.js";
import { type Frame, RawClient } from "./raw-client.js";

const textsOf = (updates: readonly Frame[]): string[] =>
  updates.flatMap(({ content, title, toolCallId }) => {
    const blocks = Array.isArray(content) ? content : [content];
    const texts = blocks.flatMap((block) => (block?.text === undefined ? [] : [block.text]));
    return texts.length > 0 ? texts : toolCallId === undefined ? [] : [title ?? toolCallId];
  });

/** Gateway with a session whose last turn has an unfinished tool call, a terminal and ten answers with a tool call each. */
async function longSession(latch?: { readonly opened: Promise<void> }, options: Partial<GatewayOptions> = {}) {
  const restored: unknown[] = [];
  const served = gatewayOf(
    {
      newSession() {},
      restoreSession: ({ _meta }) => void restored.push(_meta),
      async prompt(turn) {
        const open = turn.toolCall({ title: "open" });
        const terminal = turn.session.terminal({ command: "ls" });
        terminal.write("output of a command that nothing shows");
        terminal.exit({ exitCode: 0 });
        for (let at = 0; at < 10; at++) {
          turn.toolCall({ title: `call ${at}` }).finish();
          await turn.say(`text ${at}`);
        }
        await latch?.opened;
        open.finish();
      },
    },
    options,
  );
  const session = await (await clientOf(served.gateway)).newSession({ cwd: "/work" });
  const turn = session.prompt("Go");
  if (latch === undefined) await turn.ended;
  else await expect.poll(() => session.state.timeline.length).toBe(22);
  return { ...served, restored, session, turn };
}

/** Restores the session with bare messages. */
async function restoreRaw(
  version: 1 | 2,
  { gateway, session }: Awaited<ReturnType<typeof longSession>>,
  newest: unknown,
) {
  const raw = new RawClient(gateway.open({ id: "raw", group: "all" }));
  await raw.initialize(version);
  const { error, result } = await raw.request(version === 1 ? "session/load" : "session/resume", {
    ...{ sessionId: session.id, cwd: "/work", mcpServers: [], replayFrom: { type: "start" } },
    _meta: { "turnkit.newest": newest, other: 1 },
  });
  return { raw, error, result };
}

it.each([1, 2] as const)(
  "SHARE-02 defect E29: a client of version %i that asks for the newest entries gets these, and the number of the others",
  async (version) => {
    const { raw, result } = await restoreRaw(version, await longSession(), 3);
    expect(result._meta).toEqual({ "turnkit.earlier": 19 });
    expect(textsOf(raw.updates)).toEqual(["text 8", "call 9", "text 9"]);
    expect(JSON.stringify(raw.updates)).not.toContain("that nothing shows");
  },
);

it("SHARE-02 defect E29: unfinished work is among the newest entries, however old it is, and its end follows", async () => {
  const latch = createLatch();
  const long = await longSession(latch);
  const { raw } = await restoreRaw(2, long, 3);
  expect(textsOf(raw.updates)).toEqual([
    "Go",
    "open",
    ...Array.from({ length: 8 }, (_, at) => `text ${at}`),
    "text 8",
    "call 9",
    "text 9",
  ]);
  const { toolCallId } = raw.updates.find(({ title }) => title === "open") as Frame;
  latch.open();
  const isEnd = ({ params }: Frame) =>
    params?.update?.toolCallId === toolCallId && params.update.status === "completed";
  expect(await raw.next(isEnd)).toBeDefined();
});

it("SHARE-02 defect E29: a conversation that is shorter than asked for is whole", async () => {
  const { raw, result } = await restoreRaw(2, await longSession(), 22);
  expect(result._meta).toBeUndefined();
  expect(textsOf(raw.updates)).toHaveLength(22);
});

it.each([0, -1, 1.5, "3", null])("SHARE-02 defect E29: %j is no number of entries", async (newest) => {
  const { error } = await restoreRaw(2, await longSession(), newest);
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("turnkit.newest") });
});

it("SHARE-02 defect E29: the wish for the newest entries is not passed to the agent", async () => {
  const long = await longSession(undefined, { onDiagnostic: () => undefined });
  const { raw } = await restoreRaw(2, long, 3);
  await long.agents[0]?.close();
  await raw.request("session/prompt", { sessionId: long.session.id, prompt: [{ type: "text", text: "Again" }] });
  await expect.poll(() => long.restored).toEqual([{ other: 1 }]);
});

it("SHARE-02 defect E29: a client that restores the session again, without the wish, has the whole conversation", async () => {
  const long = await longSession();
  const client = await clientOf(long.gateway);
  const outcome = await client.restore(long.session.id, { cwd: "/work", _meta: { "turnkit.newest": 3 } });
  if (outcome.status === "unavailable") throw outcome.error;
  expect([outcome.session.state.timeline.length, outcome.session._meta]).toEqual([3, { "turnkit.earlier": 19 }]);
  const whole = await attach(client, long.session.id);
  expect([whole.state.timeline.length, whole._meta]).toEqual([22, undefined]);
  expect([...whole.state.timeline].at(-1)?.key).toBe([...outcome.session.state.timeline].at(-1)?.key);
});
