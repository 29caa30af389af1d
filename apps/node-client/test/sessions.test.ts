import { describe, expect, it } from "vitest";
import { scriptedAgent, turnkit } from "./turnkit.js";

describe("turnkit sessions", () => {
  it("list shows what the agent keeps, one a line, harmless; --json for programs", async () => {
    const { code, stdout } = await turnkit(["sessions", "--", ...scriptedAgent("keeper")]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^s-7 {2}Old␛\]52;c;cHduZWQ=␇<U\+202E>.* talk {2}2026-11-20T10:00:00Z {2}\/somewhere\n/);
    expect(stdout).toContain("\ns-8  (no title)    /else\n");
    const json = await turnkit(["sessions", "list", "--json", "--", ...scriptedAgent("keeper")]);
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

  it("says what an agent cannot do", async () => {
    const { code, stderr } = await turnkit(["sessions", "list", "--", ...scriptedAgent("talk")]);
    expect(code).toBe(1);
    expect(stderr).toBe("turnkit: scripted cannot list sessions.\n");
  });
});

describe("--session", () => {
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
