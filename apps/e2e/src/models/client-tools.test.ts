import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { allowOnce, createFileHandlers, createTerminalHandlers, v1Dialect, v2Dialect } from "@turnkit/client";
import { createLocalFileHost, createLocalTerminalHost } from "@turnkit/client/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { reasonAgainst } from "../hostile/escape/bubblewrap.js";
import { calls, KEY, said, startCodingAgent } from "./coding-agent.js";
import { call, say } from "./step.js";

const noSandbox = await reasonAgainst();

/** Client with terminals and files, which records their use. */
function offering() {
  const commands: unknown[] = [];
  const written: string[] = [];
  const terminals = createLocalTerminalHost();
  const files = createLocalFileHost();
  const offers = {
    terminals: createTerminalHandlers({
      create(request, of) {
        commands.push([request.command, request.args]);
        return terminals.create(request, of);
      },
    }),
    files: createFileHandlers({
      readTextFile: files.readTextFile,
      writeTextFile(request, of) {
        written.push(request.path);
        return files.writeTextFile(request, of);
      },
    }),
  };
  return { commands, written, offers };
}

describe("what the client offers", () => {
  it("is used: commands run in its terminals, files are read and written by it", async () => {
    const { commands, written, offers } = offering();
    const { session, server, folder } = await startCodingAgent({
      dialects: [v1Dialect],
      args: ["--sandbox", "off"],
      files: { "a.txt": "one\n" },
      offers,
      script: [
        [call("edit_file", { path: "a.txt", edits: [{ oldText: "one", newText: "two" }] })],
        [call("run_command", { command: "node -e 'console.log(6 * 7)'" })],
        [say("Done.")],
      ],
    });
    await session.prompt("Do it.").ended;
    expect(calls(session.state)).toEqual(["Edit a.txt: completed", "node -e 'console.log(6 * 7)': completed"]);
    expect(commands).toEqual([["node", ["-e", "console.log(6 * 7)"]]]);
    expect(written).toEqual([join(folder, "a.txt")]);
    expect(server.requests[2]?.results).toEqual(["42\nExit code 0."]);
    const [terminal] = session.state.terminals;
    expect(terminal).toMatchObject({ text: "42\n", exitStatus: { exitCode: 0 } });
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("two\n");
  });

  it.skipIf(noSandbox !== undefined)(
    `is not used for a sandboxed command, but for one outside of the sandbox${noSandbox === undefined ? "" : ` (skipped: ${noSandbox})`}`,
    async () => {
      const { commands, offers } = offering();
      const places: (string | undefined)[] = [];
      const { session, server } = await startCodingAgent({
        dialects: [v1Dialect],
        args: ["--mode", "auto"],
        offers,
        permissions: (question) => {
          places.push(question.options[0]?.name);
          return allowOnce(question);
        },
        script: [
          [call("run_command", { command: "node -p 6*7" })],
          [call("run_command", { command: "node -p 49", outside_sandbox: true })],
          [say("Done.")],
        ],
      });
      await session.prompt("Do it.").ended;
      expect([server.requests[1]?.results, server.requests[2]?.results]).toEqual([
        ["42\nExit code 0."],
        ["49\nExit code 0."],
      ]);
      expect(commands).toEqual([["node", ["-p", "49"]]]);
      expect(places).toEqual(["Run it (not sandboxed: the model asks to run it outside of the sandbox)"]);
    },
  );

  it("is done without: the command's output is seen as it comes, and the key is not in its environment", async () => {
    const { session, server } = await startCodingAgent({
      dialects: [v2Dialect],
      script: [[call("run_command", { command: "node -p 'JSON.stringify(process.env)'" })], [say("Done.")]],
    });
    await session.prompt("Show me.").ended;
    const [shown] = session.state.terminals;
    expect(shown?.text).toContain('"PATH":');
    expect(shown?.exitStatus).toMatchObject({ exitCode: 0 });
    for (const text of [shown?.text, JSON.stringify(server.requests[1]?.results)]) expect(text).not.toContain(KEY);
  });
});

describe("fetch_url", () => {
  it("is there only where the configuration says so, and asks", async () => {
    const pages = createServer((_, response) => response.setHeader("content-type", "text/html").end("<p>Hello</p>"));
    await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void pages.close());
    const url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`;
    const without = await startCodingAgent({ script: [[call("fetch_url", { url })], [say("No.")]] });
    await without.session.prompt("Fetch it.").ended;
    expect(without.server.requests[0]?.tools).not.toContain("fetch_url");
    expect(without.server.requests[1]?.results[0]).toContain("There is no tool `fetch_url`");

    const asked: string[] = [];
    const { session, server } = await startCodingAgent({
      config: { fetch: true },
      script: [[call("fetch_url", { url })], [say("It says hello.")]],
      permissions(question) {
        asked.push(question.title);
        return allowOnce(question);
      },
    });
    await session.prompt("Fetch it.").ended;
    expect(asked).toEqual([`Fetch ${url}`]);
    expect(server.requests[1]?.results).toEqual(["Hello"]);
    expect(said(session.state)).toBe("It says hello.");
  });
});
