import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type * as acp from "@agentclientprotocol/sdk";
import { methods } from "@agentclientprotocol/sdk";
import { createGate } from "@turnkit/testing";
import { describe, expect, it } from "vitest";
import { createFolder } from "./folder.js";
import { choose, launchOfficialClient, type OfficialClient } from "./official-client.js";
import { createRollCall } from "./roll-call.js";
import { javascript, typescript } from "./samples.js";

const cancelled: acp.RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

/** Opens a session by the SDK's plain requests. */
function open(client: OfficialClient, cwd: string) {
  return client.agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
}

function ask(client: OfficialClient, sessionId: string, text: string) {
  return client.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
}

type Kind = acp.SessionUpdate["sessionUpdate"];

/** The updates of one kind, and of one session if it is given. */
function heard<K extends Kind>(client: OfficialClient, kind: K, sessionId?: string) {
  return client.updates
    .filter((notification) => sessionId === undefined || notification.sessionId === sessionId)
    .map(({ update }) => update)
    .filter((update): update is Extract<acp.SessionUpdate, { sessionUpdate: K }> => update.sessionUpdate === kind);
}

/** The update in a frame that is one. */
function updateOf(frame: acp.AnyMessage): acp.SessionUpdate | undefined {
  const isUpdate = "method" in frame && frame.method === methods.client.session.update;
  return isUpdate ? (frame.params as acp.SessionNotification).update : undefined;
}

/** All that the agent said. */
function said(client: OfficialClient, sessionId?: string): string {
  return heard(client, "agent_message_chunk", sessionId)
    .map(({ content }) => (content.type === "text" ? content.text : ""))
    .join("");
}

/** Returns the agent's last report of the tool call with this name. */
function toolCall(client: OfficialClient, name: string) {
  const call = heard(client, "tool_call").find((start) => start.name === name);
  const updates = heard(client, "tool_call_update").filter(({ toolCallId }) => toolCallId === call?.toolCallId);
  const { sessionUpdate: _, ...last } = Object.assign({}, call, ...updates);
  return { ...last, statuses: [call?.status, ...updates.flatMap(({ status }) => status ?? [])] };
}

describe("a client of the official SDK and turnkit-agent: opening a session", () => {
  it("agrees on version 1 and is told what the agent is and takes", async () => {
    const { initialized } = await launchOfficialClient();
    expect(initialized).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: "turnkit-agent", title: "turnkit agent" },
      agentCapabilities: {
        promptCapabilities: { embeddedContext: true },
        sessionCapabilities: { additionalDirectories: {} },
      },
    });
  });

  it("shows the modes, the same as a config option, and the commands", async () => {
    const client = await launchOfficialClient();
    const session = await open(client, await createFolder());
    expect(session.modes).toMatchObject({
      currentModeId: "ask",
      availableModes: [
        { id: "ask", name: "Ask" },
        { id: "accept-edits", name: "Accept edits" },
        { id: "review", name: "Review" },
        { id: "auto", name: "Auto" },
      ],
    });
    expect(session.configOptions).toMatchObject([
      {
        ...{ id: "mode", category: "mode", type: "select", currentValue: "ask" },
        options: [{ value: "ask" }, { value: "accept-edits" }, { value: "review" }, { value: "auto" }],
      },
      { id: "model", category: "model", type: "select", currentValue: "reviewer", options: [{ value: "reviewer" }] },
    ]);
    await ask(client, session.sessionId, "/help");
    expect(heard(client, "available_commands_update")).toMatchObject([
      {
        availableCommands: [
          { name: "review", input: { hint: expect.any(String) } },
          { name: "diff" },
          { name: "undo" },
          { name: "help" },
        ],
      },
    ]);
  });

  it("refuses a prompt for a session that does not exist with -32002", async () => {
    const client = await launchOfficialClient();
    await expect(ask(client, "nobody", "hello")).rejects.toMatchObject({ code: -32002 });
  });
});

describe("a client of the official SDK and turnkit-agent: a turn", () => {
  it("reviews a file and fixes it through the client's files when the user allows it", async () => {
    const cwd = await createFolder({ "price.ts": typescript.flawed });
    const path = join(cwd, "price.ts");
    const client = await launchOfficialClient();
    const { sessionId } = await open(client, cwd);
    expect(await ask(client, sessionId, "Please review price.ts")).toMatchObject({ stopReason: "end_turn" });

    expect(await readFile(path, "utf8")).toBe(typescript.fixed);
    expect(client.files.filter((what) => what.startsWith("write"))).toEqual([`write ${path}`]);
    expect(client.files.at(0)).toBe(`read ${path}`);

    const plans = heard(client, "plan").map(({ entries }) => entries.map(({ status }) => status));
    expect(plans.at(0)).toEqual(["in_progress", "pending", "pending", "pending"]);
    expect(plans.at(-1)).toEqual(["completed", "completed", "completed", "completed"]);

    expect(heard(client, "agent_thought_chunk")).not.toEqual([]);
    expect(said(client)).toContain(`[${typescript.rule}]`);
    expect(said(client)).toContain("The edit is written. I checked `price.ts` again: nothing is left.");
  });

  it("reports its tool calls with places, findings, and the edit as a diff", async () => {
    const cwd = await createFolder({ "price.ts": typescript.flawed });
    const path = join(cwd, "price.ts");
    const client = await launchOfficialClient();
    const { sessionId } = await open(client, cwd);
    await ask(client, sessionId, "Please review price.ts");

    expect(heard(client, "tool_call").map(({ name, kind, title }) => [name, kind, title])).toEqual([
      ["read_file", "read", "Read price.ts"],
      ["lint_file", "execute", "Check price.ts with oxlint"],
      ["edit_file", "edit", "Edit price.ts"],
      ["lint_file", "execute", "Check price.ts with oxlint"],
    ]);
    expect(toolCall(client, "read_file")).toMatchObject({ locations: [{ path }], status: "completed" });
    expect(toolCall(client, "lint_file")).toMatchObject({
      locations: [{ path, line: 3 }],
      content: [{ type: "content", content: { text: expect.stringContaining(`(${typescript.rule})`) } }],
      rawOutput: { findings: [{ line: 3 }] },
      statuses: ["pending", "in_progress", "completed"],
    });
    const diff = { type: "diff", path, oldText: typescript.flawed, newText: typescript.fixed };
    expect(toolCall(client, "edit_file")).toMatchObject({
      locations: [{ path, line: 3 }],
      content: [diff],
      statuses: ["pending", "in_progress", "completed"],
    });
    expect(client.questions).toMatchObject([
      {
        sessionId,
        toolCall: { toolCallId: toolCall(client, "edit_file").toolCallId, title: "Edit price.ts" },
        options: [{ kind: "allow_once" }, { kind: "allow_always" }, { kind: "reject_once" }, { kind: "reject_always" }],
      },
    ]);
  });

  it("shows the diff before it asks about it", async () => {
    const cwd = await createFolder({ "price.ts": typescript.flawed });
    const shown: unknown[] = [];
    const client = await launchOfficialClient({
      answer(question) {
        shown.push(toolCall(client, "edit_file"));
        return choose("reject_once")(question);
      },
    });
    const { sessionId } = await open(client, cwd);
    await ask(client, sessionId, "Please review price.ts");
    const { toolCallId } = toolCall(client, "edit_file");
    expect(client.questions).toMatchObject([{ toolCall: { toolCallId } }]);
    expect(shown).toMatchObject([
      { toolCallId, status: "pending", content: [{ type: "diff", newText: typescript.fixed }] },
    ]);
  });

  it("sends every update before the answer, each valid for the official SDK", async () => {
    const cwd = await createFolder({ "price.ts": typescript.flawed });
    const client = await launchOfficialClient();
    const { sessionId } = await open(client, cwd);
    await ask(client, sessionId, "Please review price.ts");
    await ask(client, sessionId, "/help"); // whatever came late has come now
    const updates = client.frames.filter((frame) => updateOf(frame) !== undefined);
    const answers = client.frames.flatMap((frame, at) =>
      "result" in frame && hasStopReason(frame.result) ? [at] : [],
    );
    const [first = 0, second = 0] = answers;
    const done = { status: "completed" };
    expect(client.frames.slice(first - 1, first).map(updateOf)).toMatchObject([
      { sessionUpdate: "plan", entries: [done, done, done, done] },
    ]);
    const between = client.frames.slice(first + 1, second);
    expect(between.map(updateOf)).toMatchObject([
      { sessionUpdate: "agent_message_chunk", content: { text: expect.stringMatching(/^I review/) } },
    ]);
    expect(client.frames.slice(second + 1)).toEqual([]);
    // The SDK keeps what breaks its schema to itself.
    expect(client.updates).toHaveLength(updates.length);
  });

  it("can be followed with the SDK's own session", async () => {
    const cwd = await createFolder({ "lacks.js": javascript.flawed });
    const client = await launchOfficialClient();
    const kinds: string[] = [];
    await client.agent.buildSession(cwd).withSession(async (session) => {
      const prompting = session.prompt("Review lacks.js");
      for (;;) {
        const message = await session.nextUpdate();
        kinds.push(message.kind === "stop" ? message.stopReason : message.update.sessionUpdate);
        if (message.kind === "stop") break;
      }
      expect(await prompting).toEqual({ stopReason: "end_turn" });
    });
    expect(new Set(kinds)).toEqual(
      new Set([
        ...["available_commands_update", "agent_thought_chunk", "plan", "tool_call", "tool_call_update"],
        ...["agent_message_chunk", "session_info_update", "end_turn"],
      ]),
    );
    expect(kinds.indexOf("end_turn")).toBe(kinds.length - 1);
    expect(await readFile(join(cwd, "lacks.js"), "utf8")).toBe(javascript.fixed);
  });

  it("reviews and fixes what stands in the editor, not what was saved", async () => {
    const cwd = await createFolder({ "lacks.js": "// saved long ago\n" });
    const path = join(cwd, "lacks.js");
    const unsaved = new Map([[path, javascript.flawed]]);
    const client = await launchOfficialClient({ unsaved });
    const { sessionId } = await open(client, cwd);
    await ask(client, sessionId, "Review lacks.js");
    expect(unsaved.get(path)).toBe(javascript.fixed);
    expect(await readFile(path, "utf8")).toBe("// saved long ago\n");
  });

  it("leaves the file as it is when the user rejects the edit, and says so", async () => {
    const cwd = await createFolder({ "price.ts": typescript.flawed });
    const client = await launchOfficialClient({ answer: choose("reject_once") });
    const { sessionId } = await open(client, cwd);
    expect(await ask(client, sessionId, "Review price.ts")).toMatchObject({ stopReason: "end_turn" });
    expect(await readFile(join(cwd, "price.ts"), "utf8")).toBe(typescript.flawed);
    expect(client.files.filter((what) => what.startsWith("write"))).toEqual([]);
    expect(toolCall(client, "edit_file")).toMatchObject({ status: "failed" });
    expect(said(client)).toContain("I left `price.ts` as it is.");
  });
});

describe("a client of the official SDK and turnkit-agent: cancelling", () => {
  it("ends the turn as cancelled while the permission question is open, and the session goes on", async () => {
    const cwd = await createFolder({ "price.ts": typescript.flawed });
    let answer = choose("allow_once");
    const client = await launchOfficialClient({ answer: (question) => answer(question) });
    const { sessionId } = await open(client, cwd);
    answer = () => {
      void client.agent.notify(methods.agent.session.cancel, { sessionId });
      return cancelled;
    };
    expect(await ask(client, sessionId, "Review price.ts")).toEqual({ stopReason: "cancelled" });
    expect(await readFile(join(cwd, "price.ts"), "utf8")).toBe(typescript.flawed);

    answer = choose("allow_once");
    expect(await ask(client, sessionId, "Review price.ts")).toEqual({ stopReason: "end_turn" });
    expect(await readFile(join(cwd, "price.ts"), "utf8")).toBe(typescript.fixed);
  });

  it("withdraws its open question, so that a client that only listens to the question's signal is done too", async () => {
    const cwd = await createFolder({ "price.ts": typescript.flawed });
    const asked = createGate();
    const withdrawn = createGate();
    const client = await launchOfficialClient({
      async answer(_, signal) {
        signal.addEventListener("abort", withdrawn.open);
        asked.open();
        await withdrawn.opened;
        return cancelled;
      },
    });
    const { sessionId } = await open(client, cwd);
    const prompting = ask(client, sessionId, "Review price.ts");
    await asked.opened;
    await client.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await prompting).toEqual({ stopReason: "cancelled" });
    await withdrawn.opened;
    expect(await readFile(join(cwd, "price.ts"), "utf8")).toBe(typescript.flawed);
  });

  it("ends the turn as cancelled in the middle of the check, kills oxlint and removes its folder", async () => {
    const cwd = await createFolder({ "price.ts": typescript.flawed });
    const rollCall = await createRollCall();
    rollCall.hold("bin/oxlint");
    const client = await launchOfficialClient({ env: rollCall.env });
    const { sessionId } = await open(client, cwd);
    const prompting = ask(client, sessionId, "Review price.ts");
    const lints = [await rollCall.member("bin/oxlint", 0), await rollCall.member("bin/oxlint", 1)];
    for (const lint of lints) expect(existsSync(lint.cwd)).toBe(true);
    await client.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await prompting).toEqual({ stopReason: "cancelled" });
    for (const lint of lints) {
      await lint.gone;
      expect(existsSync(lint.cwd)).toBe(false);
    }
    expect(toolCall(client, "lint_file")).toMatchObject({ status: "failed" });
    expect(await client.end()).toEqual({ code: 0, stderr: "" });
    await rollCall.allGone();
  });
});

describe("a client of the official SDK and turnkit-agent: modes", () => {
  it("shows edits and never asks or writes after set_mode to review, and tells the change in both forms", async () => {
    const cwd = await createFolder({ "price.ts": typescript.flawed });
    const client = await launchOfficialClient();
    const { sessionId } = await open(client, cwd);
    await client.agent.request(methods.agent.session.setMode, { sessionId, modeId: "review" });
    await ask(client, sessionId, "Review price.ts");
    expect(client.questions).toEqual([]);
    expect(await readFile(join(cwd, "price.ts"), "utf8")).toBe(typescript.flawed);
    expect(toolCall(client, "edit_file")).toMatchObject({ status: "completed", content: [{ type: "diff" }] });
    expect(said(client)).toContain("This session is in `review` mode");
    expect(heard(client, "config_option_update").at(-1)).toMatchObject({
      configOptions: [{ id: "mode", currentValue: "review" }, { id: "model" }],
    });
  });

  it("takes the mode as a config option too, and answers with all options as they are then", async () => {
    const cwd = await createFolder({ "price.ts": typescript.flawed });
    const client = await launchOfficialClient();
    const { sessionId } = await open(client, cwd);
    const answer = await client.agent.request(methods.agent.session.setConfigOption, {
      ...{ sessionId, configId: "mode", value: "review" },
    });
    expect(answer.configOptions).toMatchObject([
      { id: "mode", currentValue: "review", options: [{}, {}, {}, {}] },
      { id: "model", currentValue: "reviewer" },
    ]);
    await ask(client, sessionId, "Review price.ts");
    expect(client.questions).toEqual([]);
    expect(heard(client, "current_mode_update").at(-1)).toMatchObject({ currentModeId: "review" });
  });

  it("refuses an unknown mode, option or value with -32602 and stays as it was", async () => {
    const cwd = await createFolder({ "price.ts": typescript.flawed });
    const client = await launchOfficialClient();
    const { sessionId } = await open(client, cwd);
    const { setMode, setConfigOption } = methods.agent.session;
    const invalid = { code: -32602 };
    await expect(client.agent.request(setMode, { sessionId, modeId: "yolo" })).rejects.toMatchObject(invalid);
    for (const change of [
      { configId: "mode", value: "yolo" },
      { configId: "colour", value: "ask" },
    ]) {
      const answer = client.agent.request(setConfigOption, { sessionId, ...change });
      await expect(answer).rejects.toMatchObject(invalid);
    }
    await ask(client, sessionId, "Review price.ts");
    expect(client.questions).toHaveLength(1);
    expect(heard(client, "current_mode_update")).toEqual([]);
  });
});

describe("a client of the official SDK and turnkit-agent: sessions and the end", () => {
  it("keeps two sessions apart that work at once: one is cancelled, the other finishes", async () => {
    const folders = [
      await createFolder({ "a.ts": typescript.flawed }),
      await createFolder({ "b.js": javascript.flawed }),
    ];
    const gates = [createGate(), createGate()] as const;
    const answer = createGate();
    const sessions: string[] = [];
    const client = await launchOfficialClient({
      async answer(question) {
        gates[sessions.indexOf(question.sessionId)]?.open();
        await answer.opened;
        return question.sessionId === sessions[0] ? cancelled : choose("allow_once")(question);
      },
    });
    for (const cwd of folders) sessions.push((await open(client, cwd)).sessionId);
    const [first = "", second = ""] = sessions;
    const turns = [ask(client, first, "Review a.ts"), ask(client, second, "Review b.js")];
    for (const gate of gates) await gate.opened;
    await client.agent.notify(methods.agent.session.cancel, { sessionId: first });
    answer.open();
    expect(await Promise.all(turns)).toEqual([{ stopReason: "cancelled" }, { stopReason: "end_turn" }]);

    expect(await readFile(join(folders[0] ?? "", "a.ts"), "utf8")).toBe(typescript.flawed);
    expect(await readFile(join(folders[1] ?? "", "b.js"), "utf8")).toBe(javascript.fixed);
    expect(said(client, first)).toContain(typescript.rule);
    expect(said(client, first)).not.toContain(javascript.rule);
    expect(said(client, second)).toContain(javascript.rule);
    expect(said(client, second)).not.toContain(typescript.rule);
  });

  it("ends with code 0 and a clean stderr when its stdin ends", async () => {
    const client = await launchOfficialClient();
    await open(client, await createFolder());
    expect(await client.end()).toEqual({ code: 0, stderr: "" });
  });

  it("leaves no oxlint behind when its stdin ends in the middle of the check", async () => {
    const cwd = await createFolder({ "price.ts": typescript.flawed });
    const rollCall = await createRollCall();
    rollCall.hold("bin/oxlint");
    const client = await launchOfficialClient({ env: rollCall.env });
    const { sessionId } = await open(client, cwd);
    ask(client, sessionId, "Review price.ts").catch(() => undefined);
    const lint = await rollCall.member("bin/oxlint", 1);
    expect(await client.end()).toMatchObject({ code: 0 });
    await rollCall.allGone();
    expect(existsSync(lint.cwd)).toBe(false);
  });
});

function hasStopReason(result: unknown): boolean {
  return typeof result === "object" && result !== null && "stopReason" in result;
}
