import { createMemoryPair } from "@turnkit/transport/channels";
import { describe, expect, test } from "vitest";
import { connect, type PermissionPolicy, type PermissionRequest } from "../src/index.js";
import { openSession } from "./raw-agent.js";

type Untyped = Readonly<Record<string, unknown>>;

const DENIED = { outcome: "selected", optionId: "no" } as const;
const ALLOWED = { outcome: "selected", optionId: "yes" } as const;

describe("defect N130: a name of the official SDK is never undefined in silence", () => {
  test("a policy that reads question.toolCall allows nothing, and is told where the tool call is", async () => {
    const policy = ({ toolCall }: PermissionRequest & { readonly toolCall?: { readonly kind: string } }) =>
      toolCall?.kind === "edit" ? DENIED : ALLOWED;
    const { agent, diagnostics } = await openSession({ permissions: policy as PermissionPolicy });
    agent.ask("q", "s-1");
    expect((await agent.answerTo("q")).result).toEqual({ outcome: { outcome: "cancelled" } });
    const told = diagnostics.find(({ code }) => code === "listener_failed")?.message;
    expect(told).toContain("A permission question has no toolCall. Read question.subject, whose type");
  });

  test("the question is copied, compared and printed without an error, and sessionId leads to the session", async () => {
    const asked: PermissionRequest[] = [];
    const { agent } = await openSession({
      permissions: (question) => {
        asked.push(question);
        return DENIED;
      },
    });
    agent.ask("q", "s-1");
    await agent.answerTo("q");
    const question = asked[0] as PermissionRequest;
    const { session: _, ...plain } = question;
    expect(Object.keys(plain).toSorted()).toEqual(["agent", "options", "requestId", "subject", "title"]);
    expect(() => JSON.stringify(plain)).not.toThrow();
    expect(() => (question as unknown as Untyped).sessionId).toThrow("Read question.session.id.");
  });

  test.each([
    ["sessionId", "Read session.id."],
    ["modes", "Read session.state.configOptions."],
    ["models", "Read session.state.configOptions."],
    ["configOptions", "Read session.state.configOptions."],
  ])("session.%s says where its value is", async (name, advice) => {
    const { session } = await openSession();
    expect(() => (session as unknown as Untyped)[name]).toThrow(advice);
    expect(() => ({ ...session })).not.toThrow();
  });

  test.each([
    ["agentCapabilities", "Read peer.capabilities."],
    ["agentInfo", "Read peer.info."],
    ["protocolVersion", "Read peer.dialect."],
  ])("peer.%s says where its value is", async (name, advice) => {
    const { client } = await openSession();
    expect(() => (client.peer as unknown as Untyped)[name]).toThrow(advice);
    expect(JSON.stringify(client.peer)).toContain('"dialect"');
  });

  test.each([
    [{ clientInfo: { name: "e", version: "1" } }, "connect got clientInfo: pass it as info"],
    [{ name: "e", version: "1" }, "connect got no info: pass the name and version of your program"],
  ])("connect with %j names what is missing", async (options, advice) => {
    const [end] = createMemoryPair();
    await expect(connect(end, options as never)).rejects.toThrow(advice);
  });
});

test("defect N132: two clients that are connected with each other are both refused", async () => {
  const connecting = createMemoryPair().map((end) => connect(end, { info: { name: "e", version: "1" } }));
  for (const { status, ...outcome } of await Promise.allSettled(connecting)) {
    expect(status).toBe("rejected");
    expect(outcome).toMatchObject({ reason: { message: expect.stringContaining("Both sides are clients.") } });
  }
});
