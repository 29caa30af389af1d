import type { Readable } from "node:stream";

/**
 * Returns the body of a request as a stream. It reads from the network only on demand. If the client breaks off, the
 * stream fails.
 */
export function bodyOf(source: Readable): ReadableStream<Uint8Array> {
  let isOver = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const over = (act: () => void) => () => {
          if (isOver) return;
          isOver = true;
          act();
        };
        const broken = over(() => controller.error(new Error("The client broke off before the end of the body.")));
        source.on("data", (chunk: Uint8Array) => {
          if (isOver) return;
          controller.enqueue(chunk);
          source.pause();
        });
        source.once(
          "end",
          over(() => controller.close()),
        );
        source.once("error", broken);
        source.once("close", broken);
        source.pause();
      },
      pull() {
        source.resume();
      },
      cancel() {
        isOver = true;
      },
    },
    { highWaterMark: 0 },
  );
}
