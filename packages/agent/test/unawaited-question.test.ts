import { describe, expect, test } from "vitest";
import type { ToolCall, Turn } from "../src/index.js";
import { clientInfo, type Frame, openAs, seedHello, v2Hello } from "./raw-client.js";

const hellos = { "version 1": { protocolVersion: 1, clientInfo }, "version 2": v2Hello, "the seed draft": seedHello };

const NO = { outcome: { outcome: "selected", optionId: "reject_once" } };
const YES = { outcome: { outcome: "selected", optionId: "allow_once" } };
const NONE = { outcome: { outcome: "cancelled" } };

const isEnd = ({ result, params }: Frame) =>
  result?.stopReason !== undefined || params?.update?.stopReason !== undefined || params?.update?.state === "idle";

describe.each(Object.entries(hellos))("defect N49: work while its question is open, in %s", (_, hello) => {
  /** Runs one prompt whose tool call asks, and tells when the work runs. The client answers when the work could run. */
  async function run(answers: readonly object[], useCall: (call: ToolCall, work: () => number) => unknown) {
    const steps: string[] = [];
    const work = () => steps.push("work");
    const { client, sessionId, diagnostics } = await openAs(hello, {
      async prompt(turn: Turn) {
        await useCall(turn.toolCall({ title: "rm" }), work);
      },
    });
    client.prompt(sessionId);
    for (const [at, answer] of answers.entries()) {
      const call = await client.call("session/request_permission", at);
      steps.push("answer");
      client.reply(call, answer);
    }
    await client.next(isEnd);
    const statuses = client.updates().flatMap(({ status }) => status ?? []);
    return { steps, statuses, reports: diagnostics.filter(({ code }) => code !== "loss") };
  }

  const forgotten = (call: ToolCall, work: () => number) => {
    const isAllowed: unknown = call.ask();
    if (isAllowed) return call.run(work).catch(() => undefined);
  };

  test("defect N109: is reported if the call is not used afterwards", async () => {
    const use = (call: ToolCall, work: () => number) => {
      const isAllowed: unknown = call.ask();
      if (isAllowed) work();
    };
    const { reports } = await run([], use);
    const message = 'The question "rm" was asked without await, so its answer decided nothing. Await the question.';
    expect(reports).toContainEqual({ code: "unfinished", message, sessionId: expect.any(String) });
  });

  test("defect N109: is not reported if somebody awaits it, or reads `allowed`", async () => {
    const { reports } = await run([YES, YES], async (call, work) => {
      if ((await call.ask()) && (await call.requestPermission()).allowed) call.finish({ rawOutput: work() });
    });
    expect(reports).toEqual([]);
  });

  const waited = {
    code: "unfinished",
    message: 'Tool call "rm" went on while its question was open. Await `ask` before the work.',
  };

  test.each([
    ["rejects", NO],
    ["decides nothing", NONE],
  ])("does not run if the person %s", async (_name, answer) => {
    const { steps, statuses, reports } = await run([answer], forgotten);
    expect(steps).toEqual(["answer"]);
    expect(statuses).toEqual(["pending", "failed"]);
    expect(reports).toMatchObject([waited]);
  });

  test("runs after the person has allowed it", async () => {
    const { steps, statuses, reports } = await run([YES], forgotten);
    expect(steps).toEqual(["answer", "work"]);
    expect(statuses).toEqual(["pending", "in_progress", "completed"]);
    expect(reports).toMatchObject([waited]);
  });

  test("waits for every open question, and the last answer decides", async () => {
    const { steps } = await run([YES, NO], (call, work) => {
      void call.ask();
      void call.requestPermission({ title: "Really?" });
      return call.run(work).catch(() => undefined);
    });
    expect(steps).toEqual(["answer", "answer"]);
  });

  test("does not run after a cancel of its turn", async () => {
    const steps: string[] = [];
    const { client, sessionId } = await openAs(hello, {
      prompt: async (turn) => void (await forgotten(turn.toolCall({ title: "rm" }), () => steps.push("work"))),
    });
    client.prompt(sessionId);
    await client.call("session/request_permission");
    client.cancel(sessionId);
    await client.next(isEnd);
    expect(steps).toEqual([]);
    expect(JSON.stringify(client.received)).toContain('"stopReason":"cancelled"');
  });

  test("a question inside of the work does not wait for the work", async () => {
    const { steps, statuses } = await run([YES], (call, work) =>
      call.run(async () => {
        if (await call.ask()) work();
      }),
    );
    expect(steps).toEqual(["answer", "work"]);
    expect(statuses).toEqual(["pending", "in_progress", "completed"]);
  });
});
