import { describe, expect, it } from "vitest";
import { createFolder, scriptedAgent, turnkit } from "./turnkit.js";

describe("turnkit sessions", () => {
  it("defect P14: list shows the sessions of this folder, the latest first, with ages; --all shows the others", async () => {
    const cwd = createFolder();
    const here = await turnkit(["sessions", "--", ...scriptedAgent("keeper here")], { cwd });
    expect({ code: here.code, stdout: here.stdout }).toEqual({
      ...{ code: 0, stdout: "4f1d-two  2026-01-02  New talk\n4f1c-one  2026-01-01  Old talk\n" },
    });
    const all = await turnkit(["sessions", "list", "--all", "--", ...scriptedAgent("keeper here")], { cwd });
    expect(all.stdout).toMatch(/^9a00-far {2}2026-01-03 {2}Far talk {2}\/elsewhere\n4f1d-two/);
    const none = await turnkit(["sessions", "--", ...scriptedAgent("keeper")]);
    expect(none.stdout).toMatch(/^The agent has no sessions of .*\. turnkit sessions list --all shows/);
  });

  it("list is harmless; --json for programs", async () => {
    const { code, stdout } = await turnkit(["sessions", "list", "--all", "--", ...scriptedAgent("keeper")]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^s-7 .* Old␛\]52;c;cHduZWQ=␇<U\+202E>.* talk {2}\/somewhere\n/);
    expect(stdout).toMatch(/\ns-8 +\(no title\) {2}\/else\n$/);
    const json = await turnkit(["sessions", "list", "--all", "--json", "--", ...scriptedAgent("keeper")]);
    expect(JSON.parse(json.stdout).sessions).toMatchObject([{ sessionId: "s-7" }, { sessionId: "s-8", cwd: "/else" }]);
  });

  it("show prints the transcript as Markdown", async () => {
    const { code, stdout, stderr } = await turnkit(["sessions", "show", "s-7", "--", ...scriptedAgent("keeper")]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe("## User\n\nWhat was it?\n\n## Agent\n\nIt was **this**.\n\n- Look (completed)\n");
  });

  it("delete deletes", async () => {
    const { code, stdout } = await turnkit(["sessions", "delete", "s-8", "--", ...scriptedAgent("keeper")]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Session s-8 is deleted.\n" });
  });

  it("defect P7: the start of an id is enough, and one that fits several is refused with a list", async () => {
    const agent = ["--", ...scriptedAgent("keeper here")];
    const deleted = await turnkit(["sessions", "delete", "9a", ...agent]);
    expect(deleted).toMatchObject({ code: 0, stdout: "Session 9a00-far (Far talk) is deleted.\n" });
    const unknown = await turnkit(["sessions", "delete", "zz", ...agent]);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("The agent has no session zz.") });
    const shown = await turnkit(["sessions", "show", "4f1d", ...agent]);
    expect(shown).toMatchObject({ code: 0, stdout: "## Agent\n\nLong ago.\n" });
    for (const args of [
      ["sessions", "delete", "4f1"],
      ["--session", "4f1", "Go on"],
    ]) {
      const refused = await turnkit([...args, ...agent]);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain("2 sessions begin with 4f1. Give more of the id:");
      expect(refused.stderr).toContain("4f1c-one  Old talk");
    }
  });

  it("defect P37: show only reads a session, so it may be open elsewhere", async () => {
    const shown = await turnkit(["sessions", "show", "4f", "--", ...scriptedAgent("locked")]);
    expect(shown).toEqual({ code: 0, stdout: "## Agent\n\nStill open.\n", stderr: "" });
  });

  it("says what an agent cannot do", async () => {
    const { code, stderr } = await turnkit(["sessions", "list", "--", ...scriptedAgent("talk")]);
    expect(code).toBe(1);
    expect(stderr).toBe("turnkit: scripted cannot list sessions.\n");
  });
});

describe("defect P7: --continue", () => {
  it("continues the latest session of this folder, and prints only the new answer", async () => {
    const args = ["--continue", "Go on", "--", ...scriptedAgent("keeper here")];
    expect(await turnkit(args)).toEqual({ code: 0, stdout: "I go on.\n", stderr: "" });
  });

  it("defect P38: of a session that is open elsewhere says how to read it, and how to begin a new one", async () => {
    const cwd = createFolder();
    const agent = ["--", ...scriptedAgent("locked for all")];
    const refused = await turnkit(["--continue", "--permissions", "deny", "Go on", ...agent], { cwd });
    const words = agent.map((word) => (/^[\w./-]+$/.test(word) ? word : `'${word}'`)).join(" ");
    expect(refused).toMatchObject({
      code: 1,
      stderr: [
        "turnkit: The session 4f1d-open is open in another program. Close it there, or use one of these commands.",
        `  To read it: turnkit sessions show 4f1d-open ${words}`,
        `  To begin a new session: turnkit --permissions deny ${words}`,
        "",
      ].join("\n"),
    });
  });

  it("says why there is none", async () => {
    const none = await turnkit(["-c", "Go on", "--", ...scriptedAgent("keeper")]);
    expect(none.code).toBe(1);
    expect(none.stderr).toMatch(/^turnkit: The agent has no session of .*, so none can be continued\.\n$/);
    const unable = await turnkit(["-c", "Go on", "--", ...scriptedAgent("talk")]);
    expect(unable).toMatchObject({ code: 1, stderr: "turnkit: scripted cannot list sessions.\n" });
  });
});

describe("--session", () => {
  it("defect P7: takes the start of an id", async () => {
    const args = ["--session", "4f1d", "Go on", "--", ...scriptedAgent("keeper here")];
    expect(await turnkit(args)).toEqual({ code: 0, stdout: "I go on.\n", stderr: "" });
  });

  it("without a prompt brings a session back and shows it", async () => {
    const { code, stdout, stderr } = await turnkit(["--session", "s-7", "--", ...scriptedAgent("keeper")]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("> What was it?\n");
    expect(stdout).toContain("It was **this**.\n");
  });

  it.each([
    ["forgetful", /^turnkit: Session s-7 was not restored: .*\n.*turnkit sessions list shows/],
    ["talk", /^turnkit: Session s-7 was not restored: .*\n.*cannot restore sessions/],
  ])("of an agent that is %s says why there is none", async (scene, message) => {
    const { code, stderr } = await turnkit(["--session", "s-7", "-p", "Go on", "--", ...scriptedAgent(scene)]);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });
});
