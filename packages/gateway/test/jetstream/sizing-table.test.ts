import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const page = await readFile(new URL("../../../../docs/beyond-one-machine.md", import.meta.url), "utf8");

/** Rows of a table of the page by their first cell. */
const rows = new Map(
  page
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .map(([name = "", ...cells]) => [name, cells] as const),
);

/** Returns the number in a cell, such as `22 000`, `0.8 MB` or `64 + 3`. Sums and units are calculated. */
function numberIn(cell: string): number {
  const [, digits = "", unit = ""] = /^([\d .]+?) ?(kB|MB|GB)?$/.exec(cell) ?? [];
  return Number(digits.replaceAll(" ", "")) * ({ kB: 1e3, MB: 1e6, GB: 1e9 }[unit] ?? 1);
}

const row = (name: string): readonly number[] => (rows.get(name) ?? []).map(numberIn);

const stored = [1_000, 10_000, 100_000, 1_000_000];

test("NATS-11 each cell of the table of sizes follows from the assumptions", () => {
  expect(row("stored sessions")).toEqual(stored);
  const open = stored.map((sessions) => sessions / 10);
  const turns = stored.map((sessions) => sessions / 100);
  expect((rows.get("open sessions, running turns") ?? []).map((cell) => cell.split(",").map(numberIn))).toEqual(
    open.map((sessions, at) => [sessions, turns[at]]),
  );
  const gateways = open.map((sessions) => Math.ceil(sessions / 1_000));
  expect(row("gateways; add one for failures")).toEqual(gateways);
  const messages = turns.map((running) => running * 20);
  expect(row("messages of logs, a second")).toEqual(messages);
  const renewals = open.map((sessions) => sessions / 5);
  expect(row("renewals, a second")).toEqual(renewals);
  expect(row("renewals that gateways receive, a second")).toEqual(
    renewals.map((number, at) => number * ((gateways[at] ?? 0) + 1)),
  );
  expect(row("consumers: one for each gateway and group")).toEqual(gateways.map((number) => number + 1));
  expect(row("bytes that are stored, a second")).toEqual(messages.map((number) => number * 400));
  expect(row("disk of each broker")).toEqual(stored.map((sessions) => sessions * 600e3));
  expect(row("keys of the bucket `sessions`")).toEqual(stored);
  const streams = (rows.get("streams of logs + streams of buckets") ?? []).map((cell) => Number(cell.split(" + ")[0]));
  expect(row("subjects in one stream, with snapshots")).toEqual(
    stored.map((sessions, at) => Number(((sessions * 2) / (streams[at] ?? 0)).toPrecision(2))),
  );
});
