import { isSessionLogError, type SessionLog, type SessionLogWriter } from "@turnkit/agent";
import type { Channel } from "@turnkit/transport";
import { type Engine, isEngine } from "./engine.js";

/** Place of a session: this gateway, with a writer, or another gateway, with a channel to it. */
export type Place = { readonly writer: SessionLogWriter } | { readonly channel: Channel };

/** Maximum number of attempts to open a session whose owner takes no channel. */
export const MAX_TRIES = 25;

/**
 * Opens a session as its owner, or else a channel to its owner. The owner may end at any moment, so a failed attempt is
 * repeated after a twentieth of the `ttlMs` of the engine.
 *
 * @throws SessionLogError those of `open` of the log; `locked` if the owner takes no channel
 */
// NATS-05
export async function findOwner(log: SessionLog, sessionId: string): Promise<Place> {
  for (let tries = 1; ; tries += 1) {
    try {
      return { writer: await log.open(sessionId) };
    } catch (error) {
      if (!isSessionLogError(error, "locked") || !isEngine(log)) throw error;
      const channel = await channelTo(log, sessionId);
      if (channel !== undefined) return { channel };
      if (tries >= MAX_TRIES) throw error;
      await pauseBeforeRetry(log);
    }
  }
}

/** Parts of a deletion. */
export type Deletion = {
  /** Deletes the session at the gateway that owns it. */
  readonly atOwner: (channel: Channel, engine: Engine) => Promise<void>;
  /** Aborted when this gateway ends. From then on, no attempt begins. */
  readonly signal: AbortSignal;
};

/**
 * Deletes a session from the log. If another gateway owns the session, `atOwner` deletes it there first.
 *
 * @throws SessionLogError those of `delete` of the log; `locked` if the owner takes no channel
 * @throws the reason of the signal if the signal is aborted
 */
export async function deleteFrom(log: SessionLog, sessionId: string, { atOwner, signal }: Deletion): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await log.delete(sessionId);
    } catch (error) {
      if (!isSessionLogError(error, "locked") || !isEngine(log) || tries >= MAX_TRIES) throw error;
      const channel = await channelTo(log, sessionId);
      if (channel === undefined) await pauseBeforeRetry(log);
      else await atOwner(channel, log);
    }
  }
}

/** Returns `undefined` if there is no owner now, or the owner takes no channel. */
async function channelTo(engine: Engine, sessionId: string): Promise<Channel | undefined> {
  try {
    return await engine.connect(sessionId);
  } catch (error) {
    if (isSessionLogError(error, "not_found") || isSessionLogError(error, "failed")) return undefined;
    throw error;
  }
}

/** Waits before the next attempt. All attempts together last a little longer than `ttlMs`. */
export const pauseBeforeRetry = ({ ttlMs }: Engine): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ttlMs / 20));

/** Releases a place that was found too late. */
export async function leavePlace(place: Place): Promise<void> {
  if ("writer" in place) await place.writer[Symbol.asyncDispose]();
  else await place.channel.close();
}
