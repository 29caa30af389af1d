import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { Turn } from "../src/index.js";
import { clientInfo, type Frame, openAs, v2Hello } from "./raw-client.js";

const hellos = {
  "version 1": { protocolVersion: 1, clientInfo, clientCapabilities: { elicitation: { form: {} } } },
  "version 2": { ...v2Hello, capabilities: { elicitation: { form: {} } } },
};

const NO = { outcome: { outcome: "selected", optionId: "reject_once" } };
const YES = { outcome: { outcome: "selected", optionId: "allow_once" } };
const NONE = { outcome: { outcome: "cancelled" } };
const question = { title: "rm -rf?" };
const form = { mode: "form", message: "Which?", requestedSchema: { type: "object", properties: {} } } as const;

const isQuestion = ({ method }: Frame) => /request_permission|elicitation.create/.test(method);

const isEnd = ({ result, params }: Frame) =>
  result?.stopReason !== undefined || params?.update?.stopReason !== undefined || params?.update?.state === "idle";

describe.each(Object.entries(hellos))("defect N76: an answer that nobody reads, in %s", (_, hello) => {
  /** Runs one prompt, whose questions get these answers in order. Returns the reports. */
  async function reports(prompt: (turn: Turn) => unknown, ...answers: readonly object[]) {
    const { client, sessionId, diagnostics } = await openAs(hello, {
      prompt: async (turn) => void (await prompt(turn)),
    });
    client.prompt(sessionId);
    const seen = new Set();
    for (const answer of answers) {
      const call = await client.next((frame) => isQuestion(frame) && !seen.has(frame.id));
      seen.add(call.id);
      client.reply(call, answer);
    }
    await client.next(isEnd);
    return diagnostics.filter(({ code }) => code !== "loss").map(({ message }) => message);
  }

  const unread = expect.stringMatching(/^The question .+ was refused, and nobody read the answer.*read `allowed`/);

  test.each([
    ["a refusal", NO],
    ["a cancel", NONE],
  ])("that is used as truth is reported: %s", async (_name, answer) => {
    expect(await reports(async (turn) => (await turn.requestPermission(question)) && turn.say("gone"), answer)).toEqual(
      [unread],
    );
  });

  test("of a form that is used as truth is reported", async () => {
    const decline = { action: "decline" };
    expect(await reports(async (turn) => (await turn.elicit(form)) && turn.say("gone"), decline)).toEqual([unread]);
  });

  test("of a child session is reported", async () => {
    const ask = async (turn: Turn) => {
      const child = turn.session.child("Helper");
      if (await child.requestPermission(question)) child.say("gone");
      child.idle();
    };
    expect(await reports(ask, NO)).toEqual([unread]);
  });

  test("is reported though a later answer was read", async () => {
    const ask = async (turn: Turn) => {
      await turn.requestPermission(question);
      await turn.ask({ title: "Once more?" });
    };
    expect(await reports(ask, NO, NO)).toEqual([unread]);
  });

  test.each<[string, (turn: Turn) => unknown, readonly object[]]>([
    ["allowed", async (turn) => (await turn.requestPermission(question)).allowed, [NO]],
    ["the option", async (turn) => (await turn.requestPermission(question)).option?.optionId, [NO]],
    ["a copy", async (turn) => ({ ...(await turn.requestPermission(question)) }), [NO]],
    ["a log", async (turn) => inspect(await turn.requestPermission(question)), [NO]],
    ["ask", (turn) => turn.ask(question), [NO]],
    ["the action", async (turn) => (await turn.elicit(form)).action, [{ action: "cancel" }]],
    ["an approval that nobody reads", (turn) => turn.requestPermission(question), [YES]],
    [
      "one of several that were open together",
      async (turn) => {
        const answers = await Promise.all([turn.requestPermission(question), turn.requestPermission(question)]);
        return answers.every(({ allowed }) => allowed);
      },
      [NO, NO],
    ],
    ["a race", (turn) => Promise.race([turn.ask(question), undefined]), []],
  ])("is not reported: %s", async (_name, prompt, answers) => {
    expect(await reports(prompt, ...answers)).toEqual([]);
  });

  test("shows a refusal as a plain object, and equals one", async () => {
    const seen: unknown[] = [];
    const ask = async (turn: Turn) => {
      const answer = await turn.requestPermission(question);
      seen.push(inspect(answer), JSON.parse(JSON.stringify(answer)));
      expect(answer).toEqual({ allowed: false });
    };
    await reports(ask, NONE);
    expect(seen).toEqual(["{ allowed: false }", { allowed: false }]);
  });
});

describe.each(Object.entries(hellos))("defect N83: a question that nobody awaits, in %s", (_, hello) => {
  /** Runs one prompt that does not wait for its question. Returns the reports. */
  async function reports(prompt: (turn: Turn) => unknown) {
    const { client, sessionId, diagnostics } = await openAs(hello, { prompt: (turn) => void prompt(turn) });
    client.prompt(sessionId);
    await client.next(isEnd);
    return diagnostics.filter(({ code }) => code !== "loss").map(({ message }) => message);
  }

  const unawaited =
    'The question "rm -rf?" was asked without await, so its answer decided nothing. Await the question.';
  const use = (isAllowed: unknown, turn: Turn) => isAllowed && turn.say("gone");

  test.each<[string, (turn: Turn) => unknown]>([
    ["ask", (turn) => use(turn.ask(question), turn)],
    ["requestPermission", (turn) => use(turn.requestPermission(question), turn)],
    ["elicit", (turn) => use(turn.elicit({ ...form, message: question.title }), turn)],
  ])("is reported at the end of its turn: %s", async (_name, prompt) => {
    expect(await reports(prompt)).toContain(unawaited);
  });

  test("is reported when the child session that asked is idle", async () => {
    const prompt = (turn: Turn) => {
      const child = turn.session.child("Helper");
      use(child.ask(question), turn);
      child.idle();
    };
    expect(await reports(prompt)).toContain(unawaited);
  });

  test("is not reported if something waits for it later, or if it was not asked", async () => {
    const prompt = (turn: Turn) => {
      const asked = turn.ask(question);
      void asked.then(() => turn.say("done"));
      void Promise.race([turn.ask(question), turn.requestPermission(question)]);
    };
    expect(await reports(prompt)).toEqual([]);
  });
});

describe.each(Object.entries(hellos))(
  "defect N77: a question that the client refuses with an error, in %s",
  (_, hello) => {
    test.each<[string, (turn: Turn) => Promise<unknown>]>([
      ["a permission question", (turn) => turn.ask(question)],
      ["a question of a tool call", (turn) => turn.toolCall({ title: "rm" }).ask()],
      ["a form", async (turn) => (await turn.elicit(form)).action],
    ])("is reported: %s", async (_name, ask) => {
      const { client, sessionId, diagnostics } = await openAs(hello, {
        prompt: async (turn) => void (await ask(turn)),
      });
      client.prompt(sessionId);
      const { id } = await client.next(isQuestion);
      client.send({ id, error: { code: -32601, message: "Method not found" } });
      await client.next(isEnd);
      expect(diagnostics).toContainEqual(
        expect.objectContaining({
          message: expect.stringContaining("failed, and counts as cancelled"),
          error: expect.objectContaining({ code: -32601 }),
        }),
      );
    });

    test("a mode of elicit that does not exist is named", async () => {
      const { client, sessionId } = await openAs(hello, {
        prompt: async (turn) =>
          void (await turn.elicit({ message: "Which?" } as never).catch((error) => turn.say(error.message))),
      });
      client.prompt(sessionId);
      await client.next(isEnd);
      expect(JSON.stringify(client.received)).toContain("elicit mode got undefined: pass form or url.");
    });
  },
);
