import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isRpcError, rpcErrorCode } from "@turnkit/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Place, SECRET, sides } from "./jail.js";
import type { JailCase, Outcome } from "./jail-case.js";
import { jailCases } from "./jail-cases.js";

const codes = {
  outside: rpcErrorCode.invalidParams,
  missing: rpcErrorCode.resourceNotFound,
  unusable: rpcErrorCode.internalError,
};

let place: Place;
beforeEach(async () => {
  place = await Place.make();
});
afterEach(() => place.remove());

async function outcomeOf(work: Promise<string | undefined>): Promise<Outcome> {
  try {
    const text = await work;
    return text === undefined ? "written" : { text };
  } catch (error) {
    const found = Object.entries(codes).find(([, code]) => isRpcError(error, code));
    if (found === undefined) throw error;
    return found[0] as keyof typeof codes;
  }
}

const mayShowSecret = ({ hardLinks = "follow", name }: JailCase) =>
  hardLinks === "follow" && name.includes("hard link");

describe.each(Object.entries(sides))("the files of the %s", (_, side) => {
  const open = (one: JailCase) => side(one.roots?.(place) ?? [place.root], one.hardLinks ?? "follow");

  test.each(jailCases)("read $name: $read", async (one) => {
    const path = await one.path(place);
    const outcome = await outcomeOf(open(one).read(path, one.range));
    expect(outcome).toEqual(one.read);
    if (!mayShowSecret(one)) expect(outcome).not.toEqual({ text: SECRET });
    expect(await place.escaped()).toEqual([]);
  });

  test.each(jailCases)("write $name: $write", async (one) => {
    const path = await one.path(place);
    const before = await stat(path).catch(() => undefined);
    const link = await lstat(path).catch(() => undefined);
    const content = "\ufefffirst\r\nlast, without an end 🚀";
    expect(
      await outcomeOf(
        open(one)
          .write(path, content)
          .then(() => undefined),
      ),
    ).toEqual(one.write);
    expect(await place.escaped()).toEqual([]);
    if (one.write !== "written") return;
    expect(await readFile(resolve(path), "utf8")).toBe(content);
    if (before) expect((await stat(path)).mode).toBe(before.mode);
    if (link?.isSymbolicLink()) expect((await lstat(path)).isSymbolicLink()).toBe(true);
    expect(await readdir(dirname(resolve(path)))).not.toContainEqual(expect.stringMatching(/\.tmp$/));
  });
});

test("at least 200 cases are held against either side", () => {
  expect(jailCases.length * 2).toBeGreaterThanOrEqual(200);
  expect(new Set(jailCases.map(({ name }) => name)).size).toBe(jailCases.length);
});
