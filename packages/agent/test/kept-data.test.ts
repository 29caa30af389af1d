import { describe, expect, test } from "vitest";
import { type AgentHandlers, createMemoryLog, type SessionLog } from "../src/index.js";
import { clientInfo, connectAs, openAs } from "./raw-client.js";

const place = { cwd: "/work", mcpServers: [] };
const hello = { protocolVersion: 1, clientInfo };

/** An agent that counts its prompts. The handlers of a restore may lack what they should return. */
const counting = (log: SessionLog, seen: unknown[] = []): Partial<AgentHandlers<any>> => ({
  log,
  newSession: () => ({ data: { count: 0 } }),
  prompt({ session }) {
    if (session.data) session.data.count += 1;
    seen.push(session.data && { ...session.data });
  },
});

/** Runs two prompts in a new session. Returns its log and its id. */
async function stored() {
  const log = createMemoryLog();
  const { client, served, sessionId } = await openAs(hello, counting(log));
  await client.ask(sessionId);
  await client.ask(sessionId);
  await client.close();
  await served.closed;
  return { log, sessionId };
}

/** Restores a session, and runs a prompt if the restore succeeds. */
async function restored(log: SessionLog, sessionId: string, handlers: Partial<AgentHandlers<any>> = {}) {
  const seen: unknown[] = [];
  const { client, served, diagnostics } = await connectAs(hello, { ...counting(log, seen), ...handlers });
  const { error } = await client.request("session/load", { sessionId, ...place });
  if (error === undefined) await client.ask(sessionId);
  await client.close();
  await served.closed;
  return { data: seen[0], error, messages: diagnostics.map(({ message }) => message) };
}

describe("defect N21: a restoreSession that returns no data", () => {
  test.each<[string, () => unknown]>([
    ["nothing", () => undefined],
    ["only lists", () => ({ availableCommands: [] })],
  ])("keeps the stored data in session.data and in the log, and is reported: %s", async (_, restoreSession) => {
    const { log, sessionId } = await stored();
    const { data, messages } = await restored(log, sessionId, { restoreSession: restoreSession as never });
    expect(data).toEqual({ count: 3 });
    expect(messages).toEqual([
      expect.stringMatching(/restoreSession returned no data.*Return \{ data: request.data \}/),
    ]);
    expect(await restored(log, sessionId)).toEqual({ data: { count: 4 }, error: undefined, messages: [] });
  });

  test("of another version refuses the restore, and the log keeps the data", async () => {
    const { log, sessionId } = await stored();
    const { error, messages } = await restored(log, sessionId, { restoreSession: () => undefined, dataVersion: 2 });
    expect(error).toMatchObject({
      code: -32603,
      data: { details: expect.stringContaining("version 1; the agent has 2") },
    });
    expect(messages.join()).toContain("restoreSession returned no data");
    expect((await restored(log, sessionId)).data).toEqual({ count: 3 });
  });

  test("is no report if the handler removes the data, or returns other data", async () => {
    const { log, sessionId } = await stored();
    const other = await restored(log, sessionId, { restoreSession: () => ({ data: { count: 9 } }) });
    expect(other).toEqual({ data: { count: 10 }, error: undefined, messages: [] });
    const none = await restored(log, sessionId, { restoreSession: () => ({ data: undefined }) });
    expect(none).toEqual({ data: undefined, error: undefined, messages: [] });
    expect((await restored(log, sessionId)).data).toEqual({ count: 1 });
  });
});

test("defect N21: a newSession that returns no data leaves the stored data of another version in the log", async () => {
  const { log, sessionId } = await stored();
  const { data, messages } = await restored(log, sessionId, { newSession: () => undefined, dataVersion: 2 });
  expect(data).toBeUndefined();
  expect(messages.join()).toContain("Stored data of version 1 was not used");
  expect((await restored(log, sessionId)).data).toEqual({ count: 3 });
});
