import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { turnkit } from "../interop/programs.js";
import { PseudoTerminal } from "../tui/pseudo-terminal.js";
import { type DictatedStep, dictate, question } from "./dictation.js";
import { type OptionSpoof, optionSpoofs } from "./option-spoofs.js";

// A person answers many questions of one program.
vi.setConfig({ testTimeout: 90_000 });

const asked = ({ options }: OptionSpoof, n: number): DictatedStep =>
  question(
    { toolCallId: `c${n}`, kind: "execute", title: `Question ${n} of them` },
    options.map(([kind, name, optionId]) => ({ kind, name, optionId })),
  );

const outcome = (answer: Readonly<Record<string, any>> | undefined): string =>
  answer?.outcome?.optionId ?? answer?.outcome?.outcome ?? (answer?.error ? "unasked" : "nothing");

describe("defect S11: options that pretend to be others", () => {
  it("are 20 at least", () => expect(optionSpoofs.length).toBeGreaterThanOrEqual(20));

  it("are chosen by kind and number in a line dialogue, and shown with their kinds", async () => {
    const dictated = await dictate({ steps: optionSpoofs.map(asked) });
    const command = [...turnkit, "-p", "Go", "--", ...dictated.agent] as [string, ...string[]];
    await using terminal = await PseudoTerminal.open({ command, cwd: dictated.cwd, columns: 200, rows: 60 });
    const count = (text: string) => terminal.transcript().split(text).length - 1;
    const again = new Set<number>();
    let [prompts, done] = [0, 0];
    for (const [n, { typed, gives }] of optionSpoofs.entries()) {
      if (gives === "unasked") continue;
      prompts += 1;
      await terminal.until(() => count("Your choice") === prompts);
      terminal.type(`${typed}\r`);
      const isDone = () => count("\n→ ") > done;
      await terminal.until(() => isDone() || count("Your choice") > prompts);
      if (!isDone()) {
        again.add(n);
        prompts += 1;
        terminal.type("0\r");
        await terminal.until(isDone);
      }
      done += 1;
    }
    expect(await terminal.exited).toBe(6); // permissions were denied
    const answers = await dictated.answers();
    const received = optionSpoofs.map(({ it: what }, n) => [what, again.has(n) ? "again" : outcome(answers.get(n))]);
    expect(received).toEqual(optionSpoofs.map(({ it: what, gives }) => [what, gives]));

    const shown = terminal.transcript();
    for (const [n, { it: what, options, gives }] of optionSpoofs.entries()) {
      if (gives === "unasked") continue;
      const [, part = ""] = shown.split(`Question ${n} of them\n`);
      const [list = ""] = part.split("Your choice");
      // One line for each option, which ends with its kind; a long one goes on.
      const lines = list.split("\n").filter((line) => /^ {2}\d+\) /.test(line));
      expect([what, lines.length]).toEqual([what, options.length]);
      for (const [kind] of options) expect(list).toContain(`[${kind.replaceAll("_", " ")}]`);
      expect(list).not.toMatch(/[\p{Bidi_Control}\u200b]/u);
    }
    expect(shown).toContain('2) "Reject  [reject once]"  [allow always]');
  });

  it("keep no choice for the question that takes the place of another, in the terminal UI", async () => {
    const [one, two] = [["allow_once", "Allow", "yes"] as const, ["reject_once", "Reject", "no"] as const];
    const rows = [
      [two, one],
      [one, two],
    ].map((options) => ({ it: "", options, typed: "", gives: "" }));
    const [first, second] = rows.map(asked);
    const dictated = await dictate({
      steps: [{ ...first, goesOn: true } as DictatedStep, { waitFor: "swap" }, { withdraw: 0 }, second as DictatedStep],
    });
    await using terminal = await PseudoTerminal.open({
      ...{ command: [...turnkit, "--", ...dictated.agent] as [string, ...string[]], cwd: dictated.cwd },
    });
    await terminal.until(/^❯/m);
    terminal.type("Go\r");
    await terminal.until(/Question 0 of them/);
    await writeFile(join(dictated.cwd, "swap"), "");
    await terminal.until(/Question 1 of them[\s\S]*1\) Allow/);
    // A question that takes the place of another one takes no key for a moment. Until then, the key is text of a prompt.
    await vi.waitFor(() => {
      terminal.type("\u0015n");
      return terminal.until((screen) => !screen.includes("2) Reject"), 1_000);
    }, 20_000);
    const answers = await dictated.answers();
    expect(outcome(answers.get(3))).toBe("no");
    expect(outcome(answers.get(0))).not.toBe("yes");
  });
});
