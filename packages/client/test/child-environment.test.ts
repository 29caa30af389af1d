import { childEnvironment } from "@turnkit/transport/node";
import { describe, expect, test } from "vitest";
import { launch } from "../src/node/launch.js";
import { createLocalTerminalHost } from "../src/node/terminals.js";

describe("unless they are told otherwise", () => {
  const show = "console.log(process.env.TURNKIT_TEST_TOKEN + ' ' + (process.env.PATH !== undefined))";

  test.each([
    ["nothing of it", {}, "undefined true\n"],
    [
      "what is granted",
      { env: childEnvironment({ values: { TURNKIT_TEST_TOKEN: "granted-to-it" } }) },
      "granted-to-it true\n",
    ],
  ])("agents and commands see of this process's secrets: %s", async (_, options, seen) => {
    process.env.TURNKIT_TEST_TOKEN = "secret";
    try {
      const session = { sessionId: "s", cwd: "/", roots: ["/"], signal: new AbortController().signal };
      const terminal = await createLocalTerminalHost(options).create(
        { command: process.execPath, args: ["-e", show] },
        session,
      );
      await terminal.exited;
      expect(terminal.output().output).toBe(seen);
      const info = { name: "test", version: "1" };
      const said = show.replace("log", "error");
      // What it was told in confidence is taken out of errors all the same.
      const shown = seen.replace("granted-to-it", "[redacted]").trimEnd();
      await expect(launch([process.execPath, "-e", said], { info, ...options })).rejects.toMatchObject({
        message: expect.stringContaining(shown),
      });
    } finally {
      delete process.env.TURNKIT_TEST_TOKEN;
    }
  });
});
