import { createConnection } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, test } from "vitest";
import { RpcError } from "../src/index.js";
import { clientInfo, connectAs, type Frame } from "./raw-client.js";

const hello = { protocolVersion: 1, clientInfo };

class RequestError extends Error {
  override name = "RequestError";
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

const ofSdk = new RequestError(-32000, "Log in first", { a: 1 });
const lostServer = Object.assign(new Error("Connection closed"), { code: -32000, name: "McpError" });
const place = { cwd: "/w", mcpServers: [] };

/** Calls of each kind of handler. */
const calls: readonly [string, string, object, (error: unknown) => object][] = [
  ["newSession", "session/new", place, (error) => ({ newSession: () => rejected(error) })],
  ["an extension", "_mine/x", {}, (error) => ({ extensions: { "_mine/x": () => rejected(error) } })],
  [
    "an extension that throws at once",
    "_mine/x",
    {},
    (error) => ({
      extensions: {
        "_mine/x": () => {
          throw error;
        },
      },
    }),
  ],
  ["fallback", "_mine/y", {}, (error) => ({ fallback: () => rejected(error) })],
  ["listSessions", "session/list", {}, (error) => ({ listSessions: () => rejected(error), restoreSession() {} })],
];

const rejected = (error: unknown): Promise<never> => Promise.reject(error);

async function answerOf(method: string, params: object, handlers: object): Promise<readonly [Frame, string]> {
  const { client, diagnostics } = await connectAs(hello, handlers);
  return [await client.error(method, params), diagnostics.map(({ message }) => message).join()];
}

test.each(calls)(
  "defect N121: %s keeps the code of a RequestError, unreported",
  async (_name, method, params, handlers) => {
    const [error, reports] = await answerOf(method, params, handlers(ofSdk));
    expect(error).toEqual({ code: -32000, message: "Log in first", data: { a: 1 } });
    expect(reports).toBe("");
  },
);

test.each(calls)("defect N121: %s keeps the code of no other error", async (_name, method, params, handlers) => {
  const [error, reports] = await answerOf(method, params, handlers(lostServer));
  expect(error).toMatchObject({ code: -32603 });
  expect(reports).toContain("Connection closed");
});

test.each(calls)(
  "defect N121: %s that throws an object says how to send a code",
  async (_name, method, params, handlers) => {
    const [error, reports] = await answerOf(method, params, handlers({ code: -32000, message: "login" }));
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining("login") });
    expect(reports).toContain("Throw new RpcError(-32000, message) to send this code.");
  },
);

test("defect N121: deleteSession that knows no such session succeeds, also by a RequestError", async () => {
  for (const error of [new RequestError(-32002, "none"), RpcError.resourceNotFound()]) {
    const { client } = await connectAs(hello, { deleteSession: () => rejected(error), restoreSession() {} });
    expect(await client.result("session/delete", { sessionId: "none" })).toEqual({});
  }
});

test("defect N121: a route of a bare connection follows the same rule", async () => {
  const [one, other] = createMemoryPair();
  const caller = createConnection(one);
  createConnection(other, { route: () => ({ receive: () => rejected(ofSdk) }) });
  await expect(caller.request("_x", {})).rejects.toMatchObject({ code: -32000, message: "Log in first" });
  await caller.close();
});
