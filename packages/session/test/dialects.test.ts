import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { v1Codec } from "../src/codec/dialects.js";
import { losses } from "../src/codec/losses.js";
import { createSessionState } from "../src/create-session-state.js";
import { reduceAll } from "../src/reduce.js";

const codec = new URL("../src/codec/", import.meta.url);

/** Folders of `codec/` that the files of one import from. */
function importsOf(folder: string): readonly string[] {
  const files = readdirSync(new URL(folder, codec)).filter((name) => name.endsWith(".ts") && !name.includes(".test."));
  const texts = files.map((name) => readFileSync(new URL(`${folder}/${name}`, codec), "utf8"));
  const folders = texts.flatMap((text) => [...text.matchAll(/from "\.\.\/(\w+)\//g)].map(([, name]) => name ?? ""));
  return [...new Set(folders)].toSorted();
}

describe("the codecs", () => {
  it.each([
    ["v1", ["fallback"]],
    ["v2", []],
    ["seed", ["fallback", "v2"]],
    ["fallback", []],
  ])("%s takes only what it builds on from other folders", (folder, others) => {
    expect(importsOf(folder)).toEqual(others);
  });

  it("V2-BRG-10, V2-BRG-11, V2-BRG-12: what reading version 1 leaves open is read as the list says", () => {
    const content = [
      { type: "terminal", terminalId: "mine" },
      { type: "diff", path: "/a", oldText: "o", newText: "" },
    ];
    const update = (_meta: object) => ({ sessionUpdate: "tool_call_update", toolCallId: "t", content, _meta });
    const events = [update({ a: 1 }), update({ b: 2 })].flatMap((wire) => v1Codec.decode(wire));
    const entry = reduceAll(createSessionState(), events).timeline.at(0);
    expect((entry as { _meta?: unknown })._meta).toEqual({ a: 1, b: 2 });
    expect(entry?.type === "tool_call" && entry.content.toArray()).toEqual([
      content[0],
      { type: "diff", changes: [{ operation: "modify", path: "/a", oldText: "o", newText: "" }] },
    ]);
    const read = losses.filter(({ to }) => to === "neutral").map(({ id }) => id);
    expect(read).toEqual(["empty-file", "metadata-replaced", "client-tools"]);
  });

  it("V2-BRG-13: each loss is named once for each dialect, and every kind of the catalogue has one", () => {
    const names = losses.map(({ id, from, to }) => `${from}→${to} ${id}`);
    expect(new Set(names).size).toBe(names.length);
    const cited = losses.map(({ cites }) => cites).join(" ");
    for (let row = 1; row <= 12; row++) expect(cited).toContain(`V2-BRG-${String(row).padStart(2, "0")}`);
  });
});
