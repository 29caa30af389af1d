import { describe, expect, test } from "vitest";
import { type AgentSession, createMemoryLog, RpcError } from "../../src/index.js";
import { connectAs, type Frame, gate, v2Hello } from "../raw-client.js";
import { expectInOrder, receivedBy, story } from "./preview-stories.js";

const v1Hello = (clientCapabilities: object) => ({ protocolVersion: 1, clientCapabilities });
const root = { sessionId: "root1", cwd: "/srv/app" };

describe("an agent and the frames of the Preview", () => {
  test("P-REPLAY-02 4.4: a replay that cannot be finished ends with the error, without a marker", async () => {
    const { client } = await connectAs(v2Hello, {
      restoreSession(_, session) {
        session.emit({ type: "user_message", messageId: "u1", content: [{ type: "text", text: "Fix the build" }] });
        throw RpcError.internalError("History could not be read");
      },
    });
    const [resume] = story("4.4", "client");
    await client.request(resume?.method, resume?.params);
    const [said, refused] = story("4.4");
    const received = client.received.map((frame) =>
      frame.error === undefined
        ? frame
        : { ...frame, error: { code: frame.error.code, message: refused?.error.message } },
    );
    expectInOrder(received, [said, refused] as Frame[]);
    expect(JSON.stringify(client.received)).toContain("History could not be read");
    expect(client.updates("replay_complete")).toEqual([]);
  });

  test("P-IDEM-04, P-IDEM-09 4.5: the answer to a retry names the first message, also on a new connection", async () => {
    const log = createMemoryLog();
    const going = gate();
    const handlers = { log, prompt: () => going.promise };
    const first = await connectAs(v2Hello, handlers);
    const sessionId = await first.client.newSession({ cwd: "/srv/app" });
    const [asked, , again] = story("4.5", "client").map(({ method, params }) => ({
      method,
      params: { ...params, sessionId },
    }));
    const { messageId } = await first.client.result(asked?.method, asked?.params);
    const names = { [sessionId]: "root1", [messageId]: "u9" };
    const [echo, ...rest] = story("4.5");
    expectInOrder(receivedBy(first.client, names), [echo as Frame]);
    going.open();
    await first.client.next((frame) => frame.params?.update?.state === "idle");
    await first.client.close();
    await first.served.closed;
    const second = await connectAs(v2Hello, handlers);
    await second.client.result("session/resume", { sessionId, cwd: "/srv/app" });
    await second.client.result(again?.method, again?.params);
    // After a restart, the state is idle (section 4.5).
    const restarted = rest.map((frame) =>
      frame.params?.update.state === undefined
        ? frame
        : { ...frame, params: { ...frame.params, update: { sessionUpdate: "state_update", state: "idle" } } },
    );
    expectInOrder(receivedBy(second.client, names), restarted);
  });

  test("P-BG-03, P-BG-04 4.6: the end of listed work is reported before the list without it; a cancel of the turn does not stop it", async () => {
    let opened: AgentSession | undefined;
    let stop = () => undefined as undefined;
    const { client } = await connectAs(v2Hello, {
      restoreSession(_, session) {
        opened = session;
      },
      prompt({ session }) {
        session.emit({ type: "subagent_update", sessionId: "kid1" });
        const terminal = session.terminal({ command: "npm run dev", onCancel: () => stop() });
        const kid = { type: "subagent", sessionId: "kid1" } as const;
        session.setBackground([{ type: "terminal", terminalId: terminal.terminalId }, kid]);
        stop = () => {
          terminal.exit({ signal: "SIGTERM" });
          session.setBackground([kid]);
          session.setBackground([]);
        };
      },
    });
    await client.result("session/resume", root);
    await client.result("session/prompt", { sessionId: "root1", prompt: [{ type: "text", text: "Serve" }] });
    await client.next((frame) => frame.params?.update?.stopReason === "end_turn");
    client.cancel("root1");
    const { terminalId } = await client.update("terminal_update");
    expect(opened?.state.terminals.get(terminalId)?.exitStatus).toBeUndefined();
    await client.result("terminal/cancel", { sessionId: "root1", terminalId });
    await client.next((frame) => frame.params?.update?.background?.length === 0);
    // The child's own state is the matter of the tree of sessions.
    const ofRoot = story("4.6").filter((frame) => frame.params?.sessionId === "root1");
    expectInOrder(receivedBy(client, { [terminalId]: "term1" }), ofRoot);
  });

  const plans = (session: AgentSession) => {
    for (const { params } of story("4.7")) {
      const { sessionUpdate: type, ...update } = params.update;
      session.emit({ type, ...update });
    }
  };

  test.each([
    ["P-PLAN-01 4.7: version 2 sends plans and their removal without a capability", v2Hello, "session/resume"],
    ["P-PLAN-02 4.7: version 1 sends the same with plan", v1Hello({ plan: {} }), "session/load"],
  ])("%s", async (_, hello, method) => {
    const { client } = await connectAs(hello, { restoreSession: (_, session) => plans(session) });
    await client.result(method, { ...root, mcpServers: [], replayFrom: { type: "start" } });
    expectInOrder(client.received, story("4.7"));
    expect(client.updates("plan")).toEqual([]);
  });

  test("P-PLAN-02, P-PLAN-05 4.7: version 1 without plan gets the one checklist, whole each time", async () => {
    const { client } = await connectAs(v1Hello({}), {
      restoreSession(_, session) {
        const [{ params } = {}] = story("4.7 v1");
        const { entries } = params.update;
        session.emit({ type: "plan_update", plan: { type: "items", planId: "p1", entries } });
      },
    });
    await client.result("session/load", { ...root, mcpServers: [] });
    expectInOrder(client.received, story("4.7 v1"));
    expect(client.updates("plan_update")).toEqual([]);
  });
});
