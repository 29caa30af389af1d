import { describe, expect, test } from "vitest";
import { openAs, seedHello, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientCapabilities: {} };
const hellos = { "version 1": v1Hello, "version 2": v2Hello, "the seed draft": seedHello };
const _meta = { "example.com/cost": 3 };

describe.each(Object.entries(hellos))("defect F12: metadata of the end of a turn, in %s", (name, hello) => {
  test.each([
    ["of a turn that ends", { stopReason: "refusal" as const, _meta }, { stopReason: "refusal", _meta }],
    ["without a stop reason", { _meta }, { stopReason: "end_turn", _meta }],
    ["that is no JSON is left out", { _meta: { big: 1n } as never }, { stopReason: "end_turn" }],
  ])("%s", async (_, result, end) => {
    const { client, sessionId } = await openAs(hello, { prompt: () => result });
    const prompt = client.prompt(sessionId);
    const answer = await client.answer(prompt);
    const idle = () => client.received.map((frame) => frame.params?.update).find((update) => update?.state === "idle");
    if (name === "version 2") await expect.poll(idle).toBeDefined();
    const reported = name === "version 2" ? idle() : answer.result;
    expect(reported).toMatchObject(end);
    expect(reported?._meta).toEqual((end as { _meta?: object })._meta);
  });
});
