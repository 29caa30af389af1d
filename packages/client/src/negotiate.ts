import type { ClientCapabilities } from "@turnkit/session";
import {
  type Connection,
  InvalidMessageError,
  isRpcError,
  NegotiationError,
  type Route,
  RpcError,
  rpcErrorCode,
} from "@turnkit/transport";
import type { ClientOptions } from "./client-options.js";
import { createDriver } from "./driver/create-driver.js";
import type { AgentHost, Dialect, Driver } from "./driver/driver.js";
import { reportSilence } from "./report-silence.js";

/** Dialects of the client, and hooks of a negotiation. */
export type Negotiation = {
  readonly dialects: readonly Dialect[];
  /** Runs before each `initialize`. `dialect` is the dialect of that request. */
  readonly asking: (dialect: Dialect) => void;
  /** Runs at receipt of the answer, before later messages are read. */
  readonly agreed: (dialect: Dialect) => void;
};

const CHECKS =
  "Check that the program at the other end is an agent and, if you wrote it, that it serves the channel before it awaits " +
  "anything else: earlier messages are lost.";

/**
 * Agrees on a dialect with the agent, and returns the driver of that dialect.
 *
 * - The dialect is selected at receipt of the answer. The new driver therefore reads the messages that follow in the same
 *   write.
 * - Calls of the agent that arrive before the answer are held until then.
 * - If the agent refuses the newest version, the refusal may name an older version. If the client supports that version, it
 *   is tried once.
 *
 * @throws NegotiationError if client and agent share no version, or the agent refuses a version that it lists
 * @throws InvalidMessageError if the client cannot read the answer; the caller closes the connection
 * @throws RpcError if the agent refuses; the caller closes the connection
 */
export async function negotiate(
  connection: Connection,
  host: AgentHost,
  { dialects, asking, agreed }: Negotiation,
): Promise<Driver> {
  const spoken = newestFirst(dialects);
  connection.route = (method) => (method === "initialize" ? isClientToo : undefined);
  const release = connection.hold("initialize");
  const { info, omitLegacyFields } = host.options;
  const capabilities = capabilitiesOf(host.options);
  // Agents of version 1 and of older drafts read the legacy fields (V2-INIT-18, V2-SEED-05).
  const plain = omitLegacyFields ?? spoken.length === 1;
  const ask = async (dialect: Dialect): Promise<Driver> => {
    const opened: { driver?: Driver } = {};
    asking(dialect);
    await connection.request("initialize", dialect.hello({ info, capabilities, plain }), {
      received(answer) {
        const driver = createDriver(agree(spoken, answer), answer, { connection, host });
        opened.driver = driver;
        agreed(driver.dialect);
        connection.route = driver.routes;
        release();
      },
    });
    return opened.driver as Driver;
  };
  const retry = (error: unknown): Promise<Driver> => {
    const older = spoken.find(({ version }) => version < spoken[0].version && supportedIn(error).includes(version));
    if (older === undefined) throw error;
    return ask(older);
  };
  const answer = ask(spoken[0])
    .catch(retry)
    .catch((error: unknown) => {
      throw refusal(spoken, error) ?? error;
    });
  return reportSilence(answer, { method: "initialize", report: host.report, checks: CHECKS });
}

/** Route of a peer that also sends `initialize`. Without an answer, both sides would wait for ever. */
const isClientToo: Route = {
  receive() {
    throw new RpcError(rpcErrorCode.methodNotFound, "Both sides are clients. One of them has to be an agent.");
  },
};

function capabilitiesOf({
  files,
  terminals,
  terminalLogin,
  elicitations,
  customCapabilities,
}: ClientOptions): ClientCapabilities {
  return {
    files: { read: files?.readTextFile !== undefined, write: files?.writeTextFile !== undefined },
    terminals: terminals !== undefined,
    terminalLogin: terminalLogin ?? false,
    elicitation: elicitations?.modes ?? { form: false, url: false },
    notices: true,
    compaction: true,
    // P-SUB1-01, P-CAP-02
    subagents: true,
    plans: true,
    booleanOptions: true,
    ...(customCapabilities && { _meta: customCapabilities }),
  };
}

/** Sorts dialects by age. The client offers the newest. */
function newestFirst(dialects: readonly Dialect[]): readonly [Dialect, ...Dialect[]] {
  const [first, ...others] = dialects.toSorted((one, other) => (one.since < other.since ? 1 : -1));
  if (first === undefined) throw new NegotiationError("The list of dialects is empty. Pass at least one dialect.");
  return [first, ...others];
}

function agree(spoken: readonly Dialect[], answer: unknown): Dialect {
  const version = (answer as { protocolVersion?: unknown } | null | undefined)?.protocolVersion;
  if (typeof version !== "number") {
    const issue = { path: ["protocolVersion"], message: "expected an integer" };
    throw new InvalidMessageError("initialize", "result", [issue]);
  }
  const ofVersion = spoken.filter((one) => one.version === version);
  const name = ofVersion[0]?.dialectOf(answer as object);
  const dialect = ofVersion.find((one) => one.dialect === name);
  if (dialect !== undefined) return dialect;
  const what = name === undefined ? `protocol version ${version}` : nameOf({ dialect: name, version });
  throw mismatch(spoken, `answered with ${what}`);
}

/** Returns the error for an agent that shares no version with the client, or refuses a version that it lists. */
function refusal(spoken: readonly Dialect[], error: unknown): NegotiationError | undefined {
  if (!isRpcError(error, rpcErrorCode.unsupportedProtocolVersion)) return undefined;
  const supported = [...new Set(supportedIn(error))];
  // The client has tried all of them: the newest version first, then an older version that the refusal listed.
  const refused = supported.filter((one) => spoken.some(({ version }) => version === one));
  if (refused.length > 0) {
    const text = `The agent refuses versions that it lists as supported: ${listOf(refused)}. This client speaks ${ours(spoken)}.`;
    return new NegotiationError(`${text} Report it to the agent's authors.`, { cause: error });
  }
  return mismatch(spoken, `speaks ${supported.length > 0 ? listOf(supported) : "none of them"}`, { cause: error });
}

function mismatch(spoken: readonly Dialect[], agent: string, options?: ErrorOptions): NegotiationError {
  return new NegotiationError(
    `The agent ${agent}; this client speaks ${ours(spoken)}. Update the older side.`,
    options,
  );
}

/** Returns the first versions that a refusal lists. Returns an empty list for any other error. */
function supportedIn(error: unknown): readonly number[] {
  if (!isRpcError(error, rpcErrorCode.unsupportedProtocolVersion)) return [];
  const { supported } = (error.data ?? {}) as { supported?: unknown };
  return Array.isArray(supported) ? supported.filter(Number.isInteger).slice(0, MAX_SHOWN) : [];
}

/** Maximum number of versions that are read from a refusal. */
const MAX_SHOWN = 16;

const listOf = (versions: readonly number[]): string => versions.map((version) => `version ${version}`).join(", ");

const ours = (spoken: readonly Dialect[]): string => spoken.map(nameOf).join(", ");

const nameOf = ({ dialect, version }: Pick<Dialect, "dialect" | "version">): string =>
  dialect === `v${version}` ? `version ${version}` : `version ${version} (${dialect} draft)`;
