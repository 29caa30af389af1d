import { describe, expect, test } from "vitest";
import type { AgentTerminal, ToolCall, Turn } from "../src/index.js";
import { clientInfo, gate, openAs, seedHello, v2Hello } from "./raw-client.js";

const hellos = { v1: { protocolVersion: 1, clientInfo, clientCapabilities: {} }, v2: v2Hello, seed: seedHello };

/** Runs a prompt for each step, to its end. Returns the reports. */
async function reportsOf(hello: object, ...steps: ((turn: Turn) => unknown)[]): Promise<readonly string[]> {
  let ended = gate();
  const { client, sessionId, diagnostics } = await openAs(hello, {
    prompt: async (turn) => void (await steps.shift()?.(turn)),
  });
  while (steps.length > 0) {
    const before = client.received.length;
    client.prompt(sessionId);
    ended = gate();
    const isEnd = (frame: { params?: { update?: { state?: string } }; result?: { stopReason?: string } }) =>
      frame.params?.update?.state === "idle" || frame.result?.stopReason !== undefined;
    void client.next((frame) => client.received.indexOf(frame) >= before && isEnd(frame)).then(() => ended.open());
    await ended.promise;
  }
  return diagnostics.filter(({ code }) => code === "unfinished").map(({ message }) => message);
}

const watch = 'Tool call "watch" of the session still runs after the end of a turn, and is shown as running.';
const shell = 'Terminal "ls" of the session still runs after the end of a turn, and is shown as running.';

describe.each(Object.entries(hellos))("defect N46: work of a session, in %s,", (_, hello) => {
  test("that nothing ends and no background work lists is reported once", async () => {
    const open = ({ session }: Turn) => {
      session.toolCall({ title: "watch", status: "in_progress" });
      session.terminal({ command: "ls" }).write("out");
    };
    const none = (): void => {};
    expect(await reportsOf(hello, open, none)).toEqual([
      `${watch} Call finish() or fail() when it is done, or list it with session.setBackground.`,
      `${shell} Call exit(), or release() of a local terminal, when it is done, or list it with session.setBackground.`,
    ]);
  });

  test("that has ended, or is listed, is no report until it is not listed any more", async () => {
    let call: ToolCall;
    let terminal: AgentTerminal;
    const open = ({ session }: Turn) => {
      session.toolCall({ title: "read" }).finish();
      session.terminal({ command: "pwd" }).exit({ exitCode: 0 });
      call = session.toolCall({ title: "watch" });
      terminal = session.terminal({ command: "ls" });
      session.setBackground([
        { type: "tool_call", toolCallId: call.id },
        { type: "terminal", terminalId: terminal.terminalId },
      ]);
    };
    const none = (): void => {};
    expect(await reportsOf(hello, open, none)).toEqual([]);
    expect(
      await reportsOf(hello, open, ({ session }) => {
        terminal.exit({ exitCode: 0 });
        session.setBackground([]);
      }),
    ).toEqual([expect.stringContaining(watch)]);
  });
});

test("defect N46: work of a session goes on after a cancelled turn without a report", async () => {
  const began = gate();
  const { client, sessionId, diagnostics } = await openAs(v2Hello, {
    async prompt({ session, signal }) {
      session.toolCall({ title: "watch" });
      began.open();
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    },
  });
  client.prompt(sessionId);
  await began.promise;
  client.cancel(sessionId);
  await client.next(({ params }) => params?.update?.stopReason === "cancelled");
  expect(diagnostics).toEqual([]);
});
