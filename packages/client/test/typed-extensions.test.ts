import type { StandardSchemaV1 } from "@turnkit/transport";
import { describe, expect, test } from "vitest";
import { createExtension, isAcpError } from "../src/index.js";
import { open, settle } from "./raw-agent.js";

type Line = { readonly line: number };

const line: StandardSchemaV1<unknown, Line> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) => {
      const { line } = value as Line;
      return typeof line === "number" ? { value: { line } } : { issues: [{ path: ["line"], message: "no number" }] };
    },
  },
};
const show = createExtension("_test/show", { params: line, result: line });

describe("defect F12: an extension with schemas, in a client", () => {
  test("gets typed params; malformed params are answered with -32602", async () => {
    const seen: number[] = [];
    const extensions = { [show.method]: show.handle(({ line }) => ({ line: seen.push(line) })) };
    const { agent, diagnostics } = await open({ extensions });
    agent.request(1, "_test/show", { line: 7 });
    agent.request(2, "_test/show", { line: "7" });
    agent.request(3, "_test/show");
    agent.send({ jsonrpc: "2.0", method: "_test/show", params: { line: null } });
    expect((await agent.answerTo(1)).result).toEqual({ line: 1 });
    expect((await agent.answerTo(2)).error).toMatchObject({
      ...{ code: -32602, data: { issues: [{ path: "line", message: "no number" }] } },
    });
    expect((await agent.answerTo(3)).error.code).toBe(-32602);
    await settle(agent);
    expect(seen).toEqual([7]);
    expect(diagnostics).toMatchObject([{ code: "invalid_message", method: "_test/show" }]);
  });

  test("reports a malformed result, and a validator that throws", async () => {
    const broken = { "~standard": { ...line["~standard"], validate: () => JSON.parse("{") } };
    const throwing = createExtension("_test/throwing", { params: broken });
    const extensions = {
      [show.method]: show.handle(async () => ({ line: "8" }) as never),
      [throwing.method]: throwing.handle(() => 1),
    };
    const { agent, diagnostics } = await open({ extensions });
    agent.request(1, "_test/show", { line: 7 });
    expect((await agent.answerTo(1)).error).toMatchObject({ code: -32603 });
    agent.request(2, "_test/throwing", {});
    expect((await agent.answerTo(2)).error).toMatchObject({ code: -32603 });
    expect(diagnostics).toMatchObject([
      { code: "handler_failed", message: expect.stringContaining("_test/show: invalid result at line: no number") },
      { code: "handler_failed", method: "_test/throwing" },
    ]);
  });

  test("does not take a validator that is asynchronous, and says so", async () => {
    const later = { "~standard": { ...line["~standard"], validate: async () => ({ value: {} }) } };
    const extension = createExtension("_test/later", { params: later as unknown as StandardSchemaV1 });
    const { agent, diagnostics } = await open({ extensions: { [extension.method]: extension.handle(() => 1) } });
    agent.request(1, "_test/later", {});
    expect((await agent.answerTo(1)).error).toMatchObject({ code: -32603 });
    expect(diagnostics).toMatchObject([
      { code: "handler_failed", message: expect.stringContaining("the validator is asynchronous") },
    ]);
  });

  test("is sent to the agent, and its answer is checked", async () => {
    const { agent, client } = await open();
    const sound = show.request(client, { line: 1 });
    const call = await agent.call("_test/show");
    expect(call.params).toEqual({ line: 1 });
    agent.answer(call, { line: 2, more: true });
    expect((await sound).line).toBe(2);
    const unsound = show.request(client, { line: 3 });
    agent.answer(await agent.call("_test/show"), {});
    const error = await unsound.catch((caught: unknown) => caught);
    expect(isAcpError(error, "invalid_message")).toBe(true);
    show.notify(client, { line: 4 });
    expect((await agent.call("_test/show")).id).toBeUndefined();
  });
});
