import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { allowOnce, createFileHandlers, createTerminalHandlers, v1Dialect, v2Dialect } from "@turnkit/client";
import { createLocalFileHost, createLocalTerminalHost } from "@turnkit/client/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { calls, KEY, said, startCodingAgent } from "./coding-agent.js";
import { call, say } from "./step.js";

describe("what the client offers", () => {
  it("is used: commands run in its terminals, files are read and written by it", async () => {
    const commands: unknown[] = [];
    const written: string[] = [];
    const terminals = createLocalTerminalHost();
    const files = createLocalFileHost();
    const { session, server, folder } = await startCodingAgent({
      dialects: [v1Dialect],
      files: { "a.txt": "one\n" },
      offers: {
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
      },
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
