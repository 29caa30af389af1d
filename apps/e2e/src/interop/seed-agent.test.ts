import { allowOnce, type Client, type ClientOptions, outgoingContracts, type Session } from "@turnkit/client";
import { launch } from "@turnkit/client/node";
import { createGate } from "@turnkit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { pictureOf } from "../story/picture.js";
import { createFolder } from "./folder.js";
import { seedAgent, turnkit } from "./programs.js";
import { expectInOrder, runProgram, startProgram } from "./running-program.js";

async function turnkitEnds(...args: readonly string[]) {
  return runProgram([...turnkit, "--output", "text", ...args, "--", ...seedAgent], { cwd: await createFolder() });
}

describe("turnkit and an agent of the seed draft in bare lines", () => {
  it("shows the whole turn in its order", async () => {
    const { code, stdout, stderr } = await turnkitEnds("--permissions", "allow", "--prompt", "edit it");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expectInOrder(stdout, [
      ...["> edit it\n", "Plan 0/1 done\n", "[>] Shout (high)\n", "thinking: I would shout.\n", "I look at it.\n"],
      ...["edit  Shout", "pending\n", "-note\n", "+NOTE\n", "? Permission: Shout\n", "→ Shout  [allow once]\n"],
      ...["  | answer: y\n", "edit  Shout", "completed\n", "Plan 1/1 done\n", "Stop reason: end_turn\n"],
      "context 5 of 50 tokens (10 %)\n",
    ]);
  });

  it("rejects with --permissions deny", async () => {
    const { code, stdout } = await turnkitEnds("--permissions", "deny", "--prompt", "edit it");
    expect(code).toBe(6);
    expectInOrder(stdout, ["→ Whisper  [reject once]\n", "  | answer: n\n", "failed\n"]);
  });

  it("V2-SEED-12: shows a stop reason that nobody knows, and an error answer, by exit codes too", async () => {
    const custom = await turnkitEnds("--prompt", "whoami");
    expect(custom.stdout).toContain("Stop reason: _budget_spent");
    const failed = await turnkitEnds("--prompt", "fail please");
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain("Failed: The model is on holiday");
  });

  it("V2-SEED-11: Ctrl-C answers both open questions and ends the turn as cancelled", async () => {
    const command = [...turnkit, "--output", "text", "--prompt", "wait for me", "--", ...seedAgent];
    const running = startProgram(command, { cwd: await createFolder() });
    // Nobody can be asked: both are answered before; the turn goes on until it is cancelled.
    await running.printed("Wait");
    running.kill("SIGINT");
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expectInOrder(stdout, ["Cancelling the turn", "Answers: cancelled, cancelled.", "Stop reason: cancelled"]);
  });

  it("says that it speaks another version when it was told to speak version 1 only", async () => {
    const { code, stderr } = await turnkitEnds("--protocol", "1", "--prompt", "edit it");
    expect(code).toBe(1);
    expect(stderr).not.toBe("");
  });
});

/** A client of ours with the raw agent. */
async function launchSeedAgent(options: Partial<ClientOptions> = {}): Promise<Client> {
  const problems: unknown[] = [];
  const client = await launch(seedAgent, {
    info: { name: "interop", version: "1.0.0" },
    permissions: () => "wait",
    validateOutgoing: outgoingContracts,
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
async function listed(client: Client): Promise<string[]> {
  const ids: string[] = [];
  for await (const { sessionId } of client.listSessions()) ids.push(sessionId);
  return ids;
}

/** All that the agent said. */
function said({ state }: Session): string {
  const { timeline } = pictureOf(state) as { timeline: readonly { readonly who?: string; readonly text?: string }[] };
  return timeline.flatMap(({ who, text }) => (who === "agent" ? [text] : [])).join("");
}

describe("@turnkit/client and an agent of the seed draft in bare lines", () => {
  it("V2-SEED-01, V2-SEED-04: knows the draft by its answer", async () => {
    const { peer } = await launchSeedAgent();
    expect(peer).toMatchObject({
      dialect: "seed",
      info: { name: "seed-agent", version: "0.6.0" },
      capabilities: { load: true, list: true, resume: true, close: true, delete: true, logout: true },
      authMethods: [{ type: "agent", methodId: "web" }],
    });
  });

  it("V2-SEED-02, V2-SEED-05, V2-SEED-06, V2-SEED-07: folds a whole turn into the state", async () => {
    const client = await launchSeedAgent({ permissions: allowOnce });
    const session = await client.newSession({
      ...{ cwd, mcpServers: [{ type: "stdio", name: "files", command: "/bin/files" }] },
    });
    const turn = session.prompt("edit it");
    expect(session.state.activity).toMatchObject({ state: "running", origin: "request" });
    expect(await turn.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
    expect(pictureOf(session.state)).toEqual({
      timeline: [
        { who: "user", text: "edit it" },
        { who: "thought", text: "I would shout." },
        { who: "agent", text: "I am done." },
        {
          ...{ tool: "Shout", kind: "edit", status: "completed", rawInput: undefined },
          ...{ content: [["modify /srv/note.txt"], "answer: y"], locations: [{ path: "/srv/note.txt" }] },
        },
      ],
      plans: [[{ content: "Shout", priority: "high", status: "completed" }]],
      title: undefined,
      usage: { used: 5, size: 50 },
      commands: [{ name: "edit", description: "Edits", hint: "file" }],
      options: [{ configId: "mode", category: "mode", value: "ask" }],
      activity: "idle",
      lastTurn: { stopReason: "end_turn", error: undefined },
      pendingPermissions: 0,
      anomalies: [],
    });
  });

  it("V2-SEED-09: its echo is the prompt, not a second message", async () => {
    const client = await launchSeedAgent();
    const session = await client.newSession({ cwd });
    expect((await session.prompt("whoami").ended).stopReason).toBe("_budget_spent");
    expect([...session.state.timeline]).toMatchObject([
      { role: "user", messageId: "u-0", prompt: { status: "accepted" } },
      { role: "agent" },
    ]);
  });

  it("V2-SEED-11: answers all open questions when it cancels", async () => {
    const client = await launchSeedAgent();
    const session = await client.newSession({ cwd });
    const asked = createGate();
    session.subscribe(() => {
      if (session.state.pendingPermissions.length === 2) asked.open();
    });
    const turn = session.prompt("wait for me");
    await asked.opened;
    const ending = turn.cancel();
    expect(session.state.pendingPermissions).toEqual([]);
    expect(await ending).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    expect(said(session)).toBe("Answers: cancelled, cancelled.");
  });

  it("V2-SEED-05, V2-SEED-06: sets an option, which the agent then heeds", async () => {
    const client = await launchSeedAgent();
    const session = await client.newSession({ cwd });
    await session.setConfigOption("mode", "yolo");
    expect(session.state.configOptions).toMatchObject([{ configId: "mode", currentValue: "yolo" }]);
    await session.prompt("edit it").ended;
    expect(pictureOf(session.state).timeline.at(-1)).toMatchObject({ status: "completed" });
  });

  it("V2-SEED-04: loads a session with all that was said, lists, closes and deletes, by the draft's methods", async () => {
    const client = await launchSeedAgent({ permissions: allowOnce });
    const session = await client.newSession({ cwd });
    await session.prompt("edit it").ended;
    const before = pictureOf(session.state);
    const outcome = await client.restore(session.id, { cwd });
    if (outcome.status !== "replayed") throw new Error(outcome.status);
    const { session: restored } = outcome;
    const after = pictureOf(restored.state);
    expect(after).toEqual({ ...before, commands: undefined, lastTurn: after.lastTurn });
    expect(await listed(client)).toEqual([session.id]);
    await restored.close();
    await client.deleteSession(session.id);
    expect(await listed(client)).toEqual([]);
    expect(await client.restore(session.id, { cwd })).toMatchObject({ reason: "unknown", error: { code: -32002 } });
  });

  it("V2-SEED-04, V2-SEED-05: logs in and out by the draft's methods; the agent reads who asks", async () => {
    const client = await launchSeedAgent();
    const session = await client.newSession({ cwd });
    await client.login("web");
    await session.prompt("whoami").ended;
    await client.logout();
    await session.prompt("whoami").ended;
    expect(said(session)).toBe("You are web with interop.You are nobody with interop.");
  });
});
