import type { ClientCapabilities, Implementation } from "@turnkit/session";
import { type Connection, InvalidMessageError, NegotiationError } from "@turnkit/transport";
import type { Desk, Dialogue, Driver } from "./driver/driver.js";
import { v1Dialogue } from "./driver/v1.js";

/** The version that this client offers first. */
export const newest: Dialogue = v1Dialogue;

/** The versions that this client speaks, newest first. */
const dialogues: readonly Dialogue[] = [newest];

/** What this side says of itself. */
export type Introduction = {
  readonly info: Implementation;
  readonly capabilities: ClientCapabilities;
  /** Runs at receipt of the answer, before anything that follows it is looked at. */
  readonly agreed: (driver: Driver) => void;
};

/**
 * Agrees with the agent on a version. The answer fixes the dialect at receipt: what follows it in the same write is
 * read by the new driver already. Calls of the agent that come before are kept until then.
 *
 * @throws NegotiationError if the two sides share no version, InvalidMessageError if the answer cannot be read, RpcError
 *   if the agent refuses; the caller closes the connection
 */
export async function negotiate(connection: Connection, desk: Desk, self: Introduction): Promise<void> {
  const release = connection.hold();
  await connection.request("initialize", newest.hello(self.info, self.capabilities), {
    received(answer) {
      const driver = agree(answer).createDriver(connection, desk, answer);
      self.agreed(driver);
      connection.route = driver.routes;
      release();
    },
  });
}

function agree(answer: unknown): Dialogue {
  const version = (answer as { protocolVersion?: unknown } | null | undefined)?.protocolVersion;
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
