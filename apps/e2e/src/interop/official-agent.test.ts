import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Client, type ClientOptions, outgoingContracts, type Session } from "@turnkit/client";
import { createLocalFileHost, createLocalTerminalHost, launch } from "@turnkit/client/node";
import { messageText, type SessionEvent, visiblePlan } from "@turnkit/session";
import { changedFiles } from "@turnkit/session/files";
import { createGate } from "@turnkit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFolder } from "./folder.js";
import { officialAgent, turnkit } from "./programs.js";
import { createRollCall } from "./roll-call.js";
import { expectInOrder, type ProgramOptions, runProgram, startProgram } from "./running-program.js";

const note = "a small note\n";
const shouted = "A SMALL NOTE\n";

/** `turnkit … -- <the official agent>` */
function command(...args: readonly string[]): readonly string[] {
  return [...turnkit, "--output", "text", ...args, "--", ...officialAgent];
}

async function turnkitEnds(args: readonly string[], options: Partial<ProgramOptions> = {}) {
  const cwd = options.cwd ?? (await createFolder());
  return runProgram(command(...args), { cwd, ...options });
}

describe("turnkit and an agent of the official SDK: the conversation", () => {
  it("prints it as plain text in its order, and writes what --permissions allow allows", async () => {
    const cwd = await createFolder({ "note.txt": note });
    const { code, stdout, stderr } = await turnkitEnds(["--permissions", "allow", "--file", "note.txt"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(await readFile(join(cwd, "note.txt"), "utf8")).toBe(shouted);
    expect(stdout).not.toContain("\u001b");
    expectInOrder(stdout, [
      ...["> Review note.txt.\n", `> [note.txt ${pathToFileURL(join(cwd, "note.txt"))}]\n`],
      ...["Plan 0/3 done\n", "[>] Read\n", "[ ] Edit (high)\n", "[ ] Test\n"],
      ...["thinking: A note, I think.\n", "\nI look at note.txt. Then I edit it.\n"],
      ...["read  Read the note  note.txt:1  in progress\n", "read  Read the note  completed\n", "  | a small note\n"],
      ...["Plan 1/3 done\n", "[x] Read\n", "[>] Edit (high)\n"],
      ...["edit  Shout  pending\n", "--- a/note.txt\n", "+++ b/note.txt\n", "-a small note\n", "+A SMALL NOTE\n"],
      ...["? Permission: Shout\n", "1) Shout  [allow once]\n", "2) Whisper  [reject once]\n"],
      ...["→ Shout  [allow once]\n", "edit  Shout  completed\n"],
      ...["execute  Test it  pending\n", "  $ ", "  | 2 passed\n", "  | grün\n", "ended with exit code 3\n"],
      ...["execute  Test it  completed\n", "Plan 3/3 done\n", "Mode: rest\n", "Session: A note\n", "Done.\n"],
      ...["Stop reason: end_turn\n", "context 50 of 200 tokens (25 %)\n"],
    ]);
  });

  it("rejects with --permissions deny, and says so by its exit code", async () => {
    const cwd = await createFolder({ "note.txt": note });
    const args = ["--permissions", "deny", "--prompt", "Shout it", "--file", "note.txt"];
    const { code, stdout, stderr } = await turnkitEnds(args, { cwd });
    expect({ code, stderr }).toEqual({ code: 6, stderr: "" });
    expectInOrder(stdout, [
      "> Shout it\n",
      "→ Whisper  [reject once]\n",
      "edit  Shout  failed\n",
      "Then I leave it.\n",
    ]);
    expect(await readFile(join(cwd, "note.txt"), "utf8")).toBe(note);
  });

  it("cancels questions when nobody can be asked, and says what helps", async () => {
    const cwd = await createFolder({ "note.txt": note });
    const { code, stdout } = await turnkitEnds(["--file", "note.txt"], { cwd });
    expect(code).toBe(6);
    expectInOrder(stdout, ["See --permissions.\n", "no option chosen", "edit  Shout  failed\n"]);
    expect(await readFile(join(cwd, "note.txt"), "utf8")).toBe(note);
  });

  it("takes a prompt from standard input, and keeps the agent out of other people's files", async () => {
    const { code, stdout } = await turnkitEnds([], { stdin: "peek at my passwords\n" });
    expect(code).toBe(0);
    expectInOrder(stdout, ["> peek at my passwords\n", "refused with -32602\n"]);
  });
});

describe("turnkit and an agent of the official SDK: exit codes", () => {
  it("3 for a refusal", async () => {
    const { code, stdout } = await turnkitEnds(["--prompt", "refuse this"]);
    expect(code).toBe(3);
    expect(stdout).toContain("Stop reason: refusal");
  });

  it("1 for an error answer, with what the agent said", async () => {
    const { code, stdout } = await turnkitEnds(["--prompt", "fail please"]);
    expect(code).toBe(1);
    expect(stdout).toContain("Failed: The model is on holiday");
  });

  it("1 when the agent dies, with its exit code and its last words", async () => {
    const { code, stderr } = await turnkitEnds(["--prompt", "die now"]);
    expect(code).toBe(1);
    expectInOrder(stderr, ["turnkit: ", "code 7", "out of memory"]);
  });

  it("0 when the agent writes log lines between its messages; the first of them is told", async () => {
    const { code, stdout, stderr } = await turnkitEnds(["--prompt", "chatter a bit"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expectInOrder(stdout, ["Did you see that?\n", "Stop reason: end_turn\n"]);
    expect(stdout).toContain("debug: got a prompt");
    expect(stdout).not.toContain("debug: its length is");
  });

  it("1 when the agent cannot be started, 2 when a file is missing, each with a message", async () => {
    const cwd = await createFolder();
    const noAgent = await runProgram([...turnkit, "--prompt", "hello", "--", "no-such-agent"], { cwd });
    expect(noAgent).toMatchObject({ code: 1, stderr: expect.stringContaining("no-such-agent") });
    const noFile = await turnkitEnds(["--file", "missing.ts"], { cwd });
    expect(noFile).toMatchObject({ code: 2, stderr: `turnkit: There is no file ${join(cwd, "missing.ts")}.\n` });
  });
});

describe("turnkit and an agent of the official SDK: interruptions", () => {
  it("Ctrl-C cancels the turn: the agent ends it, its command is killed, exit code 130, nobody is left", async () => {
    const rollCall = await createRollCall();
    const running = startProgram(command("--prompt", "wait for me"), { cwd: await createFolder(), env: rollCall.env });
    await running.printed("  | serving\n");
    running.kill("SIGINT");
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
    expectInOrder(stdout, ["Cancelling the turn", "ended by SIGTERM", "Stop reason: cancelled"]);
    expect(stdout).toContain("The command ended: SIGTERM.\n");
    await rollCall.allGone();
  });

  it("a second Ctrl-C ends it at once, and with it an agent that heeds neither a cancel nor SIGTERM", async () => {
    const rollCall = await createRollCall();
    const running = startProgram(command("--prompt", "ignore me"), { cwd: await createFolder(), env: rollCall.env });
    await running.printed("I shall not stop.\n");
    running.kill("SIGINT");
    await running.printed("Cancelling the turn");
    running.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: 130, stderr: "" });
    await rollCall.allGone();
  });

  it("leaves neither the agent nor its command behind when it is killed itself", async () => {
    const rollCall = await createRollCall();
    const running = startProgram(command("--prompt", "wait for me"), { cwd: await createFolder(), env: rollCall.env });
    await running.printed("  | serving\n");
    running.kill("SIGKILL");
    expect(await running.ended).toMatchObject({ signal: "SIGKILL" });
    await rollCall.allGone();
  });
});

/** Connects a client of ours to the official agent, with a session in `cwd` and the events of its listener. */
async function launchOfficialAgent(
  cwd: string,
  options: Partial<ClientOptions> & { env?: Record<string, string> } = {},
) {
  const problems: unknown[] = [];
  const client: Client = await launch(officialAgent as [string, ...string[]], {
    info: { name: "interop", version: "1.0.0" },
    permissions: () => "wait",
    cwd,
    files: createLocalFileHost(),
    terminals: createLocalTerminalHost(),
    validateOutgoing: outgoingContracts,
    onDiagnostic: (diagnostic) => problems.push(diagnostic),
    ...options,
    env: { ...process.env, ...options.env },
  });
  onTestFinished(() => client.close());
  const events: SessionEvent[] = [];
  const session = await client.newSession({ cwd }, (event) => void events.push(event));
  return { client, session, events, problems };
}

function editNote(session: Session) {
  const uri = pathToFileURL(join(session.cwd, "note.txt")).href;
  return session.prompt([
    { type: "text", text: "Edit it" },
    { type: "resource_link", uri, name: "note.txt" },
  ]);
}

function toolCalls({ state }: Session) {
  return [...state.timeline].flatMap((entry) => (entry.type === "tool_call" ? [entry] : []));
}

function said({ state }: Session): string {
  return [...state.timeline]
    .flatMap((entry) => (entry.type === "message" && entry.role === "agent" ? [messageText(entry)] : []))
    .join("");
}

describe("@turnkit/client and an agent of the official SDK", () => {
  it("folds a whole turn, with files and a terminal of the client, into the state", async () => {
    const cwd = await createFolder({ "note.txt": note });
    const { client, session, events, problems } = await launchOfficialAgent(cwd, {
      permissions: () => ({ outcome: "selected", optionId: "y" }),
    });
    expect(client.peer).toMatchObject({ dialect: "v1", info: { name: "official-agent", version: "2.4.0" } });
    expect(await editNote(session).ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });

    const { state } = session;
    expect(await readFile(join(cwd, "note.txt"), "utf8")).toBe(shouted);
    expect(changedFiles(state)).toMatchObject([{ path: join(cwd, "note.txt"), oldText: note, newText: shouted }]);
    expect(toolCalls(session)).toMatchObject([
      { toolCallId: "read", kind: "read", status: "completed", locations: [{ path: join(cwd, "note.txt"), line: 1 }] },
      { toolCallId: "edit", kind: "edit", status: "completed" },
      { toolCallId: "test", kind: "execute", rawOutput: { exitCode: 3, output: "2 passed\ngrün\n" } },
    ]);
    expect([...state.terminals]).toMatchObject([
      { text: "2 passed\ngrün\n", exitStatus: { exitCode: 3 }, command: expect.stringContaining(process.execPath) },
    ]);
    expect(visiblePlan(state)).toMatchObject({
      type: "items",
      entries: [{ content: "Read" }, { content: "Edit", priority: "high" }, { content: "Test", status: "completed" }],
    });
    expect(said(session)).toBe("I look at note.txt. Then I edit it.\nDone.\n");
    expect(state.configOptions).toMatchObject([{ category: "mode", currentValue: "rest" }]);
    expect(state).toMatchObject({ title: "A note", usage: { used: 50, size: 200 }, pendingPermissions: [] });
    expect(state.lastTurn).toMatchObject({ stopReason: "end_turn" });
    expect([state.anomalies, problems]).toEqual([[], []]);
    // The listener was told all of it before `ended`.
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        "session_opened",
        "prompt_sent",
        "permission_asked",
        "permission_answered",
        "turn_ended",
      ]),
    );
    expect(events.at(-1)).toMatchObject({ type: "turn_ended", stopReason: "end_turn" });
  });

  it("answers the open question by itself when the turn is cancelled", async () => {
    const cwd = await createFolder({ "note.txt": note });
    const { session, problems } = await launchOfficialAgent(cwd);
    const asked = createGate();
    session.onEvent(({ type }) => (type === "permission_asked" ? asked.open() : undefined));
    const turn = editNote(session);
    await asked.opened;
    expect(session.state.pendingPermissions).toMatchObject([{ options: [{ optionId: "y" }, { optionId: "n" }] }]);
    const ending = turn.cancel();
    expect(session.state.pendingPermissions).toEqual([]);
    expect(toolCalls(session).map(({ status }) => status)).toEqual(["completed", "cancelled"]);
    expect(await ending).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    expect(await readFile(join(cwd, "note.txt"), "utf8")).toBe(note);
    expect(problems).toEqual([]);
  });

  it("goes on serving the agent's terminal while a cancel is under way", async () => {
    const rollCall = await createRollCall();
    const cwd = await createFolder();
    const terminals = createLocalTerminalHost({ env: { ...process.env, ...rollCall.env } });
    const { client, session } = await launchOfficialAgent(cwd, { terminals, env: rollCall.env });
    const turn = session.prompt("wait for me");
    const served = await rollCall.member("serving");
    expect(await turn.cancel()).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    await served.gone;
    expect([...session.state.terminals]).toMatchObject([{ exitStatus: { signal: "SIGTERM" } }]);
    expect(said(session)).toBe("The command ended: SIGTERM.\n");
    await client.close();
    await rollCall.allGone();
  });

  it("sets a mode as a config option, hands on a refusal, and refuses an unknown one itself", async () => {
    const { session } = await launchOfficialAgent(await createFolder());
    const { configId = "" } = session.state.configOptions?.[0] ?? {};
    await session.setConfigOption(configId, "rest");
    expect(session.state.configOptions).toMatchObject([{ currentValue: "rest" }]);
    await expect(session.setConfigOption(configId, "root")).rejects.toMatchObject({ code: -32602 });
    await expect(session.setConfigOption(configId, "yolo")).rejects.toMatchObject({ code: "state" });
    expect(session.state.configOptions).toMatchObject([{ currentValue: "rest" }]);
  });

  it("ends a turn as an error when the agent answers with one, and rejects it when the agent dies", async () => {
    const { client, session } = await launchOfficialAgent(await createFolder());
    expect(await session.prompt("fail please").ended).toMatchObject({
      stopReason: "error",
      error: { code: -32603, message: "The model is on holiday" },
    });
    await expect(session.prompt("die now").ended).rejects.toMatchObject({
      name: "OutcomeUnknownError",
      message: expect.stringContaining("out of memory"),
    });
    expect(await client.closed).toMatchObject({ exitCode: 7 });
    expect(session.state.closed).toBe(true);
  });
});
