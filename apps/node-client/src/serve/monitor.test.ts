import { createFigures } from "@turnkit/gateway";
import { expect, it } from "vitest";
import { Monitor } from "./monitor.js";

const ask = (monitor: Monitor, path: string, method = "GET") =>
  monitor.answer(new Request(`http://127.0.0.1${path}`, { method }));

it("SHARE-12 many requests for /readyz reach the storage once a second, and its failure says nothing of it", async () => {
  let [time, reached] = [0, 0];
  let answers: () => Promise<void> = async () => undefined;
  const reach = () => {
    reached += 1;
    return answers();
  };
  const monitor = new Monitor({ figures: createFigures(), mayRead: () => false, reach, now: () => time });
  await Promise.all(Array.from({ length: 50 }, () => ask(monitor, "/readyz")));
  expect(reached).toBe(1);
  time = 999;
  expect((await ask(monitor, "/readyz"))?.status).toBe(200);
  expect(reached).toBe(1);
  time = 1_000;
  answers = () => Promise.reject(new Error("nats://ann:secret@10.0.0.1 is gone"));
  const answer = await ask(monitor, "/readyz");
  expect([answer?.status, await answer?.text()]).toEqual([503, "not ready: the storage does not answer\n"]);
  expect(reached).toBe(2);
});

it("SHARE-12 a server that ends is not ready, and lives", async () => {
  const monitor = new Monitor({ figures: createFigures(), mayRead: () => true, reach: async () => undefined });
  expect((await ask(monitor, "/readyz"))?.status).toBe(200);
  monitor.closing();
  expect((await ask(monitor, "/readyz"))?.status).toBe(503);
  expect((await ask(monitor, "/healthz"))?.status).toBe(200);
  expect((await ask(monitor, "/metrics", "DELETE"))?.status).toBe(405);
  expect(await ask(monitor, "/metrics/")).toBeUndefined();
});
