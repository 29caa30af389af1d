import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const tsc = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));
const project = fileURLToPath(new URL("version-7", import.meta.url));

test("the sources fit the types of version 7 of the AI SDK, as a program that has it installed compiles them", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", project]).catch((error) => error);
  expect(stdout).toBe("");
});
