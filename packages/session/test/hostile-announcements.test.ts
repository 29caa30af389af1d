import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageText } from "../src/select.js";
import { watchSessions } from "../src/watch/index.js";

/** Watch, and functions that send messages of both sides. */
function open(maxSessions = 10_000) {
  const watch = watchSessions({ dialect: "v2", maxSessions });
  let id = 0;
  const update = (sessionId: string, update: object) =>
    watch.message({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } }, "agent");
  /** Sends a request of the client. Returns a function that sends its answer. */
  const call = (method: string, params: object) => {
    id += 1;
    const answered = id;
    watch.message({ jsonrpc: "2.0", id, method, params: { cwd: "/w", mcpServers: [], ...params } }, "client");
    return (answer: object = { result: {} }) => watch.message({ jsonrpc: "2.0", id: answered, ...answer }, "agent");
  };
  return {
    watch,
    create: (sessionId: string) => call("session/new", {})({ result: { sessionId } }),
    restore: (sessionId: string) => call("session/resume", { sessionId, replayFrom: { type: "start" } }),
    close: (sessionId: string) => call("session/close", { sessionId }),
    call,
    announce: (sessionId: string, child: string) =>
      update(sessionId, { sessionUpdate: "subagent_update", sessionId: child }),
    say: (sessionId: string, text: string) =>
      update(sessionId, { sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text } }),
    texts: (sessionId: string) =>
      [...(watch.sessions.get(sessionId)?.getState().timeline ?? [])].map((entry) =>
        entry.type === "message" ? messageText(entry) : entry.type,
      ),
    ids: () => [...watch.sessions.keys()].sort().join(" "),
  };
}

const refusal = { error: { code: -32603, message: "no" } };

describe("announcements of a hostile agent on a watched connection", () => {
  it.each(["a", "b"])(
    "defect W1: of unknown sessions that announce each other, only the restored one (%s) opens",
    (restored) => {
      const { create, restore, close, announce, say, ids } = open();
      announce("a", "b");
      announce("b", "a");
      const answer = restore(restored);
      announce("a", "b");
      announce("b", "c");
      announce("c", "a");
      announce("b", "a");
      say("a", "x");
      create("s");
      announce("s", "kid");
      answer();
      expect(ids()).toBe("a b c kid s");
      close(restored === "a" ? "b" : "c")();
      expect(ids()).toBe(`${restored} kid s`);
    },
  );

  it("defect W1: announcements of unknown sessions and of refused restores leave room for those of open sessions", () => {
    const { create, restore, close, announce, ids } = open();
    for (let index = 0; index < 5_000; index += 1) announce("nobody", `n${index}`);
    const answer = restore("gone");
    for (let index = 0; index < 5_000; index += 1) announce("gone", `g${index}`);
    answer(refusal);
    const late = restore("closed");
    close("closed")();
    for (let index = 0; index < 5_000; index += 1) announce("closed", `c${index}`);
    late();
    create("s");
    announce("s", "kid");
    expect(ids()).toBe("kid s");
  });

  it("defect W1: a session that left because of maxSessions announces none", () => {
    const { call, announce, ids } = open(1);
    const answer = call("session/new", {});
    for (let index = 0; index < 10; index += 1) announce("s", `kid${index}`);
    answer({ result: { sessionId: "s" } });
    expect(ids()).toBe("");
  });

  it("defect W7: P-SUB-04: a session that is being restored becomes no child session, and keeps its own", () => {
    const { create, restore, close, announce, ids } = open();
    create("s");
    const answer = restore("p");
    announce("p", "kid");
    announce("s", "p");
    answer();
    expect(ids()).toBe("kid p s");
    close("s")();
    expect(ids()).toBe("kid p");
    close("p")();
    expect(ids()).toBe("");
  });

  it("P-SUB-04: in any order, they end, and no child session outlives its root", () => {
    const id = fc.constantFrom("a", "b", "c", "d", "e");
    const step = fc.oneof(
      { arbitrary: fc.tuple(fc.constant("announce"), id, id), weight: 6 },
      fc.tuple(fc.constantFrom("create", "restore", "refuse", "answer", "close"), id, id),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { create, restore, close, announce, say, ids } = open();
        const roots = new Set<string>();
        const answers = new Map<string, (answer?: object) => void>();
        for (const [what, one, other] of steps) {
          if (what === "announce") announce(one, other);
          if (what === "close") close(one)();
          if (what === "answer" || what === "refuse") answers.get(one)?.(what === "refuse" ? refusal : undefined);
          if (what === "create") create(one);
          if (what === "restore") answers.set(one, restore(one));
          if (what === "create" || what === "restore") roots.add(one);
          say(one, "x");
        }
        for (const answer of answers.values()) answer();
        for (const root of roots) close(root)();
        expect(ids()).toBe("");
      }),
    );
  });
});
