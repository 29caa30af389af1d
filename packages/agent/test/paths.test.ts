import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createLocalFiles } from "../src/node/index.js";
import { connectAs, v2Hello } from "./raw-client.js";

const hellos: [string, object][] = [
  ["V1-RPC-23 version 1", { protocolVersion: 1 }],
  ["V2-ENV-11 version 2", v2Hello],
];

describe.each(hellos)("paths in %s", (_, hello) => {
  test.each(["work", "./work", "../work", "~/work", "", "C:work", "file:///work"])(
    "%j is not absolute, so no session starts there",
    async (path) => {
      const { client } = await connectAs(hello, { sessionCapabilities: { additionalDirectories: true } });
      for (const place of [{ cwd: path }, { cwd: "/work", additionalDirectories: [path] }]) {
        expect(await client.error("session/new", { mcpServers: [], ...place })).toMatchObject({ code: -32602 });
      }
    },
  );

  test.each(["/work", "C:\\work", "c:/work", "\\\\server\\share"])(
    "%s is, on some machine, and comes as it is written",
    async (path) => {
      const places: unknown[] = [];
      const { client } = await connectAs(hello, {
        sessionCapabilities: { additionalDirectories: true },
        newSession: ({ cwd, additionalDirectories }) => void places.push(cwd, additionalDirectories),
      });
      await client.result("session/new", { mcpServers: [], cwd: path, additionalDirectories: [path] });
      expect(places).toEqual([path, [path]]);
    },
  );
});

test("V1-RPC-23: lines count from 1", async () => {
  const root = await mkdtemp(join(tmpdir(), "turnkit-lines-"));
  onTestFinished(() => rm(root, { recursive: true }));
  await writeFile(join(root, "a"), "one\ntwo\nthree\n");
  const files = createLocalFiles([root]);
  const from = async (line: number) => (await files.read(join(root, "a"), { line, limit: 1 })).trimEnd();
  expect([await from(1), await from(2), await from(3)]).toEqual(["one", "two", "three"]);
});
