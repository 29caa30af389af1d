import { describe, expect, test } from "vitest";
import { allowOnce } from "../src/index.js";
import { ask as askDraft, NOW, openDraft, openDraftSession, SEED } from "./draft-agent.js";
import { openSession, settle } from "./raw-agent.js";

const files = { readTextFile: () => "" };
const terminals = {
  create: async () => {
    throw new Error("not here");
  },
};

describe("defect F1: handlers that the agreed version has no methods for", () => {
  test.each([
    ["version 2", NOW],
    ["the seed draft", SEED],
  ])("are reported once, in %s", async (_, said) => {
    const { diagnostics } = await openDraft(said, { files, terminals });
    expect(diagnostics.map(({ code, message }) => [code, /The option (\w+) is not used/.exec(message)?.[1]])).toEqual([
      ["unused_option", "files"],
      ["unused_option", "terminals"],
    ]);
  });

  test("are used in version 1, and nothing is reported", async () => {
    const { diagnostics } = await openSession({ files, terminals });
    expect(diagnostics).toEqual([]);
  });
});

describe("defect F10: a question that nobody answers", () => {
  test("is reported at once, and one report is enough", async () => {
    const { agent, session, diagnostics } = await openDraftSession();
    askDraft(agent, "a");
    askDraft(agent, "b");
    await settle(agent);
    expect(session.state.pendingPermissions).toHaveLength(2);
    expect(diagnostics).toMatchObject([
      { code: "unanswered", sessionId: "s-1", message: expect.stringContaining("Pass the option permissions") },
    ]);
  });

  test.each([
    ["a policy answers", allowOnce],
    ["the interface answers", () => undefined],
  ])("is no report where %s", async (_, permissions) => {
    const { agent, diagnostics } = await openDraftSession(NOW, { permissions });
    askDraft(agent, "a");
    await settle(agent);
    expect(diagnostics).toEqual([]);
  });
});

describe("defect F4: a failure of the program", () => {
  test("a policy that picks an unknown option is reported with what was offered", async () => {
    const { agent, diagnostics } = await openSession({
      permissions: () => ({ outcome: "selected", optionId: "nope" }),
    });
    agent.ask(7, "s-1");
    expect((await agent.answerTo(7)).result.outcome).toEqual({ outcome: "cancelled" });
    expect(diagnostics).toMatchObject([
      { code: "listener_failed", message: expect.stringContaining("does not offer nope; it offers yes, no.") },
    ]);
  });

  test("a listener that throws is reported with its cause", async () => {
    const { agent, session, diagnostics } = await openSession();
    session.onEvent(() => {
      throw new Error("no canvas");
    });
    agent.say("s-1", "Hello");
    await settle(agent);
    expect(diagnostics).toMatchObject([
      { code: "listener_failed", message: "A listener failed: no canvas", error: expect.any(Error) },
    ]);
  });
});
