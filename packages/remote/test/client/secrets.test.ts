import { describe, expect, it, vi } from "vitest";
import { openRemote, type RemoteOptions } from "../../src/client/index.js";
import { refuse, startRawServer } from "./raw-server.js";
import { RawSocketServer, webSocket } from "./raw-socket-server.js";
import { quick, RemoteClient } from "./remote-client.js";

const token = 'tok-5f2e9c"8b7a6d';
const apiKey = "key/with spaces 77";
const options: RemoteOptions = { token, headers: { "X-Api-Key": apiKey, "X-Own": "me" } };

/** Everything that the client under test said to its program, as one text. */
async function said(client: RemoteClient): Promise<string> {
  const { cause, ...reason } = await client.closed;
  const texts = [reason, client.frames, client.states, client.diagnostics, client.invalid].map((one) =>
    JSON.stringify(one),
  );
  return [
    ...texts,
    ...errorTexts(cause),
    ...client.states.flatMap((state) => errorTexts("reason" in state && state.reason.cause)),
  ].join("\n");
}

function errorTexts(error: unknown): readonly string[] {
  return error instanceof Error ? [error.message, error.stack ?? "", ...errorTexts(error.cause)] : [];
}

/** Fails if a text contains a secret, its JSON form or a long part of it. */
function expectNoSecret(text: string): void {
  for (const secret of [token, apiKey, "tok-5f2e9c", JSON.stringify(token).slice(1, -1), encodeURIComponent(apiKey)])
    expect(text).not.toContain(secret);
}

describe("a server that repeats the headers of a request", () => {
  const echo = `You sent: Bearer ${token}, ${apiKey}, ${encodeURIComponent(apiKey)}`;
  it.each([
    ["401 with a plain text", 401, echo],
    ["500 with JSON", 500, { headers: { authorization: `Bearer ${token}`, own: [apiKey] } }],
    ["500 with a text that is cut within the token", 500, `${"x".repeat(8178)}${token}`],
    [
      "500 with escapes of JSON",
      500,
      `{"a":"${[...token].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"}`,
    ],
    ["409", 409, echo],
  ])("%s to a request: no secret is in the error, and the rest of the text stays", async (_, status, body) => {
    const server = await startRawServer(refuse("POST session/prompt s-1", status, { body }));
    const client = await RemoteClient.connect(server.url, { ...options, reconnect: false });
    client.prompt(1, "s-1");
    if (status === 401) await client.closed;
    else await client.answer(1);
    await client.channel.close();
    const text = await said(client);
    expectNoSecret(text);
    expect(text).toContain(`HTTP ${status}`);
    if (status === 409) expect(text).toContain("You sent: Bearer [redacted], [redacted], [redacted]");
  });

  it.each([401, 200])("%i to initialize", async (status) => {
    const server = await startRawServer(refuse("POST initialize", status, { body: `${token} ${apiKey}` }));
    const client = await RemoteClient.open(server.url, options);
    client.call(0, "initialize");
    expectNoSecret(await said(client));
  });

  it("the refusal of a stream, while it is reopened", async () => {
    const server = await startRawServer(refuse("GET stream s-1", 503, { body: echo }));
    server.isResumable = true;
    const client = await RemoteClient.connect(server.url, { ...options, reconnect: { ...quick, attempts: 2 } });
    client.prompt(1, "s-1");
    const text = await said(client);
    expectNoSecret(text);
    expect(client.states.some(({ status }) => status === "reconnecting")).toBe(true);
    expect(text).toContain("You sent: Bearer [redacted]");
  });

  it("a line that is no JSON", async () => {
    const server = await startRawServer();
    const client = await RemoteClient.connect(server.url, options);
    await server.ask("GET stream");
    server.write(undefined, `data: ${"x".repeat(190)} ${token}\n\ndata: ${token}\n\n`);
    await client.until(() => client.invalid.length === 2);
    await client.channel.close();
    expectNoSecret(await said(client));
    expect(client.invalid.join()).not.toContain("tok-");
  });

  it("cookies are secrets too", async () => {
    const server = await startRawServer(refuse("POST session/list", 500, { body: "Cookie: node=server-7-of-9" }));
    const cookies = { read: () => "node=server-7-of-9; b=2", write: () => {} };
    const client = await RemoteClient.connect(server.url, { cookies, reconnect: false });
    client.call(1, "session/list");
    expect((await client.answer(1)).error.data.body).toBe("Cookie: node=[redacted]");
  });

  it("earlier tokens of a function are secrets, and short values are none", async () => {
    let turn = 0;
    const server = await startRawServer(
      refuse("POST session/list", 500, { body: "token-of-1 and token-of-2, you: me" }),
    );
    const client = await RemoteClient.connect(server.url, {
      ...{ token: () => `token-of-${++turn}`, reconnect: false, headers: { "X-Own": "me", "X-Api-Key": "y" } },
    });
    client.call(1, "session/list");
    expect((await client.answer(1)).error.data.body).toBe("[redacted] and [redacted], you: me");
  });

  it.each([4000, 1011, 1000])("a WebSocket that is closed with %i and the token as its reason", async (code) => {
    const server = await RawSocketServer.start();
    const client = await RemoteClient.open(server.url, { ...options, webSocket, reconnect: { ...quick, attempts: 1 } });
    client.call(0, "initialize");
    const socket = await server.socket();
    await socket.initialize(true);
    await client.answer(0);
    server.refusal = 503;
    socket.socket.close(code, `${"x".repeat(100)} ${token}`.slice(0, 115));
    const text = await said(client);
    expectNoSecret(text);
    expect(text).toContain("xxx");
  });

  it("a WebSocket whose resume is refused with the token", async () => {
    const server = await RawSocketServer.start();
    const client = await RemoteClient.open(server.url, { ...options, webSocket });
    client.call(0, "initialize");
    const socket = await server.socket();
    await socket.initialize(true);
    await client.answer(0);
    socket.socket.terminate();
    const next = await server.socket(1);
    const { id } = await next.frame("stream/resume");
    next.send({ id, error: { code: 1, message: `${"x".repeat(195)}${token}` } });
    const text = await said(client);
    expectNoSecret(text);
    expect(text).not.toContain("xtok");
    expect(text).toContain("was not resumed");
  });
});

describe("a token or a header that cannot be sent", () => {
  const faults = ["secret-1\nsecret-2", "secret-1\r\nX: secret-2", "secret-1\0secret-2", "secret-1€secret-2"];
  it.each(faults)("%j ends a connection over HTTP with the remedy, and without the value", async (value) => {
    for (const faulty of [{ token: value }, { token: () => value }, { headers: { "X-Key": value } }]) {
      const server = await startRawServer();
      const client = await RemoteClient.open(server.url, faulty);
      client.call(0, "initialize");
      const text = await said(client);
      expect(text).not.toMatch(/secret-[12]/);
      expect(text).toContain("cannot be sent: remove line breaks, NUL");
      expect(server.log).toEqual([]);
    }
  });

  it.each(faults)("%j refuses to open a WebSocket with the remedy, and without the value", async (value) => {
    const server = await RawSocketServer.start();
    for (const faulty of [{ token: value }, { headers: { "X-Key": value } }]) {
      const error = await openRemote(server.url, { webSocket, ...faulty }).catch((one: unknown) => one);
      expect(errorTexts(error).join()).not.toMatch(/secret-[12]/);
      expect((error as Error).message).toContain("cannot be sent: remove line breaks, NUL");
    }
  });

  it("a name of a header that is not allowed is no value", async () => {
    const server = await startRawServer();
    const client = await RemoteClient.open(server.url, { headers: { "a\nb": "secret-1" } });
    client.call(0, "initialize");
    expect(await said(client)).toContain("a name that cannot be sent");
  });

  it("a line break at the end of a token, as out of a file, is left out", async () => {
    const server = await startRawServer();
    await RemoteClient.connect(server.url, { token: "from-a-file\r\n" });
    expect((await server.ask("POST initialize")).headers.authorization).toBe("Bearer from-a-file");
  });

  it("a token that a browser cannot send as a subprotocol", async () => {
    vi.stubGlobal("document", {});
    try {
      const error = await openRemote("ws://127.0.0.1:1/acp", {
        token: "secret 1",
        webSocket: (_url, { protocols }) => {
          throw new SyntaxError(`The subprotocol '${protocols[1]}' is invalid.`);
        },
      }).catch((one: unknown) => one);
      expect(errorTexts(error).join()).not.toContain("secret 1");
      expect((error as Error).message).toContain("carries only letters, digits and");
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
