import { Taken } from "./channel-contract.js";

/** Cuts bytes into lines and messages in the simplest way there is; bytes that are no UTF-8 throw. */
export function lineTaker(): {
  readonly taken: Taken<unknown>;
  readonly lines: Taken<string>;
  take(chunk: Uint8Array): void;
} {
  const taken = new Taken<unknown>();
  const lines = new Taken<string>();
  let rest = "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return {
    taken,
    lines,
    take(chunk) {
      const texts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = texts.pop() as string;
      for (const text of texts) {
        lines.add(text);
        taken.add(JSON.parse(text));
      }
    },
  };
}
