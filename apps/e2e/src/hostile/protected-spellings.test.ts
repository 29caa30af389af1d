import { access, readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { startCodingAgent } from "../models/coding-agent.js";
import { call, say } from "../models/step.js";
import { type DictatedStep, dictate, runDictated } from "./dictation.js";
import { createGuardedProject, KEPT, protectedFiles, spelledIn, spellings } from "./protected-spellings.js";

vi.setConfig({ testTimeout: 90_000 });

/** Names of the protected files that are not as they were, and of files that appeared. */
async function changedIn(folder: string): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const name of protectedFiles) {
    if ((await readFile(join(folder, name), "utf8").catch(() => "")) !== KEPT) changed.push(name);
  }
  for (const name of [".git/hooks/post-checkout", "new", ".gitmodules", ".mcp.json", ".GIT", ".ENV", "GIT~1"]) {
    if (await access(join(folder, name)).then(Boolean, () => true)) continue;
    changed.push(name);
  }
  return changed;
}

describe("defect S4: protected files by other names", () => {
  it("are 40 at least", () => {
    expect(new Set(spellings).size).toBeGreaterThanOrEqual(40);
  });

  it.each(["accept-edits", "auto"])(
    "turnkit-agent writes and replaces none of them unasked, in mode %s",
    async (mode) => {
      const folder = await createGuardedProject();
      const edits = [{ oldText: KEPT.trim(), newText: "changed" }];
      const paths = spellings.map((one) => spelledIn(folder, one));
      const asked: string[] = [];
      const { session, server } = await startCodingAgent({
        folder,
        startIn: folder,
        args: ["--mode", mode],
        script: [
          [call("write_file", { path: "src/a.ts", text: "changed\n" })],
          paths.map((path) => call("write_file", { path, text: "changed\n" })),
          paths.map((path) => call("edit_file", { path, edits })),
          [call("write_file", { path: "second-name", text: "changed\n" })],
          [say("Done.")],
        ],
        permissions({ options, title }) {
          asked.push(title);
          const { optionId } = options.find(({ kind }) => kind === "reject_once") as (typeof options)[number];
          return { outcome: "selected", optionId };
        },
      });
      await session.prompt("Go").ended;
      expect(await readFile(join(folder, "src/a.ts"), "utf8")).toBe("changed\n");
      expect(await changedIn(folder)).toEqual([]);
      // What was not asked about failed: there was no yes.
      const written = server.requests
        .slice(2, 4)
        .flatMap(({ results }) => results.filter((one) => /"written":true/.test(one)));
      expect(written).toEqual([]);
      expect(asked.length).toBeGreaterThan(spellings.length);
    },
  );

  it("turnkit writes none of them for an agent, and tells each try", async () => {
    const folder = await createGuardedProject();
    const paths = spellings
      .map((one) => spelledIn(folder, one))
      .map((one) => (isAbsolute(one) ? one : join(folder, one)));
    // `join` resolves what the agent would send as it is.
    const raw = spellings.filter((one) => !/^[~/]/.test(one)).map((one) => `${folder}/${one}`);
    const steps = [...paths, ...raw].map(
      (path): DictatedStep => ({ method: "fs/write_text_file", params: { path, content: "changed\n" } }),
    );
    const dictated = { ...(await dictate({ steps })), cwd: folder };
    const { stdout, stderr } = await runDictated(dictated, ["--permissions", "allow"]);
    expect(await changedIn(folder)).toEqual([]);
    const answers = await dictated.answers();
    expect([...answers.values()].filter(({ error }) => error === undefined)).toEqual([]);
    expect(answers.size).toBe(steps.length);
    const received = `${stdout}${stderr}`;
    expect(received).not.toContain("The agent wrote");
    expect(received.split("The agent was refused").length).toBeGreaterThan(spellings.length);
  });

  it("turnkit reads no secret among them for an agent", async () => {
    const folder = await createGuardedProject();
    const steps = [...spellings.filter((one) => /env|npmrc/i.test(one))].map(
      (one): DictatedStep => ({
        method: "fs/read_text_file",
        params: { path: /^[~/]/.test(one) ? spelledIn(folder, one) : `${folder}/${one}` },
      }),
    );
    const dictated = { ...(await dictate({ steps })), cwd: folder };
    await runDictated(dictated, ["--permissions", "allow"]);
    const received = JSON.stringify([...(await dictated.answers())]);
    expect(received).not.toContain(KEPT.trim());
  });
});
