import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createFolder } from "./interop/folder.js";
import { demo } from "./interop/programs.js";
import { expectInOrder, runProgram, startProgram } from "./interop/running-program.js";
import { clean, javascript, typescript } from "./interop/samples.js";

const sample = fileURLToPath(new URL("../../cli-agent/samples/cart.ts", import.meta.url));

/** Runs the demo without a terminal; it must leave the original as it is and its temporary folder must go. */
async function runDemo(cwd: string, args: readonly string[], original: string, env = {}) {
  const before = await readFile(original, "utf8");
  const end = await runProgram([...demo, ...args], { cwd, env });
  expect(await readFile(original, "utf8")).toBe(before);
  expect(end.stdout).toContain(`Stop reason: end_turn. ${original} is as it was.\n`);
  const [, folder = ""] = /^(\/.*) is its directory/m.exec(end.stdout) ?? [];
  expect(folder).toMatch(/turnkit-demo-/);
  expect(existsSync(folder)).toBe(false);
  return end;
}

describe("the demo", () => {
  it("shows a whole review of its sample by an agent that nobody built: plan, tool calls, diff, permission, stop reason", async () => {
    const unbuilt = { TURNKIT_TEST_PROGRAMS: "{}" };
    const { code, stdout, stderr } = await runDemo(await createFolder(), [], sample, unbuilt);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toContain("\u001b");
    expectInOrder(stdout, [
      ...["> Review cart.ts.\n", "Plan 0/4 done\n", "[>] Read cart.ts\n"],
      ...["read  Read cart.ts  completed\n", "execute  Check cart.ts with oxlint  in progress\n"],
      ...["(use-isnan)\n", "(for-direction)\n", "execute  Check cart.ts with oxlint  completed\n"],
      ...["I found 12 problems", "**Line 18, column 17**", "I propose one edit, for 3 of them.\n"],
      ...["edit  Edit cart.ts  pending\n", "--- a/cart.ts\n", "-  if (price === NaN) {\n", "+  if (isNaN(price)) {\n"],
      ...["? Permission: Edit cart.ts\n", "→ Write this edit  [allow once]\n", "edit  Edit cart.ts  completed\n"],
      ...["The edit is written.", "Plan 4/4 done\n", "Stop reason: end_turn\n"],
      ...["What changed in the copy:\n", "+  if (isNaN(price)) {\n"],
    ]);
  });

  it("shows the same conversation whatever version the two speak", async () => {
    const cwd = await createFolder();
    const shown = async (protocol: string) => {
      const { stdout } = await runDemo(cwd, ["--protocol", protocol], sample);
      return (
        stdout
          .replace(/turnkit-demo-\w+/g, "DIRECTORY")
          // Only version 1 writes through the client, and only a version 2 question names the change beside its patch.
          .replace(/\nThe agent wrote .*\n\n?/g, "")
          .replace(/^ *modify cart\.ts\n/gm, "")
          .replace(/^ *diff --git cart\.ts cart\.ts\n/gm, "")
      );
    };
    const [one, two, seed] = await Promise.all(["1", "2", "seed"].map(shown));
    expect(two).toBe(one);
    expect(seed).toBe(one);
  });

  it.each([
    ["a TypeScript file", "price.ts", typescript],
    ["a JavaScript file", "lacks.js", javascript],
  ])("does the same with %s of the user's, outside the repository", async (_, name, { flawed, fixed, rule, place }) => {
    const cwd = await createFolder({ [name]: flawed });
    const original = join(cwd, name);
    const { code, stdout, stderr } = await runDemo(cwd, [name], original);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [gone = "", come = ""] = [changedLine(flawed, fixed), changedLine(fixed, flawed)];
    expectInOrder(stdout, [
      ...[`> Review ${name}.\n`, "Plan 0/4 done\n", `read  Read ${name}  completed\n`],
      ...[`${place} error`, `(${rule})\n`, `[${rule}](https://`],
      ...[`-${gone}\n`, `+${come}\n`, "? Permission: Edit", "→ Write this edit"],
      ...["  | No findings.\n", "nothing is left", "Stop reason: end_turn\n"],
      ...["What changed in the copy:\n", `-${gone}\n`, `+${come}\n`],
    ]);
  });

  it("says of a clean file that it is clean, and changes nothing", async () => {
    const cwd = await createFolder({ "add.ts": clean });
    const { code, stdout } = await runDemo(cwd, [join(cwd, "add.ts")], join(cwd, "add.ts"));
    expect(code).toBe(0);
    expectInOrder(stdout, ["  | No findings.\n", "`add.ts` is clean", "Nothing changed in the copy.\n"]);
    expect(stdout).not.toContain("Permission");
  });

  it("ends with code 2 and one sentence when the file is missing, or more than one is given", async () => {
    const cwd = await createFolder({ "add.ts": clean });
    const missing = await runProgram([...demo, "missing.ts"], { cwd });
    expect(missing).toEqual({
      ...{ code: 2, signal: null, stdout: "" },
      stderr: `turnkit: There is no file ${join(cwd, "missing.ts")}.\n`,
    });
    const two = await runProgram([...demo, "add.ts", "add.ts"], { cwd });
    expect(two).toMatchObject({ code: 2, stderr: expect.stringContaining("Give one file") });
  });
});

/** The first line of `text` that is another one in `other`. */
function changedLine(text: string, other: string): string | undefined {
  const others = other.split("\n");
  return text.split("\n").find((line, at) => line !== others[at]);
}

it("SHARE-13 demo --web builds the page and serves it with the agent", async () => {
  const program = startProgram([...demo, "--web"], { cwd: await createFolder() });
  await program.printed("\n");
  const page = await fetch(program.output.stdout.trim().split("#")[0] ?? "");
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<div id="page"></div>');
}, 120_000);
