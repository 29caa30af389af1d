import type { ToolCallContent } from "@turnkit/session";
import { describe, expect, test } from "vitest";
import type { Turn } from "../src/index.js";
import { open } from "./raw-client.js";

/** Runs one prompt. Returns the reports, the error that fails the prompt, and the questions that the client got. */
async function reportsOf(prompt: (turn: Turn) => unknown) {
  const { client, sessionId, diagnostics } = await open(
    { prompt: prompt as never },
    { validateOutgoing: undefined as never },
  );
  const question = client.call("session/request_permission");
  void question.then((call) => client.reply(call, { outcome: { outcome: "selected", optionId: "y" } }));
  const answer = await client.ask(sessionId);
  return {
    all: [...diagnostics.map(({ message }) => message), String(answer.error?.data?.details)].join("\n"),
    asked: client.received.filter(({ method }) => method === "session/request_permission").length,
  };
}

const own = [
  { optionId: "y", name: "Yes", kind: "allow" },
  { optionId: "n", name: "No", kind: "reject" },
] as never;

describe("defect N43: an option of an unknown kind asks nothing, and is reported with the kinds", () => {
  test.each<[string, (turn: Turn) => Promise<boolean>, string]>([
    ["call.ask", (turn) => turn.toolCall({ title: "a", status: "failed" }).ask({ options: own }), "ask of a tool call"],
    ["turn.ask", (turn) => turn.ask({ title: "a", options: own }), "turn.ask"],
    ["session.toolCall", (turn) => turn.session.toolCall({ title: "a" }).ask({ options: own }), "ask of a tool call"],
  ])("%s", async (_, ask, name) => {
    let isAllowed: boolean | undefined;
    const { all, asked } = await reportsOf(async (turn) => {
      isAllowed = await ask(turn);
    });
    expect(all).toContain(
      `${name} got an option of kind "allow", and counts as refused. The kinds are allow_once, allow_always, reject_once, reject_always.`,
    );
    expect([isAllowed, asked]).toEqual([false, 0]);
  });

  test("turn.ask with options of another form asks nothing either", async () => {
    const { all, asked } = await reportsOf((turn) => turn.ask({ title: "a", options: [{ id: "y" }] as never }));
    expect(all).toContain("turn.ask got options of another form, and counts as refused.");
    expect(asked).toBe(0);
  });

  test("and a kind of one's own is asked", async () => {
    const options = [{ optionId: "y", name: "Yes", kind: "_own" }] as never;
    expect(await reportsOf(async (turn) => void (await turn.ask({ title: "a", options })))).toEqual({
      all: "undefined",
      asked: 1,
    });
  });
});

const diff = (path: string): ToolCallContent => ({
  type: "diff",
  changes: [{ operation: "modify", path, oldText: "a", newText: "b" }],
});

describe("defect N43: a change of a tool call", () => {
  const statuses = 'The status of a tool call is "done". It can be pending, in_progress, completed, failed, canc';

  test.each<[string, (turn: Turn) => unknown, string]>([
    ["an unknown status", (turn) => turn.toolCall({ title: "a" }).update({ status: "done" as never }), statuses],
    ["an unknown status at the start", (turn) => turn.toolCall({ title: "a", status: "done" as never }), statuses],
    [
      "an unknown status at the end",
      (turn) => turn.toolCall({ title: "a" }).finish({ status: "done" as never }),
      statuses,
    ],
    [
      "an unknown kind",
      (turn) => turn.toolCall({ title: "a" }).finish({ kind: "reed" as never }),
      'kind of a tool call is "reed"',
    ],
    [
      "a text in place of the end",
      (turn) => turn.toolCall({ title: "a" }).finish("bad" as never),
      'finish of a tool call got "bad": pass an object such as { rawOutput }, or call fail(reason).',
    ],
    [
      "a list in place of the end",
      (turn) => turn.toolCall({ title: "a" }).finish([] as never),
      "finish of a tool call got a list",
    ],
  ])("names %s", async (_, prompt, message) => {
    expect((await reportsOf(prompt)).all).toContain(message);
  });

  test("and statuses of the protocol and of one's own are no report", async () => {
    const { all } = await reportsOf((turn) => {
      const call = turn.toolCall({ title: "a", kind: "_own" as never, status: "_own" as never });
      call.update({ status: "in_progress", kind: null });
      call.finish({ status: "failed" });
      call.finish("late" as never);
    });
    expect(all).not.toContain("status of a tool call");
    expect(all).not.toContain("finish of");
  });

  test.each<[string, (turn: Turn) => unknown, string]>([
    [
      "a relative location at the start",
      (turn) => turn.toolCall({ title: "a", locations: [{ path: "/b" }, { path: "src/a.ts" }] }),
      'The path "src/a.ts" of a tool call is relative',
    ],
    [
      "a relative location of a change",
      (turn) => turn.toolCall({ title: "a" }).update({ locations: [{ path: "./a.ts", line: 3 }] }),
      'The path "./a.ts" of a tool call is relative',
    ],
    [
      "a relative path of a diff",
      (turn) => turn.toolCall({ title: "a" }).append(diff("a.ts")),
      'The path "a.ts" of a tool call is relative',
    ],
    [
      "an address in place of a path",
      (turn) => turn.toolCall({ title: "a" }).finish({ content: [diff("file:///a.ts")] }),
      'The path "file:///a.ts" of a tool call is relative',
    ],
  ])("defect N58: names %s", async (_, prompt, message) => {
    expect((await reportsOf(prompt)).all).toContain(message);
  });

  test("and absolute paths of any system are no report", async () => {
    const { all } = await reportsOf((turn) => {
      const call = turn.toolCall({
        title: "a",
        locations: [{ path: "/a" }, { path: "C:\\a" }, { path: "\\\\host\\a" }],
      });
      call.finish({ content: [diff("/a"), diff("c:/a")] });
    });
    expect(all).not.toContain("relative");
  });
});
