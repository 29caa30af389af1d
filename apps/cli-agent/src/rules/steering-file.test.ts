import { rmSync, symlinkSync } from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { createFolder } from "../../test/tool-context.js";
import { readSteeringFile } from "./steering-file.js";

/** Called before a file is read. */
let beforeRead = () => {};
vi.mock(import("@turnkit/transport/node"), async (original) => {
  const module = await original();
  return {
    ...module,
    readRooted: (...given) => {
      beforeRead();
      return module.readRooted(...given);
    },
  };
});

afterEach(() => {
  beforeRead = () => {};
});

it("defect S104: rules that a link to a secret replaces between check and read give nothing to the model", async () => {
  const folder = await createFolder();
  await writeFile(join(folder, ".env"), "KEY=1");
  await writeFile(join(folder, "rules.md"), "Rules.");
  const path = join(folder, "AGENTS.md");
  await symlink("rules.md", path);
  expect(await readSteeringFile(path, folder)).toMatchObject({ text: "Rules.", real: join(folder, "rules.md") });
  beforeRead = () => {
    rmSync(path);
    symlinkSync(".env", path);
  };
  expect(await readSteeringFile(path, folder)).toBeUndefined();
});
