import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { spread } from "../cells.js";
import type { Measure } from "../scenario.js";
import type { Profile } from "./remote.js";
import { type RemoteName, remotes } from "./remotes.js";

const serverProgram = fileURLToPath(new URL("./remote-server.js", import.meta.url));

/** Starts the server of an implementation in a process of its own. */
async function startServer(name: RemoteName) {
  const child = spawn(process.execPath, [...process.execArgv, serverProgram, name], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const port = Number((await once(lines, "line"))[0]);
  return {
    port,
    async rss() {
      child.stdin.write("\n");
      return Number((await once(lines, "line"))[0]);
    },
    stop: () => void child.kill(),
  };
}

/**
 * Measures updates per second from a server's process to a listener. The warm-up has as many updates, at most 20 000.
 */
export function measureRemoteRate(name: RemoteName, profile: Profile): Measure {
  return async (count) => {
    const server = await startServer(name);
    const client = await (await remotes[name]()).connect(server.port, profile);
    let received = 0;
    const talk = await client.newSession(() => {
      received += 1;
    });
    await talk.prompt({ kind: "chunk", count: Math.min(count, 20_000) });
    received = 0;
    const started = performance.now();
    await talk.prompt({ kind: "chunk", count });
    // Over HTTP, an answer may arrive before the last updates of some implementations.
    while (received < count && performance.now() - started < 60_000)
      await new Promise((resolve) => setImmediate(resolve));
    const seconds = (performance.now() - started) / 1000;
    if (received !== count) throw new Error(`${name} reported ${received} of ${count}`);
    server.stop();
    return { rate: count / seconds };
  };
}

/**
 * Measures the time from an agent's call to the listener of the client, in milliseconds. Both sides have the same
 * clock.
 */
export function measureFirstByte(name: RemoteName, profile: Profile): Measure {
  return async (count) => {
    const server = await startServer(name);
    const client = await (await remotes[name]()).connect(server.port, profile);
    const times: number[] = [];
    let onFirstUpdate = () => {};
    const talk = await client.newSession((text) => {
      times.push(performance.timeOrigin + performance.now() - Number(text));
      onFirstUpdate();
    });
    for (let index = 0; index < count * 2; index += 1) {
      const arrived = new Promise<void>((resolve) => {
        onFirstUpdate = resolve;
      });
      await talk.prompt({ kind: "clock", count: 1 });
      await arrived;
    }
    server.stop();
    const measured = times.slice(count).sort((a, b) => a - b);
    return { p50: spread(measured).median, p99: measured[Math.floor(measured.length * 0.99)] ?? Number.NaN };
  };
}

/** Measures the memory that connections with one session each add to a server, in MiB. */
export function measureRemoteConnections(name: RemoteName, profile: Profile): Measure {
  return async (count) => {
    const server = await startServer(name);
    const remote = await remotes[name]();
    const open = async () => {
      const client = await remote.connect(server.port, profile);
      await client.newSession(() => {});
      return client;
    };
    const kept = [await open()];
    await server.rss();
    const before = await server.rss();
    while (kept.length <= count) kept.push(...(await Promise.all(Array.from({ length: 20 }, open))));
    await server.rss();
    const growth = (await server.rss()) - before;
    server.stop();
    return { growth: (growth / 2 ** 20) * (count / (kept.length - 1)) };
  };
}
