import type { CheckFacts, Observation } from "../../check.js";
import { everyDialect } from "../../dialects/dialects.js";
import { expect } from "../../verdict.js";
import type { RawReply, RawServer } from "./raw-server.js";

/** Check of a server of agents by raw requests. */
export type TransportCheck = CheckFacts & { readonly run: (server: RawServer) => Promise<Observation> };

type Facts = readonly [id: string, requirement: string, title: string, tier?: "advisory"];

/** Returns a check with its facts in one line. */
export function transportCheck([id, requirement, title, tier]: Facts, run: TransportCheck["run"]): TransportCheck {
  return { id, title, tier: tier ?? "mandatory", dialects: everyDialect, requirements: [requirement], run };
}

/** Returns a check of the status of one answer. */
export function statusCheck(
  facts: Facts,
  status: number,
  ask: (server: RawServer) => Promise<RawReply>,
): TransportCheck {
  return transportCheck(facts, async (server) => expectStatus(await ask(server), status));
}

/** Fails unless an answer has a status. */
export function expectStatus(reply: RawReply, ...statuses: readonly number[]): void {
  const { status, entry } = reply;
  expect(statuses.includes(status), `the status is ${status}, not ${statuses.join(" or ")}`, entry);
}
