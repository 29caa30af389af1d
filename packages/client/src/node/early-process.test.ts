import type { Diagnostic } from "@turnkit/transport";
import { spawnChannel } from "@turnkit/transport/node";
import { expect, test, vi } from "vitest";
import { launch } from "./launch.js";

const info = { name: "test-client", version: "1.0.0" };

const agent = `
  process.stderr.write("early words");
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    const result = method === "initialize" ? { protocolVersion: 1 } : { sessionId: "s-1" };
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  });
`;

test("a process that was started before becomes the agent, and ends with the client", async () => {
  let early = "";
  const begun = await spawnChannel([process.execPath, "-e", agent], { onStderr: (text) => (early += text) });
  await vi.waitFor(() => expect(early).toBe("early words"));
  const diagnostics: Diagnostic[] = [];
  const received: string[] = [];
  const client = await launch(["my-agent"], {
    info,
    spawn: async (command, { onStderr }) => {
      expect(command).toEqual(["my-agent"]);
      onStderr?.(early);
      return begun;
    },
    onDiagnostic: (one) => diagnostics.push(one),
    onStderr: (text) => received.push(text),
  });
  expect(client.pid).toBe(begun.pid);
  expect((await client.newSession({ cwd: "/work" })).id).toBe("s-1");
  await client.close();
  expect(await begun.closed).toMatchObject({ kind: "local", exitCode: 0 });
  expect({ diagnostics, received }).toEqual({ diagnostics: [], received: ["early words"] });
});

test("a process that has ended before the launch is reported with its exit code and its last words", async () => {
  const begun = await spawnChannel([process.execPath, "-e", "console.error('no model'); process.exit(3)"]);
  await vi.waitFor(() => expect(() => process.kill(begun.pid, 0)).toThrow());
  await expect(launch(["my-agent"], { info, spawn: async () => begun })).rejects.toMatchObject({
    code: "connection_closed",
    message: expect.stringMatching(/exited with code 3\..*my-agent\nno model/s),
  });
});
