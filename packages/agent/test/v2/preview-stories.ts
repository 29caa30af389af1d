import { readFileSync } from "node:fs";
import { expect } from "vitest";
import type { Frame, RawClient } from "../raw-client.js";

const frames = readFileSync(new URL("../../../schema/test/preview-frames.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { readonly section: string; readonly from: string; readonly message: Frame });
/** Frames of one side in a section of the Preview's examples. */
export const story = (section: string, from = "agent") =>
  frames.filter((frame) => frame.section === section && frame.from === from).map(({ message }) => message);

/** Frames that the client received, with the names of the examples in place of ids that the agent made. */
export function receivedBy(client: RawClient, names: Readonly<Record<string, string>> = {}): Frame[] {
  const named = Object.entries(names).reduce(
    (text, [id, name]) => text.replaceAll(id, name),
    JSON.stringify(client.received),
  );
  return JSON.parse(named);
}

/** The wanted frames, each once, in this order, among what was received. Ids of answers are the client's own. */
export function expectInOrder(received: readonly Frame[], wanted: readonly Frame[]): void {
  const bare = ({ id: _, jsonrpc: __, ...frame }: Frame): Frame => frame;
  let at = 0;
  for (const frame of wanted) {
    const found = received.findIndex((one, index) => {
      if (index < at) return false;
      try {
        expect(bare(one)).toEqual(bare(frame));
        return true;
      } catch {
        return false;
      }
    });
    expect(found, `${JSON.stringify(frame)} among\n${received.map((one) => JSON.stringify(one)).join("\n")}`).not.toBe(
      -1,
    );
    at = found + 1;
  }
}
