import { expect, it, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { codingAgent, turnkit } from "../interop/programs.js";
import { startCutProxy } from "../remote/cut-proxy.js";
import { startListeningAgent, token } from "../remote/listening-agent.js";
import { keys, PseudoTerminal } from "./pseudo-terminal.js";

// Each starts three programs.
vi.setConfig({ testTimeout: 90_000 });

it("defect N70: a cut connection comes back by itself, a lost one too if the server runs, and the draft stays", async () => {
  const kept = ["--model", "reviewer", "--sessions", await createFolder()];
  const start = async () => {
    const agent = await startListeningAgent(kept, { agent: codingAgent });
    return { ...agent, port: Number(new URL(agent.url).port) };
  };
  const first = await start();
  const proxy = await startCutProxy(first.port);
  const url = `ws://127.0.0.1:${proxy.port}/`;
  await using terminal = await PseudoTerminal.open({
    command: [...turnkit, "--url", url],
    ...{ cwd: await createFolder(), env: { TURNKIT_TOKEN: token } },
  });
  await terminal.until((screen) => /^❯/m.test(screen) && !/^● (?:Starting|Opening)/m.test(screen));
  terminal.type(`Hello${keys.enter}`);
  await terminal.until((screen) => /❯ Hello[\s\S]*I review/.test(screen) && !screen.includes("Working"));

  proxy.cut();
  await terminal.until(/◌ The connection is cut\. Attempt \d/);
  terminal.type("my long draft");
  await terminal.until(/◌ The connection is cut\.[\s\S]*^❯ my long draft$/m);
  proxy.lead(first.port);
  await terminal.until((screen) => !screen.includes("connection is cut") && /^❯ my long draft$/m.test(screen));
  terminal.type(keys.enter);
  await terminal.until((screen) => /❯ my long draft[\s\S]*I review/.test(screen) && !screen.includes("Working"));

  // Another agent has the sessions, but does not know the connection.
  const second = await start();
  proxy.cut();
  first.kill("SIGKILL");
  await first.ended;
  proxy.lead(second.port);
  // defect N70: the server answers, so the conversation goes on without a key.
  terminal.type("once more");
  await terminal.until(/The connection is back, and the conversation is restored\.[\s\S]*^❯ once more$/m);
  terminal.type(keys.enter);
  await terminal.until((screen) => /❯ once more[\s\S]*I review/.test(screen) && !screen.includes("Working"));

  terminal.type(keys.ctrlC);
  await terminal.until(/Ctrl-C again/);
  terminal.type(keys.ctrlC);
  expect(await terminal.exited).toBe(0);
  expect(terminal.transcript().replaceAll("\n", "")).toMatch(
    new RegExp(`To continue this session: +turnkit +--session +[-\\w ]+ +--url +${url}`),
  );
});
