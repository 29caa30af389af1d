import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryPair } from "@turnkit/transport/channels";
import { readWireLog } from "@turnkit/transport/trace";
import { afterAll, beforeAll, expect, it } from "vitest";
import { UsageError } from "../exit-code.js";
import { createTrace } from "./trace.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnkit-trace-"));
});
afterAll(() => rm(folder, { recursive: true }));

it("each channel has a log of its own, whole when it is closed, and readable by its owner alone", async () => {
  const path = join(folder, "wire.jsonl");
  await writeFile(path, "from before");
  await chmod(path, 0o644);
  const trace = await createTrace(path, { SERVICE_TOKEN: "swordfish1", npm_config_user_name: "swordfish2" });
  for (const text of ["swordfish1", "swordfish2"]) {
    const [near] = createMemoryPair();
    const channel = trace.record(near);
    channel.start({ message() {}, invalidLine() {} });
    channel.send({ jsonrpc: "2.0", method: "say", params: { text } });
    await channel.close();
  }
  expect(await trace.close()).toBeUndefined();
  const said = async (name: string) => readWireLog(await readFile(join(folder, name), "utf8"))[0];
  expect(await said("wire.jsonl")).toMatchObject({ sent: { params: { text: "[redacted]" } } });
  expect(await said("wire-2.jsonl")).toMatchObject({ sent: { params: { text: "swordfish2" } } });
  if (process.platform === "win32") return;
  for (const name of ["wire.jsonl", "wire-2.jsonl"]) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
});

it("a path that cannot be written is a mistake of the user, told at once", async () => {
  const refused = createTrace(join(folder, "nowhere", "wire.jsonl"), {});
  await expect(refused).rejects.toThrow(/^--trace: .*nowhere.* cannot be written: /);
  await expect(refused).rejects.toBeInstanceOf(UsageError);
});
