import { checkOption } from "../check-option.js";
import type { SessionWatch } from "./watch-options.js";

/** Two web streams of messages, in the form of the official SDK's `Stream`. */
export type MessageStream<M> = { readonly readable: ReadableStream<M>; readonly writable: WritableStream<M> };

/**
 * Returns the stream of a client with a watch for its messages. The watch gets each message before the client reads it,
 * or before it is written to the agent. Backpressure, errors and the end of the stream are not changed.
 *
 * @throws TypeError for a value that is not a stream or a watch
 *
 * @example
 * const watch = watchSessions();
 * client({ name: "my-editor" }).connect(watchStream(ndJsonStream(output, input), watch));
 */
export function watchStream<M>(stream: MessageStream<M>, watch: SessionWatch): MessageStream<M> {
  const { readable, writable } = stream;
  checkOption(typeof readable?.pipeThrough === "function", "watchStream", typeof stream, "the stream, then the watch");
  checkOption(typeof watch?.message === "function", "watchStream", typeof watch, "watchSessions() after the stream");
  const shown = (from: "client" | "agent") =>
    new TransformStream<M, M>({
      transform(message, controller) {
        watch.message(message, from);
        controller.enqueue(message);
      },
    });
  const sent = shown("client");
  // The client's own writes fail with this error.
  sent.readable.pipeTo(writable).catch(() => undefined);
  return { readable: readable.pipeThrough(shown("agent")), writable: sent.writable };
}
