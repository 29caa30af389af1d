import type { Channel, Receiver } from "@turnkit/transport";
import { recordChannel } from "@turnkit/transport/trace";
import type { KeptFrame } from "../link/kept-frames.js";

/**
 * Writes frames as the trace file that `turnkit --trace` writes, without secrets. The lines come from the recorder of
 * `@turnkit/transport`, so there is one format. `lineOf` returns the line of each frame, without its line end.
 */
export function createFrameLog(began: number): { readonly head: string; lineOf(frame: KeptFrame): string } {
  const lines: string[] = [];
  let now = began;
  let receiver: Receiver | undefined;
  // A channel without another side: what it gets, it forgets.
  const channel: Channel = {
    start(given) {
      receiver = given;
    },
    send: () => undefined,
    pause() {},
    resume() {},
    close: () => new Promise(() => undefined),
    closed: new Promise(() => undefined),
  };
  const recorded = recordChannel(channel, (line) => void lines.push(line.trimEnd()), {
    now: () => now,
    limit: Number.MAX_SAFE_INTEGER,
  });
  recorded.start({ message() {}, invalidLine() {} });
  const [head = ""] = lines.splice(0);
  return {
    head,
    lineOf(frame) {
      now = frame.at;
      if ("invalidLine" in frame) receiver?.invalidLine(frame.invalidLine);
      else if (frame.direction === "sent") recorded.send(frame.message as never);
      else receiver?.message(frame.message, frame.bytes);
      return lines.splice(0).join("\n");
    },
  };
}
