import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryPair } from "@turnkit/transport/channels";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UsageError } from "../exit-code.js";
import { agentIdentity, readSetup } from "../setup/setup.js";
import { startAgent } from "../setup/start-agent.js";
import { plainWarning, readRemoteAgent } from "./remote-agent.js";
import { setUpAgent } from "./set-up-agent.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnkit-remote-"));
});
afterAll(() => rm(folder, { recursive: true }));

const fileOf = async (text: string, mode: number) => {
  const path = join(folder, String(mode));
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
};

describe("an agent behind an address", () => {
  it("has the token of its private file, or else of the variable", async () => {
    const tokenFile = await fileOf("of-the-file\n", 0o600);
    const env = { TURNKIT_TOKEN: "of-the-variable" };
    const url = "wss://a.example/acp";
    expect(await readRemoteAgent({ url, tokenFile }, env)).toEqual({ url: new URL(url), token: "of-the-file" });
    expect((await readRemoteAgent({ url }, env)).token).toBe("of-the-variable");
    expect(await readRemoteAgent({ url }, { TURNKIT_TOKEN: "" })).toEqual({ url: new URL(url) });
  });

  it.each([
    ["wss://me:hunter2@a.example", /--url has a secret/],
    ["wss://hunter2@a.example", /--url has a secret/],
    ["https://a.example/acp?api_key=hunter2", /Put the token into TURNKIT_TOKEN, or into a private file/],
    ["ftp://hunter2", /with ws, wss, http or https/],
    ["hunter2", /an address such as wss:/],
  ])("is not %s, and the error repeats nothing", async (url, message) => {
    const refused = readRemoteAgent({ url }, {});
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow("hunter2");
  });

  it.skipIf(process.platform === "win32")(
    "has no token of a file that others can read, or with several lines",
    async () => {
      const read = async (text: string, mode: number) =>
        readRemoteAgent({ url: "ws://a", tokenFile: await fileOf(text, mode) }, {});
      await expect(read("hunter2", 0o640)).rejects.toThrow(/other users can read it\. Run chmod 600/);
      await expect(read("hunter2\nother", 0o600)).rejects.toThrow(/has no token: it must be one line/);
      await expect(read("hunter2\nother", 0o600)).rejects.not.toThrow("hunter2");
    },
  );

  it("keeps remembered answers by its origin, over HTTP and WebSocket", async () => {
    const identity = async (url: string) => agentIdentity({ remote: await readRemoteAgent({ url }, {}) });
    const [one, same, other, plain] = await Promise.all(
      ["wss://a.example/acp", "https://a.example/other", "wss://a.example:8443/acp", "ws://a.example/acp"].map(
        identity,
      ),
    );
    expect(same).toEqual(one);
    expect([other, plain]).not.toContainEqual(one);
  });

  it("is warned about if the network can read its messages", async () => {
    const warning = async (url: string, TURNKIT_TOKEN = "") =>
      plainWarning(await readRemoteAgent({ url }, { TURNKIT_TOKEN }));
    expect(await warning("ws://a.example", "t")).toMatch(/not encrypted: .* can read the conversation and the token/);
    expect(await warning("http://a.example")).toMatch(/can read the conversation\.$/);
    for (const url of ["wss://a.example", "https://a.example", "ws://127.0.0.1:1", "http://localhost", "ws://[::1]:1"])
      expect(await warning(url)).toBeUndefined();
  });
});

describe("the setup of a remote agent", () => {
  const choice = { url: "ws://a.example", dialects: ["v1"], mcp: [], readOnly: false, noTerminals: false } as const;

  it("has a folder of the other machine, which is not looked for here", async () => {
    expect(await readSetup({ ...choice, cwd: "/no/such/folder" }, {})).toMatchObject({ directory: "/no/such/folder" });
    await expect(readSetup({ ...choice, cwd: "project" }, {})).rejects.toThrow(/full path on the agent's machine/);
  });

  it("offers nothing of this machine, or with --share all that the other options leave", async () => {
    expect(await readSetup(choice, {})).toMatchObject({ noFiles: true, noTerminals: true });
    expect(await readSetup({ ...choice, share: true, readOnly: true }, {})).toMatchObject({
      ...{ noFiles: false, noTerminals: false, readOnly: true },
    });
  });

  it("has a trace without its token, which an agent may repeat", async () => {
    const trace = join(folder, "wire.jsonl");
    const setup = await readSetup({ ...choice, trace, tokenFile: await fileOf("plain-words-only", 0o600) }, {});
    const [near, far] = createMemoryPair();
    setup.trace?.record(near).send({ jsonrpc: "2.0", method: "_echo", params: { text: "plain-words-only" } });
    await Promise.all([near.close(), far.close()]);
    expect(await setup.trace?.close()).toBeUndefined();
    const written = await readFile(trace, "utf8");
    expect(written).toContain("_echo");
    expect(written).not.toContain("plain-words-only");
  });

  it("advertises no login on the terminal, although there is one, and says that a token is missing", async () => {
    const hellos: string[] = [];
    const server = createServer(async (request, answer) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      hellos.push(body);
      answer.writeHead(401).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const starting = startAgent(await readSetup({ ...choice, url }, {}), { terminalLogin: true });
    await expect(starting).rejects.toThrow(/needs a token\. Put it into TURNKIT_TOKEN, or into a private file/);
    server.close();
    expect(JSON.parse(hellos[0] ?? "").params.clientCapabilities.auth?.terminal ?? false).toBe(false);
  });

  it.each(["http", "ws"])("that answers nothing over %s has only the time of --timeout", async (scheme) => {
    const asked: unknown[] = [];
    const server = createServer((request) => asked.push(request.url)).on("upgrade", (request) =>
      asked.push(request.url),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const starting = startAgent(await readSetup({ ...choice, url, timeoutMs: 1000 }, {}), {});
    await expect(starting).rejects.toThrow(`The agent at ${url} did not answer within 1 s.`);
    expect(asked).toEqual(["/"]);
    server.closeAllConnections();
    server.close();
  });

  it("cannot be the default agent, because agents.json stores commands", async () => {
    const invocation = { ...choice, kind: "setup", name: "mine", yes: true } as const;
    const refused = setUpAgent(invocation as never, {} as never);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow("setup: an agent behind an address cannot be the default. Leave out --url.");
  });

  it("refuses MCP servers that are programs of this machine", async () => {
    const file = join(folder, "mcp.json");
    await writeFile(file, JSON.stringify({ mcpServers: { mine: { command: process.execPath } } }));
    await expect(readSetup({ ...choice, mcp: [file] }, {})).rejects.toThrow(/--mcp: mine is a program of this machine/);
  });
});
