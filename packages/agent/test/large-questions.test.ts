import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, test, vi } from "vitest";
import { createAgent, createMemoryLog, type Diagnostic, type ElicitationQuestion, type Turn } from "../src/index.js";
import { clientInfo, everything, info, RawClient, seedHello, v2Hello } from "./raw-client.js";

// Megabytes are written and read here, on whatever machine.
vi.setConfig({ testTimeout: 60_000 });

const long = "x".repeat(33 * 1024 * 1024);
const form: ElicitationQuestion = { mode: "form", message: long, requestedSchema: { type: "object", properties: {} } };
const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: { ...everything, elicitation: { form: {} } } };
const dialects = [
  ["v1", v1Hello],
  ["v2", v2Hello],
  ["seed", seedHello],
] as const;

/** Asks in a prompt, and returns the answer with what was reported, sent and stored. */
async function asked(hello: object, ask: (turn: Turn) => Promise<unknown>) {
  const log = createMemoryLog();
  const diagnostics: Diagnostic[] = [];
  const answers: unknown[] = [];
  const [channel, end] = createMemoryPair();
  const agent = createAgent({
    info,
    log,
    newSession() {},
    async prompt(turn) {
      answers.push({ ...((await ask(turn)) as object) }, turn.session.state.pendingPermissions.length);
      turn.say("on");
    },
  });
  agent.serve(channel, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
  const client = new RawClient(end);
  await client.request("initialize", hello);
  const sessionId = await client.newSession();
  client.prompt(sessionId);
  await client.update("agent_message_chunk");
  let stored = 0;
  for await (const event of log.read(sessionId)) stored += JSON.stringify(event).length;
  await client.close();
  const requests = client.received.filter(({ method }) => /permission|elicitation/.test(String(method)));
  return { answers, diagnostics, requests, stored };
}

test.each(dialects)("defect B13: a permission question that is too large is a reported no (%s)", async (_, hello) => {
  const { answers, diagnostics, requests, stored } = await asked(hello, (turn) =>
    turn.toolCall({ title: "Run", kind: "execute" }).requestPermission({ title: long }),
  );
  expect(answers).toEqual([{ allowed: false }, 0]);
  expect(requests).toEqual([]);
  expect(stored).toBeLessThan(10_000);
  const message = expect.stringMatching(/^A permission question failed, and counts as cancelled: .* Ask with less\.$/);
  expect(diagnostics).toMatchObject([
    { code: "outgoing_invalid", message, error: { code: "too_large" } },
    { code: "unfinished" },
  ]);
});

test.each(dialects)("a permission question that cannot be read is a reported no (%s)", async (_, hello) => {
  const unreadable = () => {
    throw new Error("no");
  };
  const question = Object.defineProperty({ title: "x" }, "description", {
    enumerable: true,
    get: unreadable,
  });
  const { answers, diagnostics, requests } = await asked(hello, (turn) => turn.requestPermission(question as never));
  expect(answers).toEqual([{ allowed: false }, 0]);
  expect(requests).toEqual([]);
  expect(diagnostics).toMatchObject([{ message: "no. The question of turn.requestPermission counts as refused." }]);
});

test.each(dialects.slice(0, 2))(
  "defect B13: an elicitation that is too large is a reported cancel (%s)",
  async (_, hello) => {
    const { answers, diagnostics, requests, stored } = await asked(hello, (turn) => turn.elicit(form));
    expect(answers).toEqual([{ action: "cancel" }, 0]);
    expect(requests).toEqual([]);
    expect(stored).toBeLessThan(10_000);
    const message = expect.stringMatching(/^An elicitation failed, and counts as cancelled: .* Ask with less\.$/);
    expect(diagnostics).toMatchObject([{ code: "outgoing_invalid", message, error: { code: "too_large" } }]);
  },
);

test("defect B13: an elicitation of a call without a session is reported, too", async () => {
  const [channel, end] = createMemoryPair();
  const diagnostics: Diagnostic[] = [];
  const agent = createAgent({
    info,
    async newSession(_place, _session, call) {
      expect(await call.elicit(form)).toEqual({ action: "cancel" });
    },
    prompt() {},
  });
  agent.serve(channel, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
  const client = new RawClient(end);
  await client.request("initialize", v1Hello);
  await client.newSession();
  await client.close();
  expect(diagnostics).toMatchObject([{ code: "outgoing_invalid", error: { code: "too_large" } }]);
});
