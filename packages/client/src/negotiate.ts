import { type UnsupportedProtocolVersionErrorData, unsupportedProtocolVersionErrorData } from "@turnkit/schema/v2";
import type { ClientCapabilities, Dialect, Implementation } from "@turnkit/session";
import {
  type Connection,
  checkIncoming,
  InvalidMessageError,
  isRpcError,
  NegotiationError,
  rpcErrorCode,
} from "@turnkit/transport";
import type { Desk, Dialogue, Driver } from "./driver/driver.js";
import { seedDialogue } from "./driver/seed.js";
import { v1Dialogue } from "./driver/v1.js";
import { v2Dialogue } from "./driver/v2.js";

/** The dialects that this client speaks, newest first. */
const dialogues: readonly Dialogue[] = [v2Dialogue, seedDialogue, v1Dialogue];

/** What this side says of itself. */
export type Introduction = {
  readonly info: Implementation;
  readonly capabilities: ClientCapabilities;
  /** What is spoken; everything unless said otherwise. */
  readonly dialects?: readonly Dialect[];
  readonly plainHello?: boolean;
  /** Runs at receipt of the answer, before anything that follows it is looked at. */
  readonly agreed: (driver: Driver) => void;
};

/** The dialogues of some dialects, newest first; the first is what is offered. */
export function dialoguesOf(dialects?: readonly Dialect[]): readonly [Dialogue, ...Dialogue[]] {
  const [first, ...others] = dialogues.filter(({ dialect }) => dialects?.includes(dialect) ?? true);
  if (first === undefined) throw new NegotiationError("The client was told to speak no dialect: name one at least.");
  return [first, ...others];
}

/**
 * Agrees with the agent on a version. The answer fixes the dialect at receipt: what follows it in the same write is
 * read by the new driver already. Calls of the agent that come before are kept until then.
 *
 * @throws NegotiationError if the two sides share no version, InvalidMessageError if the answer cannot be read, RpcError
 *   if the agent refuses; the caller closes the connection
 */
export async function negotiate(connection: Connection, desk: Desk, self: Introduction): Promise<void> {
  const spoken = dialoguesOf(self.dialects);
  const release = connection.hold();
  const { info, capabilities, plainHello } = self;
  // Agents of version 1 and of older drafts find what they read beside the rest (V2-INIT-18, V2-SEED-05).
  const plain = plainHello ?? spoken.length === 1;
  const asked = connection.request("initialize", spoken[0].hello({ info, capabilities, plain }), {
    received(answer) {
      const driver = agree(spoken, answer).createDriver(connection, desk, answer as object);
      self.agreed(driver);
      connection.route = driver.routes;
      release();
    },
  });
  await asked.catch((error: unknown) => {
    throw refusal(spoken, error) ?? error;
  });
}

function agree(spoken: readonly Dialogue[], answer: unknown): Dialogue {
  const version = (answer as { protocolVersion?: unknown } | null | undefined)?.protocolVersion;
  if (typeof version !== "number") {
    const issue = { path: ["protocolVersion"], message: "expected an integer" };
    throw new InvalidMessageError("initialize", "result", [issue]);
  }
  const said = (dialogue: Dialogue) =>
    dialogue.version === version && dialogue.dialectOf(answer as object) === dialogue.dialect;
  const dialogue = spoken.find(said);
  if (dialogue !== undefined) return dialogue;
  const theirs = dialogues.find(said);
  const what = theirs === undefined ? `protocol version ${version}` : nameOf(theirs);
  throw new NegotiationError(
    `The agent answered with ${what}; this client speaks ${ours(spoken)}. Update the older side.`,
  );
}

/** What an agent says that has nothing at or below the version that it was asked for (V2-INIT-04). */
function refusal(spoken: readonly Dialogue[], error: unknown): NegotiationError | undefined {
  if (!isRpcError(error, rpcErrorCode.unsupportedProtocolVersion)) return undefined;
  const checked = checkIncoming<UnsupportedProtocolVersionErrorData>(unsupportedProtocolVersionErrorData, error.data);
  const theirs = "value" in checked ? checked.value.supported.map((version) => `version ${version}`) : [];
  const said = theirs.length > 0 ? theirs.join(", ") : "none of them";
  return new NegotiationError(`The agent speaks ${said}; this client speaks ${ours(spoken)}. Update the older side.`, {
    cause: error,
  });
}

const ours = (spoken: readonly Dialogue[]): string => spoken.map(nameOf).join(", ");

const nameOf = ({ dialect, version }: Dialogue): string =>
  dialect === `v${version}` ? `version ${version}` : `version ${version} (${dialect} draft)`;
