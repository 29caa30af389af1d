import { describe, expect, test, vi } from "vitest";
import { createElicitationBroker, createPermissionBroker } from "../src/broker/index.js";
import {
  allowOnce,
  createElicitations,
  createFileHandlers,
  createTerminalHandlers,
  rejectOnce,
  withLogin,
} from "../src/index.js";
import { createLocalFileHost, createLocalTerminalHost, loginOnTerminal } from "../src/node/index.js";
import { openSession } from "./raw-agent.js";

const printed = (): { readonly text: () => string } => {
  const spy = vi.spyOn(console, "error").mockImplementation(() => undefined);
  return { text: () => spy.mock.calls.flat().join("\n") };
};

describe("defect N4: a policy without a return", () => {
  test.each([
    ["at once", () => undefined],
    ["later", async () => undefined],
  ])("is reported %s with what to return, and the question still waits", async (_, permissions) => {
    const { agent, session, diagnostics } = await openSession({ permissions });
    agent.ask("q", "s-1");
    await vi.waitFor(() => expect(diagnostics.map(({ code }) => code)).toContain("unanswered"));
    const [report] = diagnostics.filter(({ code }) => code === "unanswered");
    expect(report?.message).toContain("policy returned undefined. Return a decision such as allowOnce(question).");
    const [pending] = session.state.pendingPermissions;
    session.answer(pending?.requestId ?? "", { outcome: "cancelled" });
    expect(await agent.answerTo("q")).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
  });

  test("an answer with an id that no question had is refused, and one that comes late is ignored", async () => {
    const { agent, session } = await openSession({ permissions: () => "wait" });
    agent.ask("q", "s-1");
    await vi.waitFor(() => expect(session.state.pendingPermissions).toHaveLength(1));
    const id = session.state.pendingPermissions[0]?.requestId ?? "";
    for (const wrong of ["call_001", "q", "permission-2-1", "permission-1-2", ""])
      expect(() => session.answer(wrong, { outcome: "cancelled" })).toThrow(/No question.*state\.pendingPermissions/);
    session.answer(id, { outcome: "selected", optionId: "yes" });
    expect(await agent.answerTo("q")).toMatchObject({ result: { outcome: { outcome: "selected" } } });
    expect(() => session.answer(id, { outcome: "cancelled" })).not.toThrow();
  });

  test("is not one that returns wait", async () => {
    const { agent, session, diagnostics } = await openSession({ permissions: () => "wait" });
    agent.ask("q", "s-1");
    await vi.waitFor(() => expect(session.state.pendingPermissions).toHaveLength(1));
    session.answer(session.state.pendingPermissions[0]?.requestId ?? "", { outcome: "selected", optionId: "yes" });
    await agent.answerTo("q");
    expect(diagnostics).toEqual([]);
  });

  test("a decision that is no object is told what it can be, and nothing that makes a question wait unnoticed", async () => {
    const { agent, diagnostics } = await openSession({ permissions: () => true as never });
    agent.ask("q", "s-1");
    await vi.waitFor(() => expect(diagnostics.length).toBeGreaterThan(0));
    const said = diagnostics
      .map(({ message, error }) => `${message} ${error instanceof Error ? error.message : ""}`)
      .join();
    expect(said).toContain('return an object such as allowOnce(question), or "wait"');
    expect(said).not.toContain("or undefined");
  });

  test("of a broker is printed", async () => {
    const { text } = printed();
    const { agent, session } = await openSession({ permissions: createPermissionBroker({ ask: () => undefined }) });
    agent.ask("q", "s-1");
    await vi.waitFor(() => expect(text()).toContain("The handler of a broker returned undefined"));
    expect(session.state.pendingPermissions).toHaveLength(1);
  });
});

describe("defect N2: a misspelled member is printed with the nearest name", () => {
  test.each<[string, () => unknown, string]>([
    [
      "a broker",
      () => createPermissionBroker({ ask: rejectOnce, polcy: 1 } as never),
      "polcy of createPermissionBroker",
    ],
    [
      "a rule of a broker",
      () => createPermissionBroker({ ask: rejectOnce, rules: [] } as never),
      "Do you mean policy?",
    ],
    ["a root of local files", () => createLocalFileHost({ root: "/work" } as never), "folders of its session: cwd and"],
    ["elicitations", () => createElicitations({ forms: () => "wait" } as never), "Do you mean form?"],
    ["a broker of elicitations", () => createElicitationBroker({ urls: () => "wait" } as never), "Do you mean url?"],
    ["files", () => createFileHandlers({ readTextfile: () => "" } as never), "Do you mean readTextFile?"],
    ["local files", () => createLocalFileHost({ maxByte: 1 } as never), "Do you mean maxBytes?"],
    [
      "local terminals",
      () => createLocalTerminalHost({ environment: {} } as never),
      "environment of createLocalTerminalHost",
    ],
  ])("%s", (_, make, message) => {
    const { text } = printed();
    make();
    expect(text()).toContain(message);
  });
});

describe("defect N5: an argument of another type is refused in one sentence", () => {
  test.each<[string, (value: never) => unknown, string]>([
    ["allowOnce", allowOnce, "pass the question, as in permissions: (question) => allowOnce(question)"],
    ["rejectOnce", rejectOnce, "pass the question, as in permissions: (question) => rejectOnce(question)"],
    ["createPermissionBroker", createPermissionBroker, "pass { ask }"],
    ["createElicitationBroker", createElicitationBroker, "pass handlers such as"],
    ["createElicitations", createElicitations, "pass handlers such as"],
    ["createFileHandlers", createFileHandlers, "pass a host with readTextFile"],
    ["createTerminalHandlers", createTerminalHandlers, "pass a host with create"],
    ["withLogin attempt", (value) => withLogin({} as never, value, {} as never), "pass (client) => client.newSession"],
    ["loginOnTerminal options", (value) => loginOnTerminal(["x"], value), "pass { method }"],
  ])("%s", async (name, call, remedy) => {
    for (const value of [undefined, null, 5, "text"]) {
      const error: unknown = await (async () => call(value as never))().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(TypeError);
      expect((error as Error).message).toContain(`${name}`);
      expect((error as Error).message).toContain(remedy);
    }
  });
});
