import { allowOnce, type Client, type ClientOptions, outgoingContracts } from "@turnkit/client";
import { launch } from "@turnkit/client/node";
import { diffFiles } from "@turnkit/session/files";
import { createGate } from "@turnkit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { pictureOf } from "../story/picture.js";
import { createFolder } from "./folder.js";
import { officialV2Agent, turnkit } from "./programs.js";
import { createRollCall } from "./roll-call.js";
import { expectInOrder, runProgram, startProgram } from "./running-program.js";

const command = (...args: readonly string[]) => [...turnkit, "--output", "text", ...args, "--", ...officialV2Agent];

async function turnkitEnds(...args: readonly string[]) {
  return runProgram(command(...args), { cwd: await createFolder() });
}

describe("turnkit and a version 2 agent of the official SDK", () => {
  it("shows the whole turn in its order, the agent's own terminal included", async () => {
    const { code, stdout, stderr } = await turnkitEnds("--permissions", "allow", "--prompt", "edit it");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expectInOrder(stdout, [
      ...["> edit it\n", "[>] Shout (high)\n", "thinking: I would shout.\n", "I look at it.\n"],
      ...[
        "edit  Shout",
        "pending\n",
        "-note\n",
        "+NOTE\n",
        "? Permission: Shall I shout?\n",
        "→ Shout  [allow once]\n",
      ],
      ...["edit  Shout", "completed\n", "execute  Test", "Plan 1/1 done\n", "The index is stale"],
      ...["Session: A note\n", "Done.\n", "Stop reason: end_turn\n", "context 5 of 50 tokens (10 %)\n"],
    ]);
    expect(stdout).toContain("  | grün\n");
  });

  it("tells a refusal and a failure by its exit codes", async () => {
    expect(await turnkitEnds("--prompt", "refuse this")).toMatchObject({ code: 3 });
    const failed = await turnkitEnds("--prompt", "fail please");
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain("Failed: The model is on holiday");
  });

  it("Ctrl-C cancels the turn; the agent confirms it by its state, and nobody is left", async () => {
    const rollCall = await createRollCall();
    const running = startProgram(command("--prompt", "wait for me"), { cwd: await createFolder(), env: rollCall.env });
    await running.printed("Wait");
    running.kill("SIGINT");
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expectInOrder(stdout, ["Cancelling the turn", "The question: ", "Stop reason: cancelled"]);
    await rollCall.allGone();
  });
});

async function launchOfficialAgent(options: Partial<ClientOptions> = {}): Promise<Client> {
  const problems: unknown[] = [];
  const client = await launch(officialV2Agent, {
    info: { name: "interop", version: "1.0.0" },
    permissions: () => "wait",
    validateOutgoing: outgoingContracts,
    // An agent that dies prints why.
    onStderr: () => undefined,
    onDiagnostic: (diagnostic) => problems.push(diagnostic),
    ...options,
  });
  onTestFinished(async () => {
    await client.close();
    expect(problems).toEqual([]);
  });
  return client;
}

const cwd = "/srv";

describe("@turnkit/client and a version 2 agent of the official SDK", () => {
  it("folds a whole turn into the state", async () => {
    const client = await launchOfficialAgent({ permissions: allowOnce });
    expect(client.peer).toMatchObject({ dialect: "v2", info: { name: "official-v2-agent", version: "2.4.0" } });
    const session = await client.newSession({ cwd });
    expect(await session.prompt("edit it").ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
    const { state } = session;
    expect(pictureOf(state)).toMatchObject({
      timeline: [
        { who: "user", text: "edit it" },
        { who: "thought", text: "I would shout." },
        { who: "agent", text: "Done." },
        { tool: "Shout", kind: "edit", status: "completed", content: [["modify /srv/note.txt"]] },
        { tool: "Test", kind: "execute", status: "completed", content: ["terminal"] },
        { notice: "The index is stale", severity: "warning" },
      ],
      plans: [[{ content: "Shout", priority: "high", status: "completed" }]],
      title: "A note",
      usage: { used: 5, size: 50 },
      lastTurn: { stopReason: "end_turn" },
      pendingPermissions: 0,
      anomalies: [],
    });
    expect([...state.terminals]).toMatchObject([{ command: "npm test", text: "grün\n", exitStatus: { exitCode: 0 } }]);
    const call = state.timeline.get("tool_call:e");
    const [diff] = call?.type === "tool_call" ? call.content : [];
    expect(diff?.type === "diff" && diffFiles(diff)).toMatchObject([{ change: { path: "/srv/note.txt" } }]);
  });

  it("ends a turn as an error, and rejects it when the agent dies", async () => {
    const client = await launchOfficialAgent();
    const session = await client.newSession({ cwd });
    const error = { code: -32050, message: "The model is on holiday" };
    expect(await session.prompt("fail please").ended).toEqual({ stopReason: "error", error, agentConfirmed: true });
    await expect(session.prompt("die now").ended).rejects.toThrow("out of memory");
    expect(await client.closed).toMatchObject({ exitCode: 7 });
  });

  it("cancels while a question is open: the agent withdraws it and says the end", async () => {
    const client = await launchOfficialAgent();
    const session = await client.newSession({ cwd });
    const asked = createGate();
    session.onEvent(({ type }) => (type === "permission_asked" ? asked.open() : undefined));
    const turn = session.prompt("wait for me");
    await asked.opened;
    expect(session.state).toMatchObject({
      activity: { state: "requires_action" },
      pendingPermissions: [{ title: "May I go on?", subject: { type: "command", command: "sleep" } }],
    });
    expect(await turn.cancel()).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    expect(pictureOf(session.state)).toMatchObject({
      timeline: [{}, { tool: "Wait", status: "cancelled" }, { text: "The question: cancelled." }],
      pendingPermissions: 0,
    });
  });

  it("restores a session with all that was said; lists, closes and deletes it", async () => {
    const client = await launchOfficialAgent({ permissions: allowOnce });
    const session = await client.newSession({ cwd });
    await session.prompt("edit it").ended;
    const before = pictureOf(session.state);
    const outcome = await client.restore(session.id, { cwd });
    if (outcome.status !== "replayed") throw new Error(outcome.status);
    const { session: restored } = outcome;
    const after = pictureOf(restored.state);
    // What ended before a restore is no news.
    expect(after).toEqual({ ...before, lastTurn: { stopReason: undefined, error: undefined } });
    const ids: string[] = [];
    for await (const { sessionId } of client.listSessions()) ids.push(sessionId);
    expect(ids).toEqual([session.id]);
    await restored.close();
    await client.deleteSession(session.id);
    expect(await client.restore(session.id, { cwd })).toMatchObject({ reason: "unknown", error: { code: -32002 } });
  });

  it("sets an option, and hands on a refusal", async () => {
    const client = await launchOfficialAgent();
    const session = await client.newSession({ cwd });
    await session.setConfigOption("style", "calm");
    expect(session.state.configOptions).toMatchObject([{ configId: "style", currentValue: "calm" }]);
    await expect(session.setConfigOption("style", "shrill")).rejects.toMatchObject({ code: "state" });
  });
});
