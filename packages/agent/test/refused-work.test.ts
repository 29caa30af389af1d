import { describe, expect, test } from "vitest";
import type { Turn } from "../src/index.js";
import { aborted, clientInfo, type Frame, openAs, seedHello, v2Hello } from "./raw-client.js";

const hellos = { "version 1": { protocolVersion: 1, clientInfo }, "version 2": v2Hello, "the seed draft": seedHello };

const NO = { outcome: { outcome: "selected", optionId: "reject_once" } };
const YES = { outcome: { outcome: "selected", optionId: "allow_once" } };

describe.each(Object.entries(hellos))("defect N20: work after a refused question, in %s", (_, hello) => {
  /** Runs one prompt. The client gives `answers` to the questions, one after the other. */
  async function run(prompt: (turn: Turn) => unknown, answers: readonly object[] = [NO]) {
    const opened = await openAs(hello, { prompt: async (turn) => (await prompt(turn)) as undefined });
    const { client, sessionId, diagnostics } = opened;
    for (const [at, answer] of answers.entries())
      void client.call("session/request_permission", at).then((call) => client.reply(call, answer));
    client.prompt(sessionId);
    await client.next(isEnd);
    const statuses = client.updates().flatMap(({ status }) => status ?? []);
    return { ...opened, statuses, reports: diagnostics.filter(({ code }) => code !== "loss") };
  }

  const went = (title: string) => ({
    code: "unfinished",
    message: expect.stringContaining(`Tool call "${title}" went on although its question was refused. Look at`),
  });

  test("`run` without a look at the answer of `ask` does not run the work, and is reported once", async () => {
    let runs = 0;
    let fault: unknown;
    const { reports, statuses, client } = await run(async (turn) => {
      const call = turn.toolCall({ title: "rm" });
      await call.ask();
      for (let tries = 0; tries < 2; tries += 1) await call.run(() => runs++).catch((error) => (fault = error));
      call.finish();
    });
    expect(runs).toBe(0);
    expect(fault).toMatchObject({ code: "state", message: expect.stringMatching(/"rm" was not run/) });
    expect(reports).toMatchObject([went("rm")]);
    expect(statuses).toEqual(["pending", "failed"]);
    expect(JSON.stringify(client.updates())).toContain("not allowed");
  });

  test("`requestPermission` taken for a truth does not run the work, and fails the prompt", async () => {
    let runs = 0;
    const { reports, client } = await run(async (turn) => {
      const call = turn.toolCall({ title: "rm" });
      if (await call.requestPermission()) await call.run(() => runs++);
    });
    expect(runs).toBe(0);
    expect(reports).toMatchObject([went("rm")]);
    expect(JSON.stringify(client.received)).toContain("was not run");
  });

  test.each<[string, (call: ReturnType<Turn["toolCall"]>) => unknown, string]>([
    ["completed", (call) => call.finish(), "completed"],
    ["in progress, then completed", (call) => [call.update({ status: "in_progress" }), call.finish()], "completed"],
  ])("a call that goes on as %s is reported once, and shown as it is", async (_name, goOn, last) => {
    const { reports, statuses } = await run(async (turn) => {
      const call = turn.toolCall({ title: "rm" });
      await call.ask();
      goOn(call);
    });
    expect(reports).toMatchObject([went("rm")]);
    expect(statuses.at(-1)).toBe(last);
  });

  test("a call that ends as failed or cancelled after the refusal is no report", async () => {
    const { reports } = await run(
      async (turn) => {
        for (const end of [0, 1, 2, 3]) {
          const call = turn.toolCall({ title: "rm", status: "pending" });
          if (await call.ask()) continue;
          call.append({ type: "content", content: { type: "text", text: "The user said no." } });
          if (end === 0) call.fail("The user said no.");
          if (end === 1) call.finish({ status: "failed" });
          if (end === 2) call.finish({ status: "cancelled" });
          if (end === 3) call.update({ title: "not rm", status: "failed" });
        }
      },
      [NO, NO, NO, NO],
    );
    expect(reports).toEqual([]);
  });

  test("an agent that asks again and gets a yes runs the work", async () => {
    const { reports, statuses } = await run(
      async (turn) => {
        const call = turn.toolCall({ title: "rm" });
        if (!(await call.ask()) && (await call.ask({ title: "Really not?" }))) await call.run(() => 1);
      },
      [NO, YES],
    );
    expect(reports).toEqual([]);
    expect(statuses).toEqual(["pending", "in_progress", "completed"]);
  });

  test("an answer of the client that is not valid counts as a refusal", async () => {
    let runs = 0;
    await run(
      async (turn) => {
        const call = turn.toolCall({ title: "rm" });
        await call.ask();
        await call.run(() => runs++);
      },
      [{ outcome: { outcome: "selected", optionId: "other" } }],
    );
    expect(runs).toBe(0);
  });

  test("the work of a cancelled turn is not run and not reported", async () => {
    let runs = 0;
    const opened = await openAs(hello, {
      async prompt(turn) {
        const call = turn.toolCall({ title: "rm" });
        await call.ask();
        await aborted(turn.signal);
        await call.run(() => runs++);
      },
    });
    const { client, sessionId, diagnostics } = opened;
    client.prompt(sessionId);
    await client.call("session/request_permission");
    client.cancel(sessionId);
    await client.next(isEnd);
    expect(runs).toBe(0);
    expect(JSON.stringify(client.received)).toContain('"stopReason":"cancelled"');
    expect(diagnostics.filter(({ code }) => code !== "loss")).toEqual([]);
  });
});

const isEnd = ({ result, error, params }: Frame): boolean =>
  result?.stopReason !== undefined || error !== undefined || params?.update?.stopReason !== undefined;
