import type { PermissionOption, PermissionRequest } from "@turnkit/client";
import type { DecisionStore, StoredDecision } from "@turnkit/client/broker";
import { describe, expect, it, vi } from "vitest";
import { guarded, judges } from "./permission-judges.js";
import { createPermissionPolicy } from "./permissions.js";
import type { View } from "./view.js";

const options = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
] as const;
const asking = (offered: readonly PermissionOption[]) =>
  ({
    requestId: "1",
    title: "Edit a.ts",
    session: { id: "s-1", roots: ["/work"] },
    agent: {},
    options: offered,
  }) as unknown as PermissionRequest;
const request = asking(options);
const { signal } = new AbortController();

function viewWith(ask?: View["ask"]) {
  const note = vi.fn<View["note"]>();
  return { note, event: () => {}, failure: () => {}, ...(ask === undefined ? {} : { ask }) };
}

it("allow and deny answer without asking, as the user set it (V2-PERM-13)", async () => {
  const ask = vi.fn<NonNullable<View["ask"]>>();
  expect(await createPermissionPolicy(judges.allow, viewWith(ask))(request, signal)).toEqual({
    outcome: "selected",
    optionId: "yes",
  });
  expect(await createPermissionPolicy(judges.deny, viewWith(ask))(request, signal)).toEqual({
    outcome: "selected",
    optionId: "no",
  });
  expect(ask).not.toHaveBeenCalled();
});

it("ask asks the person", async () => {
  const ask = vi.fn<NonNullable<View["ask"]>>(async () => ({ outcome: "selected", optionId: "always" }));
  expect(await createPermissionPolicy(judges.ask, viewWith(ask))(request, signal)).toEqual({
    outcome: "selected",
    optionId: "always",
  });
  expect(ask).toHaveBeenCalledWith(request, expect.any(AbortSignal));
});

it.each(["question", "earlier update"])(
  "defect S15: a tool call that is too deep to be shown is not asked about: %s",
  async (place) => {
    const deep: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    const ask = vi.fn<NonNullable<View["ask"]>>(async () => ({ outcome: "selected", optionId: "yes" }));
    const view = viewWith(ask);
    const entry = place === "question" ? undefined : { type: "tool_call", rawInput: deep, content: [] };
    const question = {
      ...request,
      subject: { type: "tool_call", toolCall: { toolCallId: "t", ...(place === "question" && { rawInput: deep }) } },
      session: { id: "s-1", roots: ["/work"], state: { timeline: { get: () => entry } } },
    } as unknown as PermissionRequest;
    expect(await createPermissionPolicy(judges.ask, view)(question, signal)).toEqual({ outcome: "cancelled" });
    expect(ask).not.toHaveBeenCalled();
    expect(view.note).toHaveBeenCalledWith(expect.stringContaining("more than 200 levels"));
  },
);

it("ask without anybody to ask cancels, and says so", async () => {
  const view = viewWith();
  expect(await createPermissionPolicy(judges.ask, view)(request, signal)).toEqual({ outcome: "cancelled" });
  expect(view.note).toHaveBeenCalledWith(expect.stringContaining("not a terminal"));
});

it.each([
  ["allow", options.slice(0, 1)],
  ["allow", []],
  ["deny", options.slice(0, 2)],
] as const)("%s never chooses for good, nor the opposite: of %j it chooses nothing", async (mode, offered) => {
  expect(await createPermissionPolicy(judges[mode], viewWith())(asking(offered), signal)).toEqual({
    outcome: "cancelled",
  });
});

it("defect S4: no rule allows writing what starts programs, nor reading secrets, unasked", () => {
  const facts = { agent: {}, sessionId: "s", roots: ["/work"], subject: "tool_call", place: "inside" };
  const judged = (mode: keyof typeof judges, more: object) => guarded(judges[mode])({ ...facts, ...more } as never);
  for (const path of ["/work/.git/config", "/work/AGENTS.md", "/work/.envrc", "/work/x/../.vscode/tasks.json"]) {
    expect(judged("allow", { kind: "edit", paths: ["/work/a", path] })).toBeUndefined();
    expect(judged("deny", { kind: "edit", paths: [path] })).toBe("reject");
  }
  expect(judged("allow-reads", { kind: "read", paths: ["/work/.env"] })).toBeUndefined();
  expect(judged("allow-reads", { kind: "read", paths: ["/work/.git/config"] })).toBe("allow");
  expect(judged("allow-reads", { kind: "read", paths: ["/work/a"], commandLine: "id > x" })).toBeUndefined();
  expect(judged("allow-reads", { kind: "read", paths: ["/work/a"], argv: ["id"] })).toBeUndefined();
});

describe("a remembered answer", () => {
  const stored = () => {
    const decisions = new Map<string, StoredDecision>();
    const store: DecisionStore = {
      get: (key) => decisions.get(key),
      set: (key, decision) => void decisions.set(key, decision),
      delete: (key) => void decisions.delete(key),
    };
    return { decisions, store };
  };
  const edit = (path: string) =>
    ({
      ...request,
      session: { id: "s-1", cwd: "/work", roots: ["/work"], state: { timeline: new Map() } },
      subject: { type: "tool_call", toolCall: { toolCallId: "t", kind: "edit", locations: [{ path }] } },
    }) as unknown as PermissionRequest;

  it("answers the next question, and the person is told what it covers before", async () => {
    const { decisions, store } = stored();
    const ask = vi.fn<NonNullable<View["ask"]>>(async () => ({ outcome: "selected", optionId: "always" }));
    const policy = createPermissionPolicy(judges.ask, viewWith(ask), store);
    await policy(edit("/work/a.ts"), signal);
    expect(ask.mock.calls[0]?.[0].always).toMatch(/^turnkit remembers until [\d-]+: every edit of exactly a\.ts$/);
    expect(await policy(edit("/work/a.ts"), signal)).toEqual({ outcome: "selected", optionId: "yes" });
    expect(ask).toHaveBeenCalledTimes(1);
    expect(decisions.size).toBe(1);
  });

  it.each(["/work/AGENTS.md", "/work/.git/config"])(
    "defect S4: is neither kept nor used for the protected file %s",
    async (path) => {
      const { decisions, store } = stored();
      const ask = vi.fn<NonNullable<View["ask"]>>(async () => ({ outcome: "selected", optionId: "always" }));
      for (const judge of [judges.ask, guarded(judges.allow)]) {
        const policy = createPermissionPolicy(judge, viewWith(ask), store);
        await policy(edit(path), signal);
        await policy(edit(path), signal);
      }
      expect(ask).toHaveBeenCalledTimes(4);
      expect(ask.mock.calls[0]?.[0].always).toMatch(/does not remember/);
      expect(decisions.size).toBe(0);
    },
  );
});
