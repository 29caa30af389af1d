import { chmod, link, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryPair } from "@turnkit/transport/channels";
import { readWireLog } from "@turnkit/transport/trace";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UsageError } from "../exit-code.js";
import { createTrace, secretsIn } from "./trace.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnkit-trace-"));
});
afterAll(() => rm(folder, { recursive: true }));

it("each channel has a log of its own, whole when it is closed, and readable by its owner alone", async () => {
  const path = join(folder, "wire.jsonl");
  await writeFile(path, "from before");
  await chmod(path, 0o644);
  await writeFile(join(folder, "wire-2.jsonl"), "from before", { mode: 0o644 });
  const trace = createTrace(path, { SERVICE_TOKEN: "swordfish1", npm_config_user_name: "swordfish2" });
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

it("a path that cannot be written is a mistake of the user, told at once", () => {
  const refused = () => createTrace(join(folder, "nowhere", "wire.jsonl"), {});
  expect(refused).toThrow(/^--trace: .*nowhere.* cannot be written: /);
  expect(refused).toThrow(UsageError);
});

it("defect S20: the log of a second agent is as private as that of the first, also where files were there", async () => {
  const names = ["private.jsonl", "private-2.jsonl"].map((name) => join(folder, name));
  for (const name of names) await writeFile(name, "", { mode: 0o666 });
  const trace = createTrace(names[0] as string, {});
  for (let n = 0; n < 2; n += 1) trace.record(createMemoryPair()[0]);
  await trace.close();
  const modes = await Promise.all(names.map(async (name) => (await stat(name)).mode & 0o777));
  expect(modes).toEqual([0o600, 0o600]);
});

describe("defect S29: a log", () => {
  it("is never written through a link, into a file with two names, or into what is no file", async () => {
    const secret = join(folder, "secret");
    await writeFile(secret, "keep");
    await symlink(secret, join(folder, "link.jsonl"));
    await link(secret, join(folder, "hard.jsonl"));
    await symlink(join(folder, "nowhere.txt"), join(folder, "dangling.jsonl"));
    await mkdir(join(folder, "folder.jsonl"));
    for (const name of ["link", "hard", "dangling", "folder"]) {
      expect(() => createTrace(join(folder, `${name}.jsonl`), {})).toThrow(UsageError);
    }
    expect(await readFile(secret, "utf8")).toBe("keep");
    expect((await stat(secret)).mode & 0o777).not.toBe(0o600);
  });

  it("of a second agent is not written through a link either: the log is not complete then", async () => {
    const secret = join(folder, "secret-2");
    await writeFile(secret, "keep");
    await symlink(secret, join(folder, "two-2.jsonl"));
    const trace = createTrace(join(folder, "two.jsonl"), {});
    for (let n = 0; n < 2; n += 1) trace.record(createMemoryPair()[0]);
    expect(await trace.close()).toBeInstanceOf(Error);
    expect(await readFile(secret, "utf8")).toBe("keep");
  });

  it("holds no value of a variable that is named like a secret, short ones included", () => {
    expect(secretsIn({ DB_PASSWORD: "s3cr3t", NPM_TOKEN: "abc", HOME: "/home/me" })).toEqual(["s3cr3t"]);
  });
});
