import { expect, it } from "vitest";
import { startAgent } from "./start-agent.js";

it("an agent that does not answer in time is ended, and the advice is one that can be followed here", async () => {
  const silent = [process.execPath, "-e", "process.stdin.resume()"] as const;
  const setup = { command: silent, directory: process.cwd(), dialects: ["v1"], mcpServers: [] } as const;
  await expect(startAgent({ ...setup, startTimeoutMs: 200 }, {})).rejects.toMatchObject({
    code: "spawn",
    message: expect.stringMatching(
      /did not answer within 0\.2 s\. .*or for one prompt give it longer with --timeout\.$/,
    ),
  });
});
