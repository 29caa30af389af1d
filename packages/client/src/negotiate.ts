import type { ClientCapabilities, Implementation } from "@turnkit/session";
import { type Connection, InvalidMessageError, NegotiationError } from "@turnkit/transport";
import type { Desk, Dialogue, Driver } from "./driver/driver.js";
import { v1Dialogue } from "./driver/v1.js";

/** The versions that this client speaks, newest first. */
const dialogues: readonly Dialogue[] = [v1Dialogue];

/**
 * Agrees with the agent on a version. The answer fixes the dialect at receipt: what follows it in the same write is
 * read by the new driver already. Calls of the agent that come before are kept until then.
 *
 * @throws NegotiationError if the two sides share no version; the caller closes the connection
 */
export async function negotiate(
  connection: Connection,
  desk: Desk,
  self: { readonly info: Implementation; readonly capabilities: ClientCapabilities },
): Promise<Driver> {
  const newest = dialogues[0] as Dialogue;
  const release = connection.hold();
  let driver: Driver | undefined;
  await connection.request("initialize", newest.hello(self.info, self.capabilities), {
    received(answer) {
      driver = agree(answer).createDriver(connection, desk, answer);
      connection.route = driver.routes;
      release();
    },
  });
  return driver as unknown as Driver;
}

function agree(answer: unknown): Dialogue {
  const version = (answer as { protocolVersion?: unknown } | null)?.protocolVersion;
  if (typeof version !== "number") {
    const issue = { path: ["protocolVersion"], message: "expected an integer" };
    throw new InvalidMessageError("initialize", "result", [issue]);
  }
  const dialogue = dialogues.find((candidate) => candidate.version === version);
  if (dialogue !== undefined) return dialogue;
  const ours = dialogues.map((candidate) => candidate.version).join(", ");
  throw new NegotiationError(
    `The agent answered with protocol version ${version}; this client speaks ${ours}. Update the older side.`,
  );
}
