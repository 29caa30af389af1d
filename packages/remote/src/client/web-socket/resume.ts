import { type Channel, type CloseReason, type Message, textOf } from "@turnkit/transport";
import { type ResumeParams, STREAM_RESUME, STREAM_RESUME_FAILED } from "../../wire/resumption.js";
import { INITIALIZE_MS } from "../settings.js";

/** Receiver of a WebSocket that continues a connection. */
export type Resumed = {
  /** Called once with the number of messages that the server has received, before the first message. */
  live(received: number): void;
  message(message: unknown, bytes: number): void;
  invalid(sample: string): void;
};

/** Outcome of a resume: `undefined` if it succeeded, the reason of a refusal, or the cut of the new WebSocket. */
export type Outcome = undefined | { readonly refusal: string } | { readonly cut: CloseReason };

/** Id of the request. Requests of connections have other ids. */
const ID = "acp/resume";

/** Asks the server to continue a connection on a new WebSocket, and receives what follows. */
// REM-40, REM-52
export function resume(channel: Channel, params: ResumeParams, resumed: Resumed): Promise<Outcome> {
  return new Promise((resolve) => {
    let isLive = false;
    const settle = (outcome: Outcome) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    const timer = setTimeout(() => {
      void channel.close({ kind: "failed", message: `${STREAM_RESUME} had no answer within ${INITIALIZE_MS} ms.` });
    }, INITIALIZE_MS);
    const handshake = (message: unknown): void => {
      const { id, method, result, error, params } = (message ?? {}) as Answer;
      if (method === STREAM_RESUME_FAILED) return settle({ refusal: textOf(params?.reason).slice(0, 100) });
      if (id !== ID) return;
      if (error !== undefined) return settle({ refusal: textOf(error?.message).slice(0, 200) });
      isLive = true;
      resumed.live(Number(result?.received));
      settle(undefined);
    };
    channel.start({
      message: (message, bytes) => (isLive ? resumed.message(message, bytes) : handshake(message)),
      invalidLine: (sample) => resumed.invalid(sample),
    });
    void channel.closed.then((cut) => settle({ cut }));
    channel.send({ jsonrpc: "2.0", id: ID, method: STREAM_RESUME, params } satisfies Message);
  });
}

type Answer = {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: { readonly received?: unknown };
  readonly error?: { readonly message?: unknown };
  readonly params?: { readonly reason?: unknown };
};
