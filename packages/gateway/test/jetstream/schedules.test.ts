import { expect, test } from "vitest";
import { runSchedule } from "./schedule.js";

test("NATS-12 in 300 schedules with faults, nothing acknowledged is lost or doubled, and no epoch has two owners", async () => {
  let acknowledged = 0;
  for (let seed = 1; seed <= 300; seed += 1) {
    const outcome = await runSchedule(seed);
    expect(outcome.problems, `seed ${seed}`).toEqual([]);
    acknowledged += outcome.acknowledged;
  }
  expect(acknowledged).toBeGreaterThan(3_000);
});
