import { type Channel, type CloseReason, type Message, textOf } from "@turnkit/transport";
import { type ResumeParams, STREAM_RESUME, STREAM_RESUME_FAILED } from "../../wire/resumption.js";
import { INITIALIZE_MS } from "../settings.js";

/** Receiver of a WebSocket that continues a connection. */
export type Resumed = {
  /** Returns at most `most` characters of a text of the server, without secrets. */
  clean(text: string, most: number): string;
  /** Called once with the number of messages that the server has received, before the first message. */
  live(received: number): void;
  message(message: unknown, bytes: number): void;
  invalid(sample: string, excess?: string): void;
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
      if (method === STREAM_RESUME_FAILED) return settle({ refusal: resumed.clean(textOf(params?.reason), 100) });
      if (id !== ID) return;
      if (error != null) return settle({ refusal: resumed.clean(textOf(error.message), 200) });
      const received = result?.received;
      if (!isCount(received)) return settle({ refusal: `the result of ${STREAM_RESUME} has no number "received"` });
      isLive = true;
      resumed.live(received);
      settle(undefined);
    };
    channel.start({
      message: (message, bytes) => (isLive ? resumed.message(message, bytes) : handshake(message)),
      invalidLine: (sample, excess) => resumed.invalid(sample, excess),
    });
    void channel.closed.then((cut) => settle({ cut }));
    channel.send({ jsonrpc: "2.0", id: ID, method: STREAM_RESUME, params } satisfies Message);
  });
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

type Answer = {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: { readonly received?: unknown } | null;
  readonly error?: { readonly message?: unknown } | null;
  readonly params?: { readonly reason?: unknown } | null;
};
