import type { StandardSchemaV1 } from "@turnkit/transport";
import { describe, expect, test } from "vitest";
import { createExtension } from "../src/index.js";
import { clientInfo, connectAs, openAs, seedHello, v2Hello } from "./raw-client.js";

const hellos = { v1: { protocolVersion: 1, clientInfo }, v2: v2Hello, seed: seedHello };

/** Schema of an object with a list of numbers under one name. */
function numbersUnder<N extends string>(
  name: N,
): StandardSchemaV1<unknown, { readonly [key in N]: readonly number[] }> {
  const validate = (value: unknown) => {
    const list: unknown = (value as Record<string, unknown>)[name];
    if (!Array.isArray(list)) return { issues: [{ path: [name], message: "expected a list" }] };
    const wrong = list.findIndex((item) => typeof item !== "number");
    if (wrong !== -1) return { issues: [{ path: [name, wrong], message: "expected a number" }] };
    return { value: { [name]: list } as { [key in N]: number[] } };
  };
  return { "~standard": { version: 1, vendor: "test", validate } };
}

const double = createExtension("_test/double", { params: numbersUnder("terms"), result: numbersUnder("doubles") });
const note = createExtension("_test/note", { params: numbersUnder("lines") });

describe.each(["v1", "v2", "seed"] as const)("defect F12: an extension with schemas in %s", (dialect) => {
  const serveDouble = (calls: unknown[] = []) =>
    connectAs(hellos[dialect], {
      extensions: {
        [double.method]: double.handle(({ terms }, signal, client) => {
          calls.push([terms, signal.aborted, client.dialect]);
          return { doubles: terms.map((term) => term * 2) };
        }),
      },
    });

  test("gets typed params, and the client", async () => {
    const calls: unknown[] = [];
    const { client } = await serveDouble(calls);
    expect(await client.result("_test/double", { terms: [1, 2], more: 3 })).toEqual({ doubles: [2, 4] });
    expect(calls).toEqual([[[1, 2], false, dialect]]);
  });

  test("refuses malformed params with -32602 and the path, before the handler", async () => {
    const calls: unknown[] = [];
    const { client, diagnostics } = await serveDouble(calls);
    expect(await client.error("_test/double", { terms: [1, "2"] })).toEqual({
      ...{ code: -32602, message: "Invalid params: _test/double: invalid params at terms.1: expected a number." },
      data: { issues: [{ path: "terms.1", message: "expected a number" }] },
    });
    expect([calls, diagnostics]).toEqual([[], []]);
  });

  test.each([
    ["at once", () => ({ doubles: "none" })],
    ["later", async () => ({ doubles: "none" })],
    ["as nothing", () => undefined],
  ])("reports a malformed result, given %s", async (_, handler) => {
    const { client, diagnostics } = await connectAs(hellos[dialect], {
      extensions: { [double.method]: double.handle(handler as never) },
    });
    const text = "_test/double: invalid result at doubles: expected a list.";
    expect(await client.error("_test/double", { terms: [] })).toMatchObject({
      code: -32603,
      message: expect.stringContaining(text),
    });
    expect(diagnostics).toMatchObject([{ code: "handler_failed", message: expect.stringContaining(text) }]);
  });

  test("drops a malformed notification, and reports its cause", async () => {
    const notes: unknown[] = [];
    const { client, diagnostics } = await connectAs(hellos[dialect], {
      extensions: { [note.method]: note.handle(({ lines }) => void notes.push(lines)) },
    });
    client.notify("_test/note", { lines: "x" });
    client.notify("_test/note", { lines: [7] });
    expect(await client.error("_test/none")).toMatchObject({ code: -32601 });
    expect(notes).toEqual([[7]]);
    expect(diagnostics).toMatchObject([
      { code: "invalid_message", method: "_test/note", message: expect.stringContaining("lines: expected a list") },
    ]);
  });

  test("is sent to the client, and its answer is checked", async () => {
    const outcomes: unknown[] = [];
    const { client, sessionId } = await openAs(hellos[dialect], {
      async prompt({ session }) {
        note.notify(session.client, { lines: [1] });
        outcomes.push(await double.request(session.client, { terms: [4] }));
        outcomes.push(await double.request(session.client, { terms: [5] }).catch((error: Error) => error.message));
        session.setTitle("done");
      },
    });
    client.prompt(sessionId);
    expect((await client.call("_test/note")).params).toEqual({ lines: [1] });
    client.reply(await client.call("_test/double"), { doubles: [8] });
    client.reply(await client.call("_test/double", 1), { doubles: [null] });
    await client.update("session_info_update");
    expect(outcomes).toEqual([{ doubles: [8] }, "_test/double: invalid result at doubles.0: expected a number."]);
  });

  test("of another program may have any name outside of the protocol", async () => {
    const other = createExtension("vendor/double", { params: numbersUnder("terms") });
    const { client, diagnostics } = await connectAs(hellos[dialect], {
      extensions: { [other.method]: other.handle(({ terms }) => ({ sum: terms.length })) },
    });
    expect(await client.result("vendor/double", { terms: [1] })).toEqual({ sum: 1 });
    expect((await client.error("vendor/double", {})).code).toBe(-32602);
    expect(diagnostics).toEqual([]);
    const remedy = 'got "vendor/double": sent extensions begin with "_"';
    await expect(other.request({} as never, { terms: [] })).rejects.toThrow(`request ${remedy}`);
    expect(() => other.notify({} as never, { terms: [] })).toThrow(`notify ${remedy}`);
  });
});

test.each([
  ["a name", [undefined, { params: numbersUnder("a") }], "createExtension got undefined: pass a name"],
  ["schemas", ["_a"], "createExtension _a params got undefined"],
  ["a schema of the params", ["_a", { params: {} }], "createExtension _a params got an object"],
  ["a sound schema of the result", ["_a", { params: numbersUnder("a"), result: "text" }], "createExtension _a result"],
])("defect F12: createExtension without %s says what to pass", (_, args, message) => {
  expect(() => createExtension(...(args as unknown as Parameters<typeof createExtension>))).toThrow(message);
});
