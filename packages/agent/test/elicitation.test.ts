import type { Diagnostic } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { describe, expect, test } from "vitest";
import { type AgentHandlers, type AgentSession, createAgent, type ElicitationQuestion } from "../src/index.js";
import { clientInfo, type Frame, info, openAs, RawClient, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: { elicitation: { form: {}, url: {} } } };
const dialects = [
  ["V1-ELIC-13", v1Hello],
  ["V2-ELI-06", v2Hello],
] as const;

const form: ElicitationQuestion = {
  mode: "form",
  message: "Release?",
  requestedSchema: {
    type: "object",
    properties: {
      version: { type: "string", pattern: "^v\\d+$" },
      count: { type: "integer", minimum: 1, maximum: 3 },
      where: { type: "array", items: { type: "string", enum: ["a", "b"] } },
    },
    required: ["version"],
  },
};
const url: ElicitationQuestion = { mode: "url", message: "Sign in", elicitationId: "e-1", url: "https://x.test/in" };

/** Returns the handler's result for a client's answer. */
async function answered(hello: object, reply: Frame, reported: Diagnostic[] = []): Promise<unknown> {
  const answers: unknown[] = [];
  const { client, sessionId, diagnostics } = await openAs(hello, {
    async prompt(turn) {
      answers.push({ ...(await turn.elicit(form)) });
      turn.say("on");
    },
  });
  client.prompt(sessionId);
  client.reply(await client.call("elicitation/create"), reply);
  await client.update("agent_message_chunk");
  reported.push(...diagnostics);
  return answers[0];
}

describe.each(dialects)("%s: the content of an accepted form is checked again", (id, hello) => {
  test(`${id}: what conforms is handed on`, async () => {
    const content = { version: "v2", count: 3, where: ["b"] };
    expect(await answered(hello, { action: "accept", content })).toEqual({ action: "accept", content });
  });

  test.each<[string, object]>([
    ["nothing", {}],
    ["a field missing", { content: { count: 1 } }],
    ["a pattern broken", { content: { version: "2" } }],
    ["another type", { content: { version: 2 } }],
    ["a bound broken", { content: { version: "v2", count: 4 } }],
    ["what was not offered", { content: { version: "v2", where: ["c"] } }],
  ])(`${id}: %s is no consent`, async (_, more) => {
    const reported: Diagnostic[] = [];
    expect(await answered(hello, { action: "accept", ...more }, reported)).toEqual({ action: "cancel" });
    // defect S43
    expect(reported).toMatchObject([
      { code: "invalid_message", message: expect.stringContaining("counts as cancelled") },
    ]);
  });
});

describe("secrets", () => {
  test.each([
    ["V1-ELIC-17", { ...v1Hello, clientCapabilities: { elicitation: { form: {} } } }],
    ["V2-ELI-07", { ...v2Hello, capabilities: { elicitation: { form: {} } } }],
  ])("%s: an errand at a URL never becomes a form or chat text where the client has no URLs", async (_, hello) => {
    const errors: unknown[] = [];
    const { client, sessionId } = await openAs(hello, {
      prompt: (turn) => turn.elicit(url).then(undefined, (error) => void errors.push(error.code)),
    });
    const id = client.prompt(sessionId);
    await client.answer(id);
    // Its answer comes behind whatever the turn may have sent.
    await client.newSession();
    expect(errors).toEqual(["capability"]);
    expect(client.received.some(({ method }) => String(method).startsWith("elicitation"))).toBe(false);
    expect(client.text).toBe("");
  });

  test.each([
    ["V1-ELIC-18", v1Hello],
    ["V2-ELI-07", v2Hello],
  ])("%s: a URL with credentials is not sent, and the error does not repeat it", async (_, hello) => {
    const errors: Error[] = [];
    const { client, sessionId } = await openAs(hello, {
      async prompt(turn) {
        for (const bad of ["https://me:s3cret@x.test/in", "https://s3cret@x.test", "HTTPS:me:s3cret@x.test"]) {
          await turn.elicit({ ...url, url: bad }).catch((error) => errors.push(error));
        }
        await turn.elicit({ ...url, url: "https://x.test/@me?mail=a@b.test" });
      },
    });
    client.prompt(sessionId);
    const question = await client.call("elicitation/create");
    expect(question.params.url).toBe("https://x.test/@me?mail=a@b.test");
    expect(errors).toMatchObject(Array(3).fill({ code: "invalid_message" }));
    expect(errors.join()).not.toContain("s3cret");
    client.reply(question, { action: "decline" });
  });
});

describe("whose question it is", () => {
  /** One agent with two clients, each of which has the session `s-0`. */
  async function twoClients(hello: object, restore: string) {
    const sessions: AgentSession[] = [];
    const answers: unknown[] = [];
    const handlers: AgentHandlers = {
      info,
      newSession: () => undefined,
      restoreSession: (_, session) => void sessions.push(session),
      async prompt(turn) {
        answers.push(await turn.elicit(url));
        turn.say("on");
      },
    };
    const agent = createAgent(handlers);
    const clients: RawClient[] = [];
    for (let n = 0; n < 2; n++) {
      const [channel, end] = createMemoryPair();
      agent.serve(channel);
      const client = new RawClient(end);
      await client.result("initialize", hello);
      await client.result(restore, { sessionId: "s-0", cwd: "/work", mcpServers: [] });
      clients.push(client);
    }
    const [asked, other] = clients as [RawClient, RawClient];
    return { sessions, answers, asked, other };
  }

  test.each([
    ["V1-ELIC-20", v1Hello, "session/load"],
    ["V2-ELI-11", v2Hello, "session/resume"],
  ])("%s: it belongs to the connection, not to the session's id", async (_, hello, restore) => {
    const { sessions, answers, asked, other } = await twoClients(hello, restore);
    asked.prompt("s-0");
    const question = await asked.call("elicitation/create");
    // Somebody else who knows the session's id, and guesses the question's.
    other.reply(question, { action: "accept" });
    other.cancel("s-0");
    await other.newSession();
    expect(answers).toEqual([]);
    asked.reply(question, { action: "accept" });
    await asked.update("agent_message_chunk");
    expect(answers).toEqual([{ action: "accept" }]);
    // The end is told to whoever was asked, once.
    for (const session of [...sessions].reverse()) session.completeElicitation("e-1");
    sessions[0]?.completeElicitation("e-1");
    await Promise.all([asked.newSession(), other.newSession()]);
    const seen = (client: RawClient) => client.received.filter(({ method }) => method === "elicitation/complete");
    expect(seen(asked)).toMatchObject([{ params: { elicitationId: "e-1" } }]);
    expect(seen(other)).toEqual([]);
    await Promise.all([asked.close(), other.close()]);
  });
});
