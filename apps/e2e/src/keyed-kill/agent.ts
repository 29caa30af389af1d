import { createAgent, type SessionLog, type SessionLogWriter } from "@turnkit/agent";
import { createFileLog } from "@turnkit/agent/node";
import type { KillPoint } from "./points.js";

const files = createFileLog(process.env.TURNKIT_KILL_FOLDER ?? "");

/** Moment at which this process kills itself. The client sets it by `_kill_at`. */
let point: KillPoint = "never";

function reached(name: KillPoint): void {
  if (name === point) process.kill(process.pid, "SIGKILL");
}

/** Log of files that dies at the chosen moment of a keyed prompt. */
const log: SessionLog = {
  ...files,
  async open(sessionId, info) {
    const writer: SessionLogWriter = await files.open(sessionId, info);
    return {
      append(event) {
        const isKeyed = event.promptKey !== undefined;
        if (isKeyed) reached("before the record");
        const room = writer.append(event);
        if (isKeyed) reached("with the record unwritten");
        return room;
      },
      async commit() {
        reached("before the commit");
        await writer.commit();
        reached("before the answer");
      },
      onProblem: (listener) => writer.onProblem?.(listener),
      [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose]() as Promise<void>,
    };
  },
};

export default createAgent({
  info: { name: "killed", version: "1.0.0" },
  log,
  extensions: {
    _kill_at: (params) => {
      ({ point } = params as { readonly point: KillPoint });
      return {};
    },
  },
  prompt(turn) {
    reached("in the work");
    turn.say("Done.");
  },
});
