import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { honestInputs, hostileInputs, policy } from "./command-bypasses.js";
import { dictate, question, runDictated } from "./dictation.js";

// One program answers all questions.
vi.setConfig({ testTimeout: 90_000 });

describe("defect S2: a policy of command lines, in turnkit", () => {
  it("allows what it says, and none of the lines and members that get around it", async () => {
    const inputs = [...honestInputs, ...hostileInputs];
    const steps = inputs.map((rawInput, n) =>
      question({ toolCallId: `c${n}`, kind: "execute", title: "git status", rawInput }),
    );
    const dictated = await dictate({ steps });
    const file = join(await createFolder(), "policy.json");
    await writeFile(file, JSON.stringify(policy));
    const { stderr } = await runDictated(dictated, ["--permissions", file]);
    expect(stderr).toBe("");
    const answers = await dictated.answers();
    expect(answers.size).toBe(inputs.length);
    const allowed = inputs.filter((_, n) => answers.get(n)?.outcome?.optionId === "yes");
    expect(allowed).toEqual(honestInputs);
  });

  it("is attacked in 60 ways at least", () => {
    expect(new Set(hostileInputs.map((one) => JSON.stringify(one))).size).toBeGreaterThanOrEqual(60);
  });
});
