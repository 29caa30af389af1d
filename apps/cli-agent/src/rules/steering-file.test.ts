import { rmSync, symlinkSync } from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { createFolder } from "../../test/tool-context.js";
import { readSteeringFile } from "./steering-file.js";

/** Returns `readSteeringFile` that calls a function before it reads a file. */
async function readingAfter(work: () => void): Promise<typeof readSteeringFile> {
  vi.doMock(import("@turnkit/transport/node"), async (original) => {
    const module = await original();
    return {
      ...module,
      readRooted: (...given) => {
        work();
        return module.readRooted(...given);
      },
    };
  });
  vi.resetModules();
  return (await import("./steering-file.js")).readSteeringFile;
}

afterEach(() => {
  vi.doUnmock("@turnkit/transport/node");
  vi.resetModules();
});

it("defect S104: rules that a link to a secret replaces between check and read give nothing to the model", async () => {
  const folder = await createFolder();
  await writeFile(join(folder, ".env"), "KEY=1");
  await writeFile(join(folder, "rules.md"), "Rules.");
  const path = join(folder, "AGENTS.md");
  await symlink("rules.md", path);
  expect(await readSteeringFile(path, folder)).toMatchObject({ text: "Rules.", real: join(folder, "rules.md") });
  const read = await readingAfter(() => {
    rmSync(path);
    symlinkSync(".env", path);
  });
  expect(await read(path, folder)).toBeUndefined();
});
