import { expect, test, vi } from "vitest";
import type { HostTerminal, TerminalExit } from "../src/index.js";
import { back, gate, openSession, settle } from "./raw-agent.js";

test("defect B2: a terminal that was asked for before a restore, and starts after it, is the restored session's", async () => {
  const release = vi.fn();
  const terminal: HostTerminal = {
    output: () => ({ output: "", truncated: false }),
    exited: new Promise(() => undefined),
    kill: () => undefined,
    release,
    onData: () => () => undefined,
  };
  const { agent, client, session } = await openSession({ terminals: { create: () => terminal } });
  const busy = gate();
  session.onEvent(() => busy.promise);
  const restoring = client.restore("s-1", { cwd: "/work" });
  const call = await agent.call("session/load");
  // An idle session gets it during a restore, so its listener runs from then on.
  agent.update("s-1", { sessionUpdate: "available_commands_update", availableCommands: [] });
  agent.request("c", "terminal/create", { sessionId: "s-1", command: "watch" });
  await settle(agent);
  agent.answer(call, {});
  await settle(agent);
  busy.open();
  const restored = await back(restoring);
  const { terminalId } = (await agent.answerTo("c")).result;
  agent.request("o", "terminal/output", { sessionId: "s-1", terminalId });
  expect((await agent.answerTo("o")).error).toBeUndefined();
  expect(restored.state.terminals.get(terminalId)).toMatchObject({ command: "watch" });
  const closing = restored.close();
  agent.answer(await agent.call("session/close"), {});
  await closing;
  expect(release).toHaveBeenCalledTimes(1);
});

test("defect B2: a terminal of an open session is the restored session's, with its output", async () => {
  const exit = gate<TerminalExit>();
  const listeners: ((bytes: Uint8Array) => void)[] = [];
  const bytes = (text: string) => new TextEncoder().encode(text);
  let output = "";
  const release = vi.fn();
  const terminal: HostTerminal = {
    output: () => ({ output, truncated: false }),
    exited: exit.promise,
    kill: () => undefined,
    release,
    onData: (listener) => {
      listeners.push(listener);
      return () => undefined;
    },
  };
  const { agent, client, session } = await openSession({ terminals: { create: () => terminal } });
  const write = (text: string) => {
    output += text;
    for (const listener of listeners) listener(bytes(text));
  };
  agent.request("c", "terminal/create", { sessionId: "s-1", command: "watch", args: ["-q"] });
  const { terminalId } = (await agent.answerTo("c")).result;
  write("one ");
  const restoring = client.restore("s-1", { cwd: "/work" });
  const call = await agent.call("session/load");
  agent.request("o", "terminal/output", { sessionId: "s-1", terminalId });
  expect((await agent.answerTo("o")).result).toMatchObject({ output: "one " });
  agent.answer(call, {});
  const restored = await back(restoring);
  write("two");
  exit.open({ exitCode: 0, signal: null });
  await settle(agent);
  expect(release).not.toHaveBeenCalled();
  expect(restored.state.terminals.get(terminalId)).toMatchObject({
    command: "watch -q",
    text: "one two",
    exitStatus: { exitCode: 0 },
  });
  expect(session.state.terminals.get(terminalId)).toMatchObject({ text: "one " });
  agent.request("r", "terminal/release", { sessionId: "s-1", terminalId });
  expect((await agent.answerTo("r")).error).toBeUndefined();
  expect(release).toHaveBeenCalledTimes(1);
});
