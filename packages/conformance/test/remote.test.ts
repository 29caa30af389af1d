import { listen } from "@turnkit/remote/node";
import { createRemoteServer } from "@turnkit/remote/server";
import { createByteStreamChannel } from "@turnkit/transport/channels";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { remoteAgent } from "../src/node/remote/remote-agent.js";
import { runProgram } from "../src/node/run-program.js";
import { correctAgent } from "./model/model-sessions.js";

let port: Awaited<ReturnType<typeof listen>>;

beforeAll(async () => {
  const server = createRemoteServer({ open: () => createByteStreamChannel(correctAgent("v1").pipe) });
  port = await listen(server, { limits: { closeMs: 20 } });
});

afterAll(() => port.close());

async function run(...words: string[]) {
  const out = { stdout: "", stderr: "" };
  const code = await runProgram(words, {
    stdout: (text) => {
      out.stdout += text;
    },
    stderr: (text) => {
      out.stderr += text;
    },
  });
  return { code, ...out };
}

describe("conformance agent --url", { timeout: 120_000 }, () => {
  it.each(["http", "ws"])(
    "CONF-13: passes a correct agent over %s, with the checks of the transport",
    async (scheme) => {
      const url = port.url.replace(/^\w+/, scheme);
      const { code, stdout } = await run("agent", "--url", url, "--timeout", "2", "--jobs", "4");
      expect(stdout.split("\n").filter((line) => /^[✗!]/.test(line))).toEqual([]);
      expect(stdout).toContain("✓ TKR-INIT-01");
      expect(stdout).not.toContain("TK-FRAMING-03");
      expect(code).toBe(0);
    },
  );

  it("says what is wrong with an address", async () => {
    expect(() => remoteAgent("ftp://agents.example/")).toThrow("--url needs http, https, ws or wss, not ftp:");
    const { code, stderr } = await run("agent", "--url", "nowhere");
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("nowhere") });
  });
});
