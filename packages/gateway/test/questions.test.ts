import type { Session } from "@turnkit/client";
import { createElicitations } from "@turnkit/client";
import { messageText } from "@turnkit/session";
import { installManualClock } from "@turnkit/testing";
import { expect, it, onTestFinished } from "vitest";
import type { GatewayOptions } from "../src/index.js";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { RawClient } from "./raw-client.js";

const asking = (options: Partial<GatewayOptions> = {}) =>
  gatewayOf({ prompt: async (turn) => turn.say((await turn.ask({ title: "May I?" })) ? "yes" : "no") }, options);

const allow = (session: Session): void => {
  const [question] = session.state.pendingPermissions;
  const optionId = question?.options.find(({ kind }) => kind === "allow_once")?.optionId ?? "";
  session.answer(question?.requestId ?? "", { outcome: "selected", optionId });
};

it("SHARE-05 a client that comes later is asked what is open, and a question is withdrawn where it was not answered", async () => {
  const { gateway } = asking();
  const one = await (await clientOf(gateway, "v1")).newSession({ cwd: "/work" });
  const turn = one.prompt("Go");
  await expect.poll(() => one.state.pendingPermissions.length).toBe(1);
  const late = await attach(await clientOf(gateway, "v2"), one.id);
  await expect.poll(() => late.state.pendingPermissions.length).toBe(1);
  allow(late);
  expect(await turn.text()).toBe("yes");
  await expect.poll(() => one.state.pendingPermissions.length).toBe(0);
});

it.each(["v1", "v2", "seed"] as const)("defect E21: a list in %s tells which sessions work or ask", async (dialect) => {
  const { gateway } = asking();
  const client = await clientOf(gateway, "v2");
  const one = await client.newSession({ cwd: "/work" });
  const other = await client.newSession({ cwd: "/work" });
  const listed = async () => {
    const activities = new Map<string, unknown>();
    for await (const info of (await clientOf(gateway, dialect)).listSessions())
      activities.set(info.sessionId, info._meta?.["turnkit.activity"]);
    return [one, other].map(({ id }) => activities.get(id));
  };
  expect(await listed()).toEqual([undefined, undefined]);
  const turn = one.prompt("Go");
  await expect.poll(() => one.state.pendingPermissions.length).toBe(1);
  expect(await listed()).toEqual(["requires_action", undefined]);
  allow(one);
  await turn.ended;
  expect(await listed()).toEqual([undefined, undefined]);
});

it("SHARE-05 a cancel withdraws the question everywhere", async () => {
  const { gateway } = asking();
  const one = await (await clientOf(gateway, "v2")).newSession({ cwd: "/work" });
  const raw = new RawClient(gateway.open({ id: "raw", group: "all" }));
  await raw.initialize(1);
  await raw.request("session/load", { sessionId: one.id, cwd: "/work", mcpServers: [] });
  const turn = one.prompt("Go");
  const asked = await raw.next(({ method }) => method === "session/request_permission");
  await one.cancel();
  expect(await turn.ended).toMatchObject({ stopReason: "cancelled" });
  const withdrawn = await raw.next(({ method }) => method === "$/cancel_request");
  expect(withdrawn.params).toEqual({ requestId: asked.id });
});

it("SHARE-05 a question without anybody waits, and is then rejected", async () => {
  const clock = installManualClock();
  onTestFinished(() => clock.uninstall());
  const { gateway } = asking({ unattendedMs: 1_000 });
  const client = await clientOf(gateway, "v2");
  const session = await client.newSession({ cwd: "/work" });
  session.prompt("Go");
  await expect.poll(() => session.state.pendingPermissions.length).toBe(1);
  await client.close();
  await clock.advance(999);
  const again = await attach(await clientOf(gateway, "v2", { role: "observer" }), session.id);
  expect(again.state.activity.state).toBe("requires_action");
  await clock.advance(2);
  await expect.poll(() => again.state.activity.state).toBe("idle");
  expect([...again.state.timeline].map((entry) => (entry.type === "message" ? messageText(entry) : ""))).toContain(
    "no",
  );
});

it.each([
  ["its decision counts", "allow_once", "yes", []],
  ["a failure cancels the question, and is reported", "throw", "no", ["handler_failed"]],
] as const)("SHARE-05 a policy decides a question without anybody: %s", async (_name, decision, said, expected) => {
  const clock = installManualClock();
  onTestFinished(() => clock.uninstall());
  const reported: string[] = [];
  const { gateway } = asking({
    unattendedMs: 10,
    onDiagnostic: ({ code }) => reported.push(code),
    unattended({ options }) {
      if (decision === "throw") throw new Error("policy");
      return { outcome: "selected", optionId: options.find(({ kind }) => kind === decision)?.optionId ?? "" };
    },
  });
  const client = await clientOf(gateway, "v2");
  const session = await client.newSession({ cwd: "/work" });
  session.prompt("Go");
  await expect.poll(() => session.state.pendingPermissions.length).toBe(1);
  await client.close();
  const watcher = await attach(await clientOf(gateway, "v2", { role: "observer" }), session.id);
  await clock.advance(11);
  await expect.poll(() => watcher.state.activity.state).toBe("idle");
  expect([...watcher.state.timeline].map((entry) => (entry.type === "message" ? messageText(entry) : ""))).toContain(
    said,
  );
  expect(reported).toEqual(expected);
});

it("SHARE-05 with the policy `prompter`, only the client whose prompt runs is asked, until it leaves", async () => {
  const { gateway } = asking({ answers: "prompter" });
  const client = await clientOf(gateway, "v2");
  const one = await client.newSession({ cwd: "/work" });
  const two = await attach(await clientOf(gateway, "v2"), one.id);
  one.prompt("Go");
  await expect.poll(() => one.state.pendingPermissions.length).toBe(1);
  expect(two.state.pendingPermissions).toEqual([]);
  await client.close();
  await expect.poll(() => two.state.pendingPermissions.length).toBe(1);
});

it("SHARE-05 with a function as policy, only the principals that it accepts are asked", async () => {
  const { gateway } = asking({ answers: ({ id }) => id === "boss" });
  const one = await (await clientOf(gateway, "v2", { id: "worker" })).newSession({ cwd: "/work" });
  const boss = await attach(await clientOf(gateway, "v2", { id: "boss" }), one.id);
  one.prompt("Go");
  await expect.poll(() => boss.state.pendingPermissions.length).toBe(1);
  expect(one.state.pendingPermissions).toEqual([]);
});

it("SHARE-05 a client that refuses to answer leaves the question to the others", async () => {
  const { gateway } = asking();
  const one = await (await clientOf(gateway, "v2")).newSession({ cwd: "/work" });
  const raw = new RawClient(gateway.open({ id: "raw", group: "all" }));
  await raw.initialize(2);
  await raw.request("session/resume", { sessionId: one.id, cwd: "/work" });
  const turn = one.prompt("Go");
  raw.reply(await raw.next(({ method }) => method === "session/request_permission"), {
    outcome: { outcome: "cancelled" },
  });
  await expect.poll(() => one.state.pendingPermissions.length).toBe(1);
  allow(one);
  expect(await turn.text()).toBe("yes");
});

it("SHARE-05 a form is asked only of clients that show forms", async () => {
  const { gateway } = gatewayOf({
    async prompt(turn) {
      const form = { type: "object", properties: { name: { type: "string" } } } as const;
      const { action, ...rest } = await turn.elicit({ mode: "form", message: "Your name?", requestedSchema: form });
      await turn.say(`${action} ${JSON.stringify(rest)}`);
    },
  });
  const one = await (await clientOf(gateway, "v2")).newSession({ cwd: "/work" });
  const elicitations = createElicitations({ form: () => ({ action: "accept", content: { name: "Ann" } }) });
  await attach(await clientOf(gateway, "v2", {}, { elicitations }), one.id);
  expect(await one.prompt("Go").text()).toBe('accept {"content":{"name":"Ann"}}');
});
