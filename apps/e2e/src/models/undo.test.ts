import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { v1Dialect, v2Dialect } from "@turnkit/client";
import { describe, expect, it } from "vitest";
import { calls, said, startCodingAgent } from "./coding-agent.js";
import { call, type Step, say } from "./step.js";

const files = { "a.txt": "one\n", "b.txt": "one\n" };
const write = (path: string, text: string) => call("write_file", { path, text });

/** Answers of a model that changes both files, and then answers each prompt with a text. */
const script: readonly Step[] = [
  [write("a.txt", "two\n"), write("b.txt", "two\n"), write("c.txt", "new\n")],
  [say("Changed them.")],
  [say("Here I am.")],
  [say("Here again.")],
];

describe.each([
  ["v1", v1Dialect],
  ["v2", v2Dialect],
])("P16: /undo, %s", (_, dialect) => {
  it("takes back the last prompt: its files and its part of the conversation, also for a resumed session", async () => {
    const { client, session, server, folder } = await startCodingAgent({ script, files, dialects: [dialect] });
    const read = (name: string) => readFile(join(folder, name), "utf8").catch(() => "missing");
    await session.prompt("Please change the files.").ended;
    await writeFile(join(folder, "b.txt"), "mine\n");
    await session.prompt("/diff").ended;
    expect(said(session.state)).toContain("Files that changed with the last prompt: `a.txt`, `b.txt`, `c.txt`.");

    await session.prompt("/undo").ended;
    expect([await read("a.txt"), await read("b.txt"), await read("c.txt")]).toEqual(["one\n", "mine\n", "missing"]);
    const answer = said(session.state);
    expect(answer).toContain("I took back the prompt “Please change the files.” and my answer to it.");
    expect(answer).toContain("- Restored: `a.txt`, `c.txt`.");
    expect(answer).toContain("**Kept as they are**, because they changed after my turn: `b.txt`.");
    expect(calls(session.state).at(-1)).toBe("Undo the last prompt: completed");

    await session.prompt("Where are you?").ended;
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain("Please change the files.");

    await session.close();
    const outcome = await client.restore(session.id, { cwd: folder });
    if (outcome.status !== "replayed") throw new Error(`The session is ${outcome.status}.`);
    await outcome.session.prompt("And now?").ended;
    const last = JSON.stringify(server.requests.at(-1)?.body);
    expect(last).toContain("Where are you?");
    expect(last).not.toMatch(/Please change the files|I took back/);
  });

  it("goes back one prompt at a time, and says when there is none", async () => {
    const { session, folder } = await startCodingAgent({
      dialects: [dialect],
      files,
      script: [[write("a.txt", "two\n")], [say("Done.")], [write("a.txt", "three\n")], [say("Done.")]],
    });
    await session.prompt("Two, please.").ended;
    await session.prompt("Three, please.").ended;
    const seen: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      await session.prompt("/undo").ended;
      seen.push(await readFile(join(folder, "a.txt"), "utf8"));
    }
    expect(seen).toEqual(["two\n", "one\n", "one\n"]);
    expect(said(session.state)).toContain("There is nothing to undo");
  });

  it("says what is wrong without git, and takes nothing back", async () => {
    const { session, server, folder } = await startCodingAgent({
      dialects: [dialect],
      files,
      env: { PATH: "/nowhere" },
      script: [[write("a.txt", "two\n")], [say("Done.")], [say("Here.")]],
    });
    await session.prompt("Two, please.").ended;
    await session.prompt("/undo").ended;
    expect(said(session.state)).toContain("Nothing was undone: git is not installed.");
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("two\n");
    await session.prompt("Where are you?").ended;
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("Two, please.");
  });
});
