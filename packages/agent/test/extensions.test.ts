import { isAcpError, isRpcError } from "@turnkit/transport";
import { describe, expect, test } from "vitest";
import type { ClientInfo } from "../src/index.js";
import { clientInfo, connectAs, openAs, seedHello, v2Hello } from "./raw-client.js";

const hellos = { v1: { protocolVersion: 1, clientInfo }, v2: v2Hello, seed: seedHello };

test("defect S41: a custom notification that an agent does not handle is reported with the nearest name", async () => {
  const { client, diagnostics } = await openAs(hellos.v1, {
    extensions: { "_x/reload": () => undefined },
    prompt() {},
  });
  client.send({ method: "_x/relaod", params: {} });
  await client.newSession();
  const message = expect.stringContaining("Do you mean _x/reload?");
  expect(diagnostics).toMatchObject([{ code: "unhandled", method: "_x/relaod", message }]);
});

describe.each(["v1", "v2", "seed"] as const)("extensions of the client in %s", (dialect) => {
  test("an agent tells and asks them, behind what its session said before", async () => {
    const { client, sessionId } = await openAs(hellos[dialect], {
      async prompt({ session }) {
        session.setTitle("before");
        session.client.notify("_test/look", { line: 3 });
        const { picked } = await session.client.request<{ picked: string }>("_test/pick", { from: ["a", "b"] });
        session.setTitle(picked);
      },
    });
    client.prompt(sessionId);
    expect((await client.call("_test/look")).params).toEqual({ line: 3 });
    const pick = await client.call("_test/pick");
    expect(client.story.slice(-3)).toEqual(["session_info_update", "_test/look", "_test/pick"]);
    expect(pick.params).toEqual({ from: ["a", "b"] });
    client.reply(pick, { picked: "b" });
    expect(await client.update("session_info_update", 1)).toMatchObject({ title: "b" });
  });

  test("a refusal, a withdrawal and the end of the connection each fail the call that they are about", async () => {
    const failures: unknown[] = [];
    const { client, sessionId, served } = await openAs(hellos[dialect], {
      async prompt({ session, signal }) {
        const ask = (more: object) =>
          session.client.request("_test/x", {}, more).catch((error) => failures.push(error));
        await ask({});
        await ask({ signal, onAbort: "abandon" });
        await ask({});
      },
    });
    client.prompt(sessionId);
    client.send({ id: (await client.call("_test/x")).id, error: { code: -32601, message: "Method not found" } });
    const { id } = await client.call("_test/x", 1);
    client.cancel(sessionId);
    expect((await client.call("$/cancel_request")).params).toEqual({ requestId: id });
    await client.call("_test/x", 2);
    await client.close();
    await served.closed;
    expect([isRpcError(failures[0], -32601), isAcpError(failures[1], "aborted")]).toEqual([true, true]);
    expect(isAcpError(failures[2], "connection_closed")).toBe(true);
  });

  test("an extension of the agent knows who calls it, and may ask back", async () => {
    const callers: ClientInfo[] = [];
    const { client } = await connectAs(hellos[dialect], {
      extensions: {
        async "_test/sum"(_params, signal, caller) {
          callers.push(caller);
          return caller.request("_test/terms", {}, { signal });
        },
      },
    });
    const sum = client.result("_test/sum");
    client.reply(await client.call("_test/terms"), { terms: [1, 2] });
    expect(await sum).toEqual({ terms: [1, 2] });
    expect(callers).toMatchObject([{ dialect, info: clientInfo }]);
  });
});
