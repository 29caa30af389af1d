import { expect, test } from "vitest";
import { StoredEngine } from "../../src/jetstream/stored-engine.js";

const settings = { ttlMs: 2_000, pageSize: 10, snapshotEvents: 10, mayBeCut: false, newName: () => "a" };
const clock = { now: () => 0, after: () => () => undefined };

test("defect N67: servers that do not answer are named, with the remedy; the client of NATS says only `timeout`", async () => {
  const engine = new StoredEngine(() => Promise.reject(new Error("timeout")), { ...settings, clock } as never);
  const SILENT = "the servers of NATS did not answer in time. Try again when they run";
  await expect(engine.list({} as never)).rejects.toThrow(`The list of sessions could not be used: ${SILENT}.`);
  await expect(engine.open("s-1")).rejects.toThrow(`The log of session s-1 could not be used: ${SILENT}.`);
});

test("another failure keeps its own words", async () => {
  const engine = new StoredEngine(() => Promise.reject(new Error("maximum bytes exceeded")), {
    ...settings,
    clock,
  } as never);
  await expect(engine.open("s-1")).rejects.toThrow("The log of session s-1 could not be used: maximum bytes exceeded.");
});

test("defect S46: a failure that is a sentence keeps its own point", async () => {
  const engine = new StoredEngine(() => Promise.reject(new Error("The disk is full.")), {
    ...settings,
    clock,
  } as never);
  await expect(engine.open("s-1")).rejects.toMatchObject({
    message: "The log of session s-1 could not be used: The disk is full.",
  });
});
