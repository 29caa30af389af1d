import { describe, expect, it } from "vitest";
import type { ElicitationQuestion } from "../src/index.js";
import { clientInfo, openAs, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: { elicitation: { form: {}, url: {} } } };
const url: ElicitationQuestion = { mode: "url", message: "Sign in", elicitationId: "e-1", url: "https://x.test/in" };
const form: ElicitationQuestion = {
  mode: "form",
  message: "Which region?",
  requestedSchema: { type: "object", properties: {} },
};

describe("an elicitation of a child session", () => {
  it("V2-ELI-09: at a URL is completed by the child session, and its id is then free", async () => {
    const { client, sessionId } = await openAs(v2Hello, {
      async prompt({ session }) {
        const kid = session.child("Kid");
        await kid.elicit(url);
        session.completeElicitation("e-1");
        kid.completeElicitation("e-1");
        kid.completeElicitation("e-1");
        await kid.elicit(url);
        kid.idle();
      },
    });
    client.prompt(sessionId);
    client.reply(await client.call("elicitation/create"), { action: "accept" });
    client.reply(await client.call("elicitation/create", 1), { action: "decline" });
    await client.next(({ params }) => params?.update?.state === "idle");
    const completed = client.received.filter(({ method }) => method === "elicitation/complete");
    expect(completed).toMatchObject([{ params: { elicitationId: "e-1" } }]);
  });

  it("P-SUB-20, P-SUB1-10: in a client without subagents names the child session, and no tool call that this client does not know", async () => {
    const { client, sessionId } = await openAs(v1Hello, {
      async prompt({ session }) {
        const kid = session.child("Deployer");
        const call = kid.toolCall({ title: "Deploy" });
        await kid.elicit(form, { toolCallId: call.id });
        await call.ask({ options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }] });
        await kid.elicit(form, { toolCallId: call.id });
        call.update({ status: "completed" });
        kid.idle();
      },
    });
    const answer = client.prompt(sessionId);
    const first = await client.call("elicitation/create");
    expect(first.params).toMatchObject({ sessionId, message: "Deployer: Which region?" });
    expect(first.params).not.toHaveProperty("toolCallId");
    client.reply(first, { action: "decline" });
    client.reply(await client.call("session/request_permission"), {
      outcome: { outcome: "selected", optionId: "yes" },
    });
    const second = await client.call("elicitation/create", 1);
    const shown = client.updates().map(({ toolCallId }) => toolCallId);
    expect(shown).toContain(second.params.toolCallId);
    client.reply(second, { action: "decline" });
    expect(await client.answer(answer)).toHaveProperty("result");
  });
});

describe("a stream of a child session that was not awaited", () => {
  it("is reported when idle() ends it", async () => {
    const { client, sessionId, diagnostics } = await openAs(v2Hello, {
      prompt({ session }) {
        const kid = session.child("Kid");
        async function* model() {
          yield "One";
        }
        void kid.say(model());
        kid.idle();
      },
    });
    await client.ask(sessionId);
    await client.next(({ params }) => params?.update?.state === "idle" && params.sessionId === sessionId);
    expect(diagnostics).toMatchObject([{ code: "unfinished", message: expect.stringContaining("child.say") }]);
  });

  it("is reported when it has failed", async () => {
    const { client, sessionId, diagnostics } = await openAs(v2Hello, {
      async prompt({ session }) {
        const kid = session.child("Kid");
        let failed: () => void = () => undefined;
        const failing = new Promise<void>((resolve) => {
          failed = resolve;
        });
        async function* model() {
          yield "One";
          failed();
          throw new Error("The model is gone.");
        }
        void kid.say(model());
        await failing;
        await client.result("session/list");
        kid.idle();
      },
    });
    await client.ask(sessionId);
    await client.next(({ params }) => params?.update?.state === "idle" && params.sessionId === sessionId);
    expect(diagnostics).toMatchObject([
      { code: "handler_failed", error: expect.objectContaining({ message: "The model is gone." }) },
    ]);
  });

  it("is not reported when it was awaited, or when its work was cancelled", async () => {
    const { client, sessionId, diagnostics } = await openAs(v2Hello, {
      async prompt({ session, signal }) {
        const kid = session.child("Kid");
        async function* model() {
          yield "One";
        }
        await kid.say(model());
        kid.idle();
        async function* endless() {
          yield "Two";
          await new Promise(() => undefined);
        }
        void kid.say(endless());
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    });
    await client.ask(sessionId);
    await client.next(({ params }) => params?.update?.content?.text === "Two");
    client.cancel(sessionId);
    await client.next(({ params }) => params?.update?.stopReason === "cancelled" && params.sessionId === sessionId);
    expect(diagnostics).toEqual([]);
  });
});
