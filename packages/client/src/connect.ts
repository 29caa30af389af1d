import type { DialectName } from "@turnkit/session";
import { type Channel, ConnectionClosedError, checkArgument, createConnection, reporter } from "@turnkit/transport";
import { checkOptions } from "./check-arguments.js";
import { ChannelClient, type Client } from "./client.js";
import type { ClientOptions } from "./client-options.js";
import type { Dialect } from "./driver/driver.js";
import { seedDialect } from "./driver/seed.js";
import { v1Dialect } from "./driver/v1.js";
import { v2Dialect } from "./driver/v2.js";
import { negotiate } from "./negotiate.js";
import { SessionTable } from "./session-table.js";
import { reportUnknown, reportUnused } from "./unused-options.js";

/** All dialects of turnkit, the newest first. */
export const allDialects: readonly Dialect[] = [v2Dialect, seedDialect, v1Dialect];

/**
 * Connects to an agent over a channel and agrees on a version: version 1, version 2, or the draft of version 2 of June 2026
 * (`seed`).
 *
 * - There is no time limit. To give up, close the channel. `launch` has a time limit.
 * - After an error, the channel is closed.
 *
 * @throws NegotiationError if client and agent share no version
 * @throws InvalidMessageError if the client cannot read the agent's answer
 * @throws RpcError if the agent refuses
 * @throws ConnectionClosedError if the connection ends
 * @throws AcpError `state` if another connection uses the channel; that connection continues
 * @throws TypeError without a channel, or without `info`
 */
export function connect(channel: Channel, options: ClientOptions): Promise<Client> {
  return connectWith(allDialects, channel, options);
}

/**
 * Connects like {@link connect}, with these dialects only. The client offers the newest dialect, and the agent's answer
 * decides. A bundle contains only the dialects that the application names.
 *
 * @throws the errors of `connect`
 * @throws NegotiationError for an empty list of dialects
 *
 * @example
 * const client = await connectWith([v1Dialect], channel, { info: { name: "my-editor", version: "1.0.0" } });
 */
export async function connectWith(
  dialects: readonly Dialect[],
  channel: Channel,
  options: ClientOptions,
): Promise<Client> {
  mustConnect(channel, options);
  const remedy = "pass a list such as [v1Dialect]";
  const isList = Array.isArray(dialects) && dialects.every((dialect) => typeof dialect?.hello === "function");
  checkArgument(isList, "connectWith dialects", { got: dialects, remedy });
  const { limits = {}, batches, validateOutgoing } = options;
  const report = reporter(options.onDiagnostic);
  reportUnknown(options, report);
  const sessions = new SessionTable(limits, (sessionId, message, code = "dropped") =>
    report({ code, sessionId, method: "session/update", message }),
  );
  let client: ChannelClient | undefined;
  // Runs before the connection handles the end, so that the connection waits for the last events of sessions.
  void channel.closed.then((reason) => {
    client?.ended(reason);
    const failure = new ConnectionClosedError("session/prompt", reason);
    for (const session of sessions.all) session.end(reason.message, failure);
  });
  /** Dialect of the messages that this client sends. */
  let spoken: DialectName | undefined;
  let agreed: Dialect | undefined;
  const connection = createConnection(channel, {
    limits,
    nullIds: () => agreed?.nullIds ?? true,
    ...(batches && { batches }),
    customMethods: options.fallback ? [] : Object.keys(options.extensions ?? {}),
    notifications: options.fallback ? [] : NOTIFICATIONS,
    onDiagnostic: report,
    ...(validateOutgoing && { validateOutgoing: () => spoken && validateOutgoing[spoken] }),
  });
  try {
    const driver = await negotiate(
      connection,
      { options, sessions, report },
      {
        dialects,
        asking: ({ dialect }) => {
          spoken = dialect;
        },
        agreed: (dialect) => {
          agreed = dialect;
          spoken = dialect.dialect;
        },
      },
    );
    reportUnused(driver.dialect, options, report);
    client = new ChannelClient({ connection, driver, sessions, options, report });
    return client;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Notifications of agents. */
const NOTIFICATIONS = ["session/update", "elicitation/complete", "$/cancel_request"];

/** @throws TypeError for arguments that only callers in JavaScript can pass */
function mustConnect(channel: Channel | undefined, options: ClientOptions | undefined): void {
  if (typeof channel?.start !== "function") {
    throw new TypeError(`connect got ${remedyFor(channel)}.`);
  }
  if (typeof options?.info?.name !== "string" || typeof options.info.version !== "string") {
    const remedy = 'pass the name and version of your program as { info: { name: "my-editor", version: "1.0.0" } }';
    if (options !== undefined && options !== null && "clientInfo" in options)
      throw new TypeError("connect got clientInfo: pass it as info.");
    throw new TypeError(`connect got no info: ${remedy}.`);
  }
  checkOptions(options);
}

/** Returns the rest of the error message about a value that is not a channel. */
function remedyFor(got: unknown): string {
  const { then, newSession, readable } = (got ?? {}) as { readonly [name: string]: unknown };
  if (typeof newSession === "function") return "a client: launch and connect return one, so use it as it is";
  if (typeof then === "function") {
    return "a promise: await it, as in connect(await openRemote(url), options). launch returns a client, so it needs no connect";
  }
  if (readable !== undefined)
    return "no channel: pass createMessageStreamChannel(stream) of @turnkit/transport/channels";
  return "no channel: pass one of @turnkit/transport/channels, or call launch of @turnkit/client/node for a program";
}
