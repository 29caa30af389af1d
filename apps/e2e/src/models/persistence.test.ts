import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { v1Dialect, v2Dialect } from "@turnkit/client";
import { describe, expect, it, vi } from "vitest";
import { calls, createProject, reached, said, startCodingAgent, type WireName } from "./coding-agent.js";
import { call, type Part, say, think } from "./step.js";

const manifest = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/package.json"));
const everything = join(dirname(manifest), "dist/index.js");

/** Says something, and then nothing until the end of the test. */
async function* endless(): AsyncGenerator<Part> {
  yield say("I begin with ");
  await new Promise(() => {});
}

const dialects = [
  ["v1", v1Dialect],
  ["v2", v2Dialect],
] as const;

describe.each(dialects)("a session with a model over %s", (_, dialect) => {
  it("survives the death of the agent in the middle of a turn, and the model remembers it", async () => {
    const sessions = await createProject({});
    const files = { "price.txt": "The price is 12.\n" };
    const args = ["--sessions", sessions];
    const first = await startCodingAgent({
      dialects: [dialect],
      files,
      args,
      script: [
        [say("I look."), call("search", { pattern: "price" })],
        [call("run_command", { command: "node -p 6*7" })],
        [say("It is 12, and 42.")],
        endless(),
      ],
    });
    await first.session.prompt("What is the price?").ended;
    const before = { said: said(first.session.state), calls: calls(first.session.state) };
    const open = first.session.prompt("And with tax?");
    await reached(first.session, (state) => said(state).includes("I begin with"));
    const second = await startCodingAgent({ dialects: [dialect], args, script: [[say("14.28.")]] });
    const listed = async () => {
      const sessions = [];
      for await (const info of second.client.listSessions({ cwd: first.folder })) sessions.push(info);
      return sessions;
    };
    const expected = [{ sessionId: first.session.id, title: "What is the price?" }];
    // The title for lists is written soon after the end of a turn, not before it.
    await vi.waitFor(async () => expect(await listed()).toMatchObject(expected), 10_000);
    first.kill();
    await expect(open.ended).rejects.toThrow();

    expect(await listed()).toMatchObject(expected);
    const outcome = await second.client.restore(first.session.id, {
      cwd: first.folder,
      mcpServers: [{ type: "stdio", name: "local", command: process.execPath, args: [everything], env: [] }],
    });
    if (outcome.status !== "replayed") throw new Error(`The session is ${outcome.status}.`);
    const { session } = outcome;
    expect(said(session.state).startsWith(before.said)).toBe(true);
    expect(calls(session.state)).toEqual(before.calls);

    expect(await session.prompt("Once more: with tax?").ended).toMatchObject({ stopReason: "end_turn" });
    expect(second.server.requests[0]?.tools).toContain("local__echo");
    const sent = JSON.stringify(second.server.requests[0]?.body.messages);
    for (const known of ["What is the price?", "The price is 12.", "It is 12, and 42.", "42\\nExit code 0."]) {
      expect(sent).toContain(known);
    }
  });
});

describe("defect P12: the results of tools survive a restart", () => {
  it.each<[WireName]>([["openai-compatible"], ["anthropic"], ["openai"], ["google"]])(
    "so the model does not read all again, also after a kill in the middle of a turn: %s",
    async (wire) => {
      const sessions = await createProject({});
      const args = ["--sessions", sessions];
      const first = await startCodingAgent({
        wire,
        files: { "notes.txt": "the secret of the notes\n", "more.txt": "more of them\n" },
        args,
        script: [
          [think("Let me see."), call("read_file", { path: "notes.txt" }), call("read_file", { path: "more.txt" })],
          [say("I read both.")],
          endless(),
        ],
      });
      await first.session.prompt("Read notes.txt and more.txt.").ended;
      const open = first.session.prompt("And now?");
      await reached(first.session, (state) => said(state).includes("I begin with"));
      first.kill();
      await expect(open.ended).rejects.toThrow();

      const second = await startCodingAgent({ wire, args, script: [[say("As I read.")], [say("Still.")]] });
      const outcome = await second.client.restore(first.session.id, { cwd: first.folder });
      if (outcome.status !== "replayed") throw new Error(`The session is ${outcome.status}.`);
      for (const prompt of ["What do the notes say?", "Sure?"]) {
        expect(await outcome.session.prompt(prompt).ended).toMatchObject({ stopReason: "end_turn" });
        const sent = JSON.stringify(second.server.requests.at(-1)?.body);
        for (const known of ["the secret of the notes", "more of them", "I read both.", "And now?", prompt]) {
          expect([known, sent.split(known).length - 1]).toEqual([known, 1]);
        }
        expect(sent).toContain("This session was restored.");
      }
      expect(JSON.stringify(first.server.requests[1]?.body)).not.toContain("This session was restored.");
    },
  );
});

describe("slash commands with a model", () => {
  it("/plan looks and changes nothing; /help and /compact need no turn of the model", async () => {
    const { session, server } = await startCodingAgent({
      script: [[say("The plan.")], [say("We planned a cart.")], [say("Yes: a cart.")]],
    });
    await session.prompt("/plan a cart").ended;
    expect(server.requests[0]?.prompt).toContain("Plan this: a cart");
    const { tools = [] } = server.requests[0] ?? {};
    expect(tools).toEqual(expect.arrayContaining(["read_file", "search", "update_plan"]));
    for (const name of ["edit_file", "write_file", "run_command"]) expect(tools).not.toContain(name);

    await session.prompt("/help").ended;
    expect(said(session.state)).toContain("`/compact`");
    expect(server.requests).toHaveLength(1);

    await session.prompt("/compact the cart").ended;
    expect(server.requests[1]?.prompt).toContain("Dwell on: the cart");
    const compaction = [...session.state.timeline].find(({ type }) => type === "compaction");
    expect(compaction).toMatchObject({ status: "completed" });

    await session.prompt("Do you remember?").ended;
    const sent = JSON.stringify(server.requests[2]?.body.messages);
    expect(sent).toContain("We planned a cart.");
    expect(sent).not.toContain("Plan this");
  });

  it("/init writes an AGENTS.md, which the model is told from then on", async () => {
    const { session, server } = await startCodingAgent({
      script: [
        [call("write_file", { path: "AGENTS.md", text: "Tests run with `node --test`.\n" })],
        [say("Written.")],
        [say("With node.")],
      ],
    });
    await session.prompt("/init").ended;
    expect(calls(session.state)).toEqual(["Write AGENTS.md: completed"]);
    await session.prompt("How do tests run?").ended;
    expect(JSON.stringify(server.requests[2]?.body.messages[0])).toContain("Tests run with `node --test`.");
  });
});

describe("the rules of a project", () => {
  it("V1-SESS-13: are read under every folder of the session, and reach the model", async () => {
    const other = await createProject({ "AGENTS.md": "Rules of the other folder." });
    const { client, folder, server } = await startCodingAgent({
      files: { "AGENTS.md": "Rules of the first folder." },
      script: [[say("Hello.")]],
    });
    const session = await client.newSession({ cwd: folder, additionalDirectories: [other] });
    await session.prompt("Hi").ended;
    const system = JSON.stringify(server.requests[0]?.body.messages[0]);
    expect(system).toMatch(/Rules of the first folder\.[\s\S]*Rules of the other folder\./);
  });
});
