import { describe, expect, test, vi } from "vitest";
import { openRemote } from "../src/client/index.js";
import { listen } from "../src/node/index.js";
import { createRemoteServer } from "../src/server/index.js";
import { serverOf } from "./node/stand.js";
import { RawAgent } from "./server/raw-agent.js";
import { Stage } from "./server/raw-client.js";

/** Passes options as a caller without types does. */
const create = (options: object) => createRemoteServer({ agent: new RawAgent(), ...options } as never);
const listenWith = (options: unknown) => listen(serverOf({}), options as never);
const open = (options: unknown) => openRemote("http://127.0.0.1:1/acp", options as never);

describe("defect N27: a misspelled option of a server", () => {
  test("guards nothing, so it is refused with the name that it resembles", () => {
    expect(() => create({ authorise: () => undefined })).toThrow(
      new TypeError(
        "The option authorise of createRemoteServer is not used: there is no such option. Do you mean authorize?",
      ),
    );
  });

  test.each([
    ["a bound", { limits: { conections: 1 } }, "Do you mean connections?"],
    ["a bound of the retention", { resumption: { message: 1 } }, "Do you mean messages?"],
    ["an option of the port", { port: 4000 }, "it is an option of listen"],
    ["a list of origins", { origin: ["https://a.example"] }, "Do you mean origins?"],
  ])("is refused for %s", (_, options, message) => {
    expect(() => create(options)).toThrow(message);
  });

  test.each([
    ["an option", { ports: 1 }, "Do you mean port?"],
    ["a bound", { limits: { conections: 1 } }, "Do you mean connections?"],
    ["an option of the server", { authorize: () => undefined }, "it is an option of createRemoteServer"],
    ["no object", 4000, "listen got 4000: pass an object with options such as port or host."],
  ])("is refused by listen: %s", async (_, options, message) => {
    await expect(listenWith(options)).rejects.toThrow(message);
  });
});

describe("defect N27: a misspelled option of openRemote", () => {
  test("is reported once, with the name that it resembles", async () => {
    const messages: string[] = [];
    const onDiagnostic = ({ code, message }: { code: string; message: string }) => messages.push(`${code} ${message}`);
    const channel = await open({ tokens: "x", onstate() {}, reconnect: { attempt: 1 }, onDiagnostic });
    expect(messages).toEqual([
      "unused_option The option tokens of openRemote is not used: there is no such option. Do you mean token?",
      "unused_option The option onstate of openRemote is not used: there is no such option. Do you mean onState?",
      "unused_option The option attempt of openRemote reconnect is not used: there is no such option. Do you mean attempts?",
    ]);
    await channel.close();
  });

  test("is printed without a hook", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    await (await open({ tokens: "x" })).close();
    expect(print.mock.calls).toEqual([[expect.stringContaining("Do you mean token?")]]);
    print.mockRestore();
  });
});

describe("defect N27: a value of another type", () => {
  test.each([
    ["a time", { graceMs: "1m" }, 'createRemoteServer graceMs got "1m": pass a number of milliseconds.'],
    [
      "no number",
      { keepAliveMs: Number.NaN },
      "createRemoteServer keepAliveMs got NaN: pass a number of milliseconds from 0.",
    ],
    [
      "a negative bound",
      { limits: { closeMs: -1 } },
      "createRemoteServer limits closeMs got -1: pass a number of milliseconds from 0.",
    ],
    ["a bound", { limits: { connections: "5" } }, 'createRemoteServer limits connections got "5": pass a number.'],
    ["no bounds", { limits: 5 }, "createRemoteServer limits got 5: pass an object of numbers."],
    [
      "a retention",
      { resumption: { seconds: "5m" } },
      'createRemoteServer resumption seconds got "5m": pass a number.',
    ],
    ["no retention", { resumption: null }, "createRemoteServer resumption got null: pass an object of numbers."],
    ["a token", { authorize: "secret" }, 'createRemoteServer authorize got "secret": pass a function.'],
    ["a hook", { onDiagnostic: true }, "createRemoteServer onDiagnostic got true: pass a function."],
    ["a host", { hosts: "a.example" }, 'createRemoteServer hosts got "a.example": pass a list.'],
    ["an origin", { origins: "https://a.example" }, "createRemoteServer origins got"],
  ])("is refused by createRemoteServer: %s", (_, options, message) => {
    expect(() => create(options)).toThrow(message);
  });

  test("is refused by listen", async () => {
    const message = 'listen limits headerMs got "1m": pass a number of milliseconds.';
    await expect(listenWith({ limits: { headerMs: "1m" } })).rejects.toThrow(new TypeError(message));
  });

  test("is refused by listen in place of a server, such as an agent", async () => {
    const message = "listen got an object of another form: pass a server, such as createRemoteServer({ agent }).";
    await expect(listen({ serve() {} } as never)).rejects.toThrow(new TypeError(message));
  });

  test.each([
    ["a text as options", "token", 'openRemote got "token": pass an object with options such as { token }.'],
    ["a token", { token: { value: "x" } }, "openRemote token got an object of another form"],
    ["a number of attempts", { reconnect: { attempts: "5" } }, 'openRemote reconnect attempts got "5": pass a number.'],
    ["true", { reconnect: true }, "openRemote reconnect got true: pass an object of numbers."],
    ["a number of sessions", { maxSessions: "4" }, 'openRemote maxSessions got "4": pass a number.'],
    ["a WebSocket", { webSocket: "ws" }, 'openRemote webSocket got "ws": pass a function.'],
    ["a listener", { onState: true }, "openRemote onState got true: pass a function."],
    ["cookies", { cookies: "a=b" }, 'openRemote cookies got "a=b": pass a store of cookies'],
  ])("is refused by openRemote: %s", async (_, options, message) => {
    await expect(open(options)).rejects.toThrow(message);
  });

  test("is reported if `open` returns no channel", async () => {
    const messages: string[] = [];
    const onDiagnostic = ({ message }: { readonly message: string }) => messages.push(message);
    const stage = new Stage({ agent: undefined, open: () => undefined as never, onDiagnostic } as never);
    expect((await stage.initialize()).status).toBe(502);
    expect(messages).toEqual([
      "No agent could be opened: createRemoteServer open got undefined: return a channel, such as await spawnChannel(command).",
    ]);
  });

  test("is not a missing one: the default of a bound replaces undefined", async () => {
    const server = create({ limits: { bodyBytes: undefined }, graceMs: undefined });
    const large = new Request("http://127.0.0.1/acp", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: " ".repeat(16 * 1024 * 1024 + 1),
    });
    expect((await server.fetch(large)).status).toBe(413);
    await server.close();
  });
});

describe("defect N27: a refusal of a server is quoted as one sentence", () => {
  test.each([
    [
      "of initialize",
      "The agent could not be started.\n",
      "initialize failed: HTTP 502: The agent could not be started.",
    ],
    ["by a proxy", "Bad gateway", "initialize failed: HTTP 502: Bad gateway."],
  ])("%s", async (_, body, message) => {
    const channel = await open({ fetch: async () => new Response(body, { status: 502 }), reconnect: false });
    channel.start({ message() {}, invalidLine() {} });
    void channel.send({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } });
    expect((await channel.closed).message).toBe(message);
  });

  test("of a token that cannot be read", async () => {
    const token = () => Promise.reject(new Error("The vault is closed."));
    const channel = await open({ token, reconnect: false });
    channel.start({ message() {}, invalidLine() {} });
    void channel.send({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } });
    expect((await channel.closed).message).toBe("initialize failed: The vault is closed.");
  });

  test("of a connection that has ended", async () => {
    const stage = await Stage.connected();
    await stage.ask("DELETE", stage.headers());
    const gone = await stage.get();
    expect([gone.status, await gone.text()]).toEqual([404, "The connection has ended, or the server was restarted.\n"]);
  });
});
