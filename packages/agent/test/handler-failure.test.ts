import type { Diagnostic } from "@turnkit/transport";
import { describe, expect, test, vi } from "vitest";
import { RpcError } from "../src/index.js";
import { aborted, openAs, seedHello, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientCapabilities: {} };
const hellos = { "version 1": v1Hello, "version 2": v2Hello, "the seed draft": seedHello };

describe.each(Object.entries(hellos))("defect F3: an exception of the prompt handler, in %s", (_, hello) => {
  const failing = async (prompt: () => Promise<void>) => {
    const diagnostics: Diagnostic[] = [];
    const { client, sessionId } = await openAs(hello, { prompt }, { onDiagnostic: (one) => diagnostics.push(one) });
    return { client, sessionId, diagnostics };
  };

  test("is reported once with its stack, and the client hears the cause", async () => {
    const error = new Error("the key is missing");
    const { client, sessionId, diagnostics } = await failing(async () => {
      throw error;
    });
    client.prompt(sessionId);
    await vi.waitFor(() => expect(JSON.stringify(client.received)).toContain("Internal error: the key is missing"));
    expect(diagnostics).toEqual([
      {
        ...{ code: "handler_failed", sessionId, error },
        message: "The handler of session/prompt failed: the key is missing",
      },
    ]);
  });

  test.each([
    [new Error("connect ECONNREFUSED 127.0.0.1:9"), "fetch failed (connect ECONNREFUSED 127.0.0.1:9)"],
    [Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }), "fetch failed (ECONNREFUSED)"],
    [{ secret: 1 }, "fetch failed"],
  ])("names the cause in the report, and not to the client", async (cause, reported) => {
    const { client, sessionId, diagnostics } = await failing(async () => {
      throw new TypeError("fetch failed", { cause });
    });
    client.prompt(sessionId);
    await vi.waitFor(() => expect(JSON.stringify(client.received)).toContain("fetch failed"));
    expect(diagnostics.map(({ message }) => message)).toEqual([`The handler of session/prompt failed: ${reported}`]);
    expect(JSON.stringify(client.received)).not.toContain("ECONNREFUSED");
  });

  test("is no report if it is the error that the handler chose", async () => {
    const { client, sessionId, diagnostics } = await failing(async () => {
      throw RpcError.authRequired();
    });
    client.prompt(sessionId);
    await vi.waitFor(() => expect(JSON.stringify(client.received)).toContain("-32000"));
    expect(diagnostics).toEqual([]);
  });

  test("is no report after a cancel", async () => {
    const diagnostics: Diagnostic[] = [];
    const { client, sessionId } = await openAs(
      hello,
      {
        async prompt({ signal }) {
          await aborted(signal);
          throw new Error("stopped");
        },
      },
      { onDiagnostic: (one) => diagnostics.push(one) },
    );
    client.prompt(sessionId);
    client.notify("session/cancel", { sessionId });
    await vi.waitFor(() => expect(JSON.stringify(client.received)).toContain("cancelled"));
    expect(diagnostics).toEqual([]);
  });
});
