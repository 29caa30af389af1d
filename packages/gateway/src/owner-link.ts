import { type Client, connectWith, createElicitations, v2Dialect } from "@turnkit/client";
import { type Channel, isAcpError, isRpcError, RpcError, textOf, withinGrace } from "@turnkit/transport";
import { ASKED, BY, type QuestionNote, WITHDRAWN } from "./between-gateways.js";
import type { Settings } from "./gateway-options.js";

/** Client of the gateway that owns a session. */
export class OwnerLink {
  /** Settles when the connection has ended, and all messages of the owner are handled. */
  readonly lost: Promise<unknown>;
  /** True when the channel has closed. Some of its messages may not be handled yet. */
  isLost = false;
  readonly #client: Client;

  private constructor(client: Client, channel: Channel) {
    this.#client = client;
    this.lost = client.closed;
    void channel.closed.then(() => {
      this.isLost = true;
    });
  }

  /** @throws RpcError `-32603` if the owner does not answer in time, or refuses */
  static async open(channel: Channel, settings: Settings, ttlMs: number): Promise<OwnerLink> {
    const { limits, report } = settings;
    const opening = connectWith([v2Dialect], channel, {
      info: { name: "turnkit-gateway", version: "1.0.0" },
      permissions: () => "wait",
      elicitations: createElicitations({ form: () => "wait", url: () => "wait" }),
      limits: { stateBytes: limits.stateBytes },
      onDiagnostic: report,
    });
    return inTime(
      channel,
      ttlMs,
      opening.then((client) => new OwnerLink(client, channel)),
    );
  }

  async client(): Promise<Client> {
    return this.#client;
  }

  /** Sends the owner the name of the principal whose request follows. */
  by(name: string | undefined): void {
    this.#client.notify(BY, name === undefined ? {} : { name });
  }

  note(question: string, note: QuestionNote): void {
    this.#client.notify(ASKED, { question, ...note });
  }

  withdraw(key: string): void {
    this.#client.notify(WITHDRAWN, { key });
  }

  async leave(): Promise<void> {
    await this.#client.close();
  }
}

/**
 * Waits for an owner. If it takes too long, the channel is closed.
 *
 * @throws RpcError `-32603`
 */
export async function inTime<T>(channel: { close(): Promise<unknown> }, ms: number, work: Promise<T>): Promise<T> {
  try {
    if (await withinGrace(work, ms)) return await work;
  } catch (error) {
    void channel.close();
    throw isRpcError(error) || isAcpError(error, "connection_closed")
      ? error
      : RpcError.internalError(`the gateway that has the session has refused: ${textOf(error)}`);
  }
  void channel.close();
  throw RpcError.internalError("the gateway that has the session does not answer");
}

/**
 * Deletes a session at its owner. Settles when the owner no longer has the session, even if the owner ends without an
 * answer.
 */
export async function deleteAtOwner(
  channel: Channel,
  {
    sessionId,
    name,
    settings,
    ttlMs,
  }: { sessionId: string; name: string | undefined; settings: Settings; ttlMs: number },
): Promise<void> {
  const link = await OwnerLink.open(channel, settings, ttlMs);
  link.by(name);
  const client = await link.client();
  try {
    await inTime(channel, ttlMs, client.deleteSession(sessionId));
  } catch (error) {
    // The end of the session closes the channel.
    if (!isAcpError(error, "connection_closed")) throw error;
  } finally {
    await link.leave();
  }
}
