import { JetStreamApiError } from "@nats-io/jetstream";
import { expect, it } from "vitest";
import { isPassing } from "../../src/jetstream/nats-failures.js";

const answer = (code: number, errCode: number) =>
  new JetStreamApiError({ code, err_code: errCode, description: "an answer of the server" });

it("NATS-12 defect G53: a gateway that starts while a cluster does tries again, if a server does not know a stream that was just made", () => {
  expect(isPassing(answer(404, 10_059))).toBe(true);
  expect(isPassing(answer(503, 10_008))).toBe(true);
  expect(isPassing(Object.assign(new Error("no answer"), { name: "TimeoutError" }))).toBe(true);
});

it("a storage that the server refuses is not tried again", () => {
  expect(isPassing(answer(400, 10_058))).toBe(false);
  expect(isPassing(new Error("the storage was made with 4 streams"))).toBe(false);
});
