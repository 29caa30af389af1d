import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import type { Session } from "@turnkit/client";
import type { PendingPermission } from "@turnkit/session";
import type { RawPeer } from "@turnkit/testing";
import { describe, expect, it } from "vitest";
import { openRoot } from "../test/raw-root.js";
import { answerQuestion, childLine, followChildren, questionsOf, workingChildren } from "./child-sessions.js";
import { createInterrupts } from "./interrupts.js";
import { createNdjsonView } from "./output/json-view.js";
import { createTerminalView } from "./terminal-view.js";
import type { Actions } from "./tui/actions.js";
import { Conversation } from "./tui/conversation.js";

/** A client whose agent, as bare messages, has announced a subagent that asks for permission. */
async function withSubagent(
  show: (lines: readonly unknown[], session: Session, agent: RawPeer) => void | Promise<void>,
  announced: object = {},
) {
  const { client, session, agent, send, update, settled } = await openRoot();
  const stdout = Object.assign(new PassThrough(), { isTTY: false });
  const streams = {
    stdout,
    stderr: new PassThrough(),
    stdin: new PassThrough(),
    env: {},
    interrupts: createInterrupts(new EventEmitter(), new EventEmitter()),
  };
  const text = createTerminalView(streams as never, "/work");
  const json = new PassThrough();
  const ndjson = createNdjsonView({ stdout: json as never, stderr: new PassThrough() as never, env: {} });
  followChildren(session, async (event, child) => {
    await text.child?.(event, child);
    await ndjson.child?.(event, child);
  });
  update("root", { sessionUpdate: "subagent_update", sessionId: "kid", title: "Test\u001b[2J runner", ...announced });
  update("kid", { sessionUpdate: "state_update", state: "running" });
  const options = [{ optionId: "y", name: "Allow", kind: "allow_once" }];
  send({
    id: "q",
    method: "session/request_permission",
    params: { sessionId: "kid", title: "Run npm test?", options },
  });
  await settled();
  await show([], session, agent);
  const answer = await agent.answerTo("q");
  update("kid", { sessionUpdate: "state_update", state: "idle", stopReason: "cancelled" });
  await settled();
  await client.close();
  const printed = (stream: PassThrough) => String(stream.read() ?? "");
  return { answer, text: printed(stdout), json: printed(json) };
}

describe("subagents", () => {
  it("P-SUB-20: are folded to a line for their start and end; a question names the subagent and is answered there", async () => {
    const { answer, text, json } = await withSubagent((_, session) => {
      const [asked] = questionsOf(session);
      expect(asked?.question).toMatchObject({ title: expect.stringMatching(/runner: Run npm test\?$/) });
      expect(session.state.pendingPermissions).toEqual([]);
      answerQuestion(session, asked?.question.requestId as string, { outcome: "selected", optionId: "y" });
      expect(questionsOf(session)).toEqual([]);
    });
    expect(answer).toMatchObject({ result: { outcome: { outcome: "selected", optionId: "y" } } });
    expect(text).toMatch(/runner: started[\s\S]*runner: Run npm test\?[\s\S]*runner: cancelled/);
    expect(text).not.toContain("\u001b");
    const events = json
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ type, childSessionId }) => [type, childSessionId])).toEqual([
      ["session_opened", "kid"],
      ["state_update", "kid"],
      ["permission_asked", "kid"],
      ["permission_answered", "kid"],
      ["state_update", "kid"],
      ["session_closed", "kid"],
    ]);
  });

  it("P-SUB-20: each question has its own name and its own answer, whatever ids and titles the agent chooses", async () => {
    const { answer } = await withSubagent(
      async (_, session, agent) => {
        const send = (frame: object) => void agent.send({ jsonrpc: "2.0", ...frame } as never);
        const ids = ["kid/x", 'kid"]', "kid/permission-1"];
        for (const [at, sessionId] of ids.entries()) {
          const title = at === 0 ? "" : " \t ";
          send({
            method: "session/update",
            params: { sessionId: "kid", update: { sessionUpdate: "subagent_update", sessionId, title } },
          });
          send({
            method: "session/update",
            params: { sessionId, update: { sessionUpdate: "state_update", state: "running" } },
          });
          const options = [{ optionId: `y-${at}`, name: "Allow", kind: "allow_once" }];
          send({
            id: `q-${at}`,
            method: "session/request_permission",
            params: { sessionId, title: "May I?", options },
          });
        }
        send({ id: "all", method: "_settled" });
        await agent.answerTo("all");
        const questions = questionsOf(session).map(({ question }) => question as PendingPermission);
        expect(new Set(questions.map(({ requestId }) => requestId)).size).toBe(4);
        for (const [at, id] of ids.entries())
          expect(questions[at + 1]?.title).toBe(`Test\u001b[2J runner › ${id}: May I?`);
        for (const { requestId, options } of questions.toReversed()) {
          answerQuestion(session, requestId, { outcome: "selected", optionId: options[0]?.optionId as string });
        }
        for (const at of ids.keys()) {
          expect(await agent.answerTo(`q-${at}`)).toMatchObject({ result: { outcome: { optionId: `y-${at}` } } });
        }
      },
      { title: "Test\u001b[2J runner" },
    );
    expect(answer).toMatchObject({ result: { outcome: { optionId: "y" } } });
  });

  it("P-SUB-12: one is cancelled with Ctrl-X and Enter, and the session is not", async () => {
    const capabilities = { cancel: {} };
    await withSubagent(
      async (_, session, agent) => {
        expect(workingChildren(session)).toMatchObject([{ id: "kid", isAsking: true, isCancellable: true }]);
        const none = () => undefined;
        const faults: string[] = [];
        const fault = (message: string) => void faults.push(message);
        const actions = {} as Actions;
        const [asked] = questionsOf(session);
        const facts = { session: () => session, isDead: () => false };
        const person = new Conversation({ ...facts, history: [], remember: none, changed: none, fault, actions });
        const context = { width: 80, rows: 20, directory: "/work" };
        person.press({ name: "ctrl", letter: "x" }, context);
        person.press({ name: "enter" }, context);
        expect(await agent.call("session/cancel")).toMatchObject({ params: { sessionId: "kid" } });
        expect(session.state.cancelling).toBeFalsy();
        // The cancel settled the question, and a key that was pressed at the same time changes nothing.
        expect(questionsOf(session)).toEqual([]);
        answerQuestion(session, asked?.question.requestId ?? "", { outcome: "cancelled" });
        expect(faults).toEqual([]);
      },
      { capabilities },
    );
  });

  it("say why their work ended", () => {
    const parent = { id: "root", state: { subagents: new Map() } };
    const child = { id: "kid", parent, state: {} } as unknown as Session;
    const line = (event: object) => childLine(event as never, child);
    expect(line({ type: "state_update", state: "idle", error: { code: 1, message: "no\ntests" } })).toMatch(
      /^kid: failed: no/,
    );
    expect(line({ type: "state_update", state: "idle" })).toBe("kid: done");
    expect(line({ type: "state_update", state: "running" })).toBeUndefined();
  });
});
