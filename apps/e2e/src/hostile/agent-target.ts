import { createAgent, RpcError } from "@turnkit/agent";
import type { DialectName } from "@turnkit/session";
import type { Target } from "./fuzz.js";
import { framesToAgent, hellos } from "./hostile-frames.js";
import { type Frame, RawPipe } from "./raw-pipe.js";

/** Sessions that strangers may open; what a client opens is its own to count, so the agent of this test counts. */
const mostSessions = 20;
const goodPlace = "/good";

/** Our agent, served over a pipe to a raw client of one dialect. */
export async function agentTarget(dialect: DialectName): Promise<Target> {
  const pipe = new RawPipe(() => undefined);
  let reported = 0;
  let sessions = 0;
  const agent = createAgent({
    info: { name: "target", version: "1.0.0" },
    newSession({ cwd }) {
      if (cwd !== goodPlace && sessions++ >= mostSessions) throw RpcError.internalError("there are sessions enough");
      return {
        configOptions: [{ type: "boolean", configId: "terse", name: "Terse", currentValue: false }],
        availableCommands: [{ type: "command", name: "review", description: "Review a branch" }],
      };
    },
    restoreSession: ({ sessionId }) => {
      throw RpcError.resourceNotFound({ sessionId });
    },
    async prompt(turn) {
      const [block] = turn.prompt;
      const said = block?.type === "text" ? block.text : "";
      if (said !== "ask") return void turn.say(`You said: ${String(said).slice(0, 100)}`);
      const call = turn.toolCall({ title: "Run the tests", kind: "execute" });
      const allowed = await call.ask();
      call.update({ status: allowed ? "completed" : "failed" });
    },
    listSessions: () => ({ sessions: [] }),
    deleteSession() {},
    closeSession() {},
    authMethods: [{ type: "agent", methodId: "web", name: "Web" }],
    login() {},
    logout() {},
    extensions: { "_example/ping": (params) => ({ pong: params }) },
  });
  const served = agent.serve(pipe.channel, {
    limits: { stateBytes: 64 * 1024 },
    onDiagnostic: () => {
      reported++;
    },
  });
  await result(pipe, "hello", "initialize", hellos[dialect]);
  const open = { cwd: "/srv/otter", mcpServers: [] };
  const { sessionId: attacked } = await result(pipe, "open", "session/new", open);
  // Without one that no line can close, a line may agree on another version, as it is free to (V1-INIT-16).
  await result(pipe, "kept", "session/new", { cwd: goodPlace, mcpServers: [] });
  let count = 0;
  return {
    pipe,
    frames: framesToAgent(attacked),
    reported: () => reported,
    async good() {
      count++;
      const { sessionId } = await result(pipe, `new-${count}`, "session/new", { cwd: goodPlace, mcpServers: [] });
      const prompt = [{ type: "text", text: "hi" }];
      const answer = await result(pipe, `prompt-${count}`, "session/prompt", { sessionId, prompt });
      if (dialect !== "v2" && answer.stopReason !== "end_turn") throw new Error(`not ended: ${JSON.stringify(answer)}`);
      if (dialect === "v2" && typeof answer.messageId !== "string") throw new Error("not accepted");
      await result(pipe, `close-${count}`, "session/close", { sessionId });
      // The session under attack may be closed by now, but it never leaves a prompt without any answer.
      pipe.send({ method: "session/cancel", params: { sessionId: attacked } });
      await pipe.request(`attacked-${count}`, "session/prompt", { sessionId: attacked, prompt });
    },
    async close() {
      pipe.end();
      await served.closed;
    },
  };
}

async function result(pipe: RawPipe, id: string, method: string, params: object): Promise<Frame> {
  const answer = await pipe.request(id, method, params);
  if (!("result" in answer)) throw new Error(`${method} failed: ${JSON.stringify(answer.error)}`);
  return answer.result;
}
