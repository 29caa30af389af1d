import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawnChannel } from "@turnkit/transport/node";
import { expect, onTestFinished, test } from "vitest";
import { RawClient, v2Hello } from "./raw-client.js";

const main: string = JSON.parse(process.env.TURNKIT_TEST_PROGRAMS ?? "{}")[
  fileURLToPath(new URL("./fixtures/kept-main.ts", import.meta.url))
];
const place = { cwd: "/work", mcpServers: [] };

/** An agent in a process of its own, and who talks to it. */
async function launch(folder: string, hello: object) {
  const channel = await spawnChannel([process.execPath, main, folder]);
  onTestFinished(() => channel.close());
  const client = new RawClient(channel);
  await client.result("initialize", hello);
  const kill = async (): Promise<void> => {
    process.kill(channel.pid, "SIGKILL");
    await channel.closed;
  };
  return { client, kill };
}

/** Every text that was said, put together by message. */
function said(client: RawClient): string[] {
  const messages = new Map<string, string>();
  for (const { messageId, content } of client.updates()) {
    if (messageId === undefined) continue;
    for (const { text } of [content].flat()) messages.set(messageId, (messages.get(messageId) ?? "") + text);
  }
  return [...messages.values()].map((text) => text.trim());
}

const whole = (prompt: string): string => Array.from({ length: 20 }, (_, n) => `${prompt}.${n}`).join(" ");

test.each([
  ["version 1", { protocolVersion: 1 }, "session/load", {}],
  ["version 2", v2Hello, "session/resume", { replayFrom: { type: "start" } }],
])(
  "a killed agent has lost no turn of which its client saw the end: %s",
  { timeout: 60_000 },
  async (name, hello, method, params) => {
    const folder = await mkdtemp(join(tmpdir(), "turnkit-log-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
    const begun = await launch(folder, hello);
    const sessionId = await begun.client.newSession();
    await begun.kill();
    const ended: string[] = [];
    let prompts = 0;
    for (const turns of [1, 6]) {
      const { client, kill } = await launch(folder, hello);
      await client.result(method, { sessionId, ...place, ...params });
      const received = said(client);
      for (const prompt of ended)
        expect(received.slice(received.indexOf(prompt)).slice(0, 2)).toEqual([prompt, whole(prompt)]);
      const replayed = client.updates("state_update").length;
      for (let turn = 0; turn < turns; turn++) {
        const prompt = `prompt ${prompts++}`;
        await client.ask(sessionId, prompt);
        if (name === "version 2") await client.update("state_update", replayed + 2 * turn + 1);
        ended.push(prompt);
      }
      // It dies in the middle of the next one.
      client.prompt(sessionId, `prompt ${prompts++}`);
      await client.next(({ params: { update } = {} }) => update?.content?.text?.startsWith(`prompt ${prompts - 1}.3`));
      await kill();
    }
    const { client } = await launch(folder, hello);
    expect((await client.result("session/list")).sessions).toMatchObject([{ sessionId, cwd: "/work" }]);
    await client.result(method, { sessionId, ...place, ...params });
    const received = said(client);
    for (const prompt of ended)
      expect(received.slice(received.indexOf(prompt)).slice(0, 2)).toEqual([prompt, whole(prompt)]);
    expect(ended).toHaveLength(7);
  },
);
