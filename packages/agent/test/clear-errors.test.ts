import { describe, expect, test } from "vitest";
import { createAgentWith, type Turn } from "../src/index.js";
import { clientInfo, connectAs, info, openAs } from "./raw-client.js";

const hello = { protocolVersion: 1, clientInfo };

describe("defect N108: an error of a wrong call says what to do", () => {
  async function thrownBy(prompt: (turn: Turn) => unknown): Promise<string> {
    let thrown = "";
    const { client, sessionId } = await openAs(hello, {
      async prompt(turn) {
        try {
          await prompt(turn);
        } catch (error) {
          thrown = (error as Error).message;
        }
      },
    });
    await client.ask(sessionId);
    return thrown;
  }

  test("finish that was taken out of its call", async () => {
    const thrown = await thrownBy((turn) => {
      const { finish } = turn.toolCall({ title: "t" });
      finish();
    });
    expect(thrown).toBe("call.finish was called without its call: call it as call.finish(…).");
  });

  test("run with a promise", async () => {
    const thrown = await thrownBy((turn) => turn.toolCall({ title: "t" }).run(Promise.resolve(1) as never));
    expect(thrown).toBe("run of a tool call got a promise: pass the work as a function.");
  });

  test.each([
    ["an empty list", []],
    ["a dialect of the client", [{ hello: () => ({}) }]],
  ])("createAgentWith refuses %s", (_, dialects) => {
    expect(() => createAgentWith(dialects as never, { info, prompt() {} })).toThrow(
      "createAgentWith dialects got a list: pass a list of dialects of @turnkit/agent, such as [v1Dialect].",
    );
  });

  test("closeSession that throws is reported with its reason", async () => {
    const { client, diagnostics } = await connectAs(hello, {
      closeSession() {
        throw new Error("disk full");
      },
    });
    await client.result("session/close", { sessionId: await client.newSession() });
    expect(diagnostics).toMatchObject([{ code: "listener_failed", message: "closeSession failed: disk full" }]);
  });
});
