import { v1Dialect, v2Dialect } from "@turnkit/client";
import { describe, expect, it } from "vitest";
import { createProject, reached, startCodingAgent } from "./coding-agent.js";
import { call, type ReceivedRequest, type Step, say } from "./step.js";

const files = {
  ".git/HEAD": "ref: refs/heads/main\n",
  ".claude/commands/greet.md":
    "---\ndescription: Greets somebody\nargument-hint: [name]\n---\nSay hello to $ARGUMENTS, in Latin.",
  ".claude/skills/pdf/SKILL.md": "---\nname: pdf\ndescription: Reads PDF files\n---\nUse pdftotext.",
  "AGENTS.md": "Rules of the project.",
  "src/CLAUDE.md": "Rules of the sources.",
  "src/a.txt": "a\n",
};

const names = (commands: readonly unknown[] = []) => commands.map((one) => (one as { name: string }).name);

describe.each([
  ["v1", v1Dialect],
  ["v2", v2Dialect],
])("P16: rules, commands and skills of files, %s", (_, dialect) => {
  it("reach the model once the project is trusted, and a restored session knows them", async () => {
    const asked: string[] = [];
    const script: readonly Step[] = [
      [say("Hi.")],
      [call("skill", { name: "pdf" }), call("read_file", { path: "src/a.txt" })],
      [say("Salve.")],
      [say("Yes.")],
    ];
    const { session, server, client, folder } = await startCodingAgent({
      script,
      dialects: [dialect],
      files,
      isTrusted: false,
      userFiles: { "turnkit/AGENTS.md": "Rules of the user.", "turnkit/commands/mine.md": "Mine." },
      env: { HOME: await createProject({}) },
      permissions({ title, options }) {
        asked.push(title);
        const option = options.find(({ kind }) => kind === "allow_always");
        return option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" };
      },
    });
    await reached(session, ({ availableCommands }) => names(availableCommands).includes("mine"));
    expect(names(session.state.availableCommands)).not.toContain("greet");
    await session.prompt("Hi!").ended;
    expect(asked).toEqual([expect.stringMatching(/^Trust .*\? Its rules, commands and skills for agents/)]);
    expect(names(session.state.availableCommands)).toEqual(expect.arrayContaining(["greet", "pdf", "mine"]));
    const system = (request: ReceivedRequest | undefined) => JSON.stringify(request?.body.messages[0]);
    expect(system(server.requests[0])).toMatch(/Rules of the user\..*Rules of the project\./);

    await session.prompt("/greet Ada").ended;
    expect(server.requests[1]?.prompt).toContain("Say hello to Ada, in Latin.");
    expect(JSON.stringify(server.requests[1]?.body.tools)).toContain("- pdf: Reads PDF files");
    expect(server.requests[2]?.results).toEqual([
      expect.stringContaining("Use pdftotext."),
      expect.stringContaining("Rules of the sources."),
    ]);

    await session.close();
    const outcome = await client.restore(session.id, { cwd: folder });
    if (outcome.status !== "replayed") throw new Error(`The session is ${outcome.status}.`);
    await outcome.session.prompt("Again?").ended;
    expect(JSON.stringify(server.requests[3]?.body)).toContain("Say hello to Ada, in Latin.");
  });
});
