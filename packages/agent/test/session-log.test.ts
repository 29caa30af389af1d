import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, onTestFinished, test } from "vitest";
import { createMemoryLog } from "../src/index.js";
import { createFileLog } from "../src/node/index.js";
import { type LogUnderTest, sessionLogContract } from "./session-log-contract.js";

async function onDisk(options: object): Promise<LogUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const open = () => createFileLog(join(folder, "sessions"), { pageSize: 2, ...options });
  return { log: open(), other: open() };
}

async function inMemory(options: object): Promise<LogUnderTest> {
  const log = createMemoryLog({ pageSize: 2, ...options });
  return { log, other: log };
}

describe.each([
  ["in memory", inMemory, {}],
  ["in memory, compacted early", inMemory, { compactAbove: 10 }],
  ["on disk", onDisk, {}],
  ["on disk, compacted early", onDisk, { compactBytes: 40_000 }],
] as const)("a session log %s", (_, make, options) => {
  test.each(sessionLogContract)("$title", async ({ run }) => run(await make(options)));
});
