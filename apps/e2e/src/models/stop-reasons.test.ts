import { v1Dialect, v2Dialect } from "@turnkit/client";
import { describe, expect, it } from "vitest";
import { KEY, said, startCodingAgent } from "./coding-agent.js";
import { call, cut, fail, finish, say } from "./step.js";

const dialects = [
  ["v1", v1Dialect],
  ["v2", v2Dialect],
] as const;

describe.each(dialects)("the end of a turn over %s", (_, dialect) => {
  it.each([
    ["max_tokens", [say("And so"), finish("length")]],
    ["refusal", [say("No."), finish("refusal")]],
  ])("is %s where the provider says so", async (stopReason, step) => {
    const { session } = await startCodingAgent({ dialects: [dialect], script: [step] });
    expect(await session.prompt("Go.").ended).toMatchObject({ stopReason });
  });

  it("is max_turn_requests when the model never stops", async () => {
    const { session, server } = await startCodingAgent({
      dialects: [dialect],
      script: () => [call("list_directory", { path: "." })],
      args: ["--max-requests", "3"],
    });
    expect(await session.prompt("Go.").ended).toMatchObject({ stopReason: "max_turn_requests" });
    expect(server.requests).toHaveLength(3);
  });

  it("defect P53: is a normal one after an empty answer, which the person reads about", async () => {
    const { session } = await startCodingAgent({ dialects: [dialect], script: [[]] });
    const texts: string[] = [];
    session.onEvent((event) => void texts.push(JSON.stringify(event)));
    expect(await session.prompt("Go.").ended).toMatchObject({ stopReason: "end_turn" });
    expect(texts.join("\n")).toContain("answered nothing");
  });

  it("is what the provider said where it refuses the request, and the session goes on", async () => {
    const { session } = await startCodingAgent({
      dialects: [dialect],
      script: [fail(400, "Tools are not supported by this model."), [say("Hello.")]],
    });
    const message = "stand-in answered 400: Tools are not supported by this model.";
    expect(await session.prompt("Go.").ended).toMatchObject({
      stopReason: "error",
      error: { code: -32603, message, data: { problem: "request", provider: "stand-in", status: 400 } },
    });
    expect(await session.prompt("Again.").ended).toMatchObject({ stopReason: "end_turn" });
  });

  it("is a broken answer where the connection is cut in the middle: what was said stays", async () => {
    const { session, server } = await startCodingAgent({ dialects: [dialect], script: [[say("I th"), cut]] });
    expect(await session.prompt("Go.").ended).toMatchObject({
      stopReason: "error",
      error: { message: expect.stringContaining("The answer broke off."), data: { problem: "broken_off" } },
    });
    expect(said(session.state)).toBe("I th");
    expect(server.requests).toHaveLength(1);
  });

  it("asks for a login where the key is refused, and repeats it nowhere", async () => {
    const { session } = await startCodingAgent({
      dialects: [dialect],
      script: [fail(401, `Incorrect API key provided: ${KEY}.`)],
    });
    expect(await session.prompt("Go.").ended).toMatchObject({
      stopReason: "error",
      error: { code: -32000, message: expect.stringContaining("Incorrect API key provided: [key].") },
    });
    expect(JSON.stringify(session.state)).not.toContain(KEY);
  });
});

describe("a provider that is having a bad day", () => {
  it("is asked again where the connection was cut before the first word, and the user is told", async () => {
    const { session, server } = await startCodingAgent({
      script: [fail(429, "Slow down.", "0"), fail(503, "Overloaded.", "0"), [cut], [say("Hello.")]],
    });
    expect(await session.prompt("Go.").ended).toMatchObject({ stopReason: "end_turn" });
    expect(server.requests).toHaveLength(4);
    expect(said(session.state)).toBe("Hello.");
    const notices = [...session.state.timeline].flatMap((entry) =>
      entry.type === "notice" ? [entry.description] : [],
    );
    expect(notices).toEqual([
      "stand-in answered 429: Slow down.",
      "stand-in answered 503: Overloaded.",
      expect.stringMatching(/^stand-in could not be asked: /),
    ]);
  });

  it("is not waited for longer than anybody would", async () => {
    const { session, server } = await startCodingAgent({ script: [fail(429, "Quota exceeded.", "7200")] });
    expect(await session.prompt("Go.").ended).toMatchObject({
      stopReason: "error",
      error: {
        message: "stand-in answered 429: Quota exceeded. It asks to wait 120 minutes.",
        data: { problem: "rate_limit", status: 429 },
      },
    });
    expect(server.requests).toHaveLength(1);
  });
});
