import { isDeepStrictEqual } from "node:util";
import { expect, test, vi } from "vitest";
import { kindOf, readPreviewFrames } from "./frames.js";
import { type Decoded, decodeByOfficialSdk, entriesOf } from "./official-decoder.js";

function outcomeOf(sent: unknown, decoded: Decoded): string {
  if ("dropped" in decoded) return "dropped";
  if ("refused" in decoded)
    return isDeepStrictEqual(sent, decoded.refused) ? "as sent" : `refused ${JSON.stringify(decoded.refused)}`;
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(decoded.value)), sent)) return "as sent";
  return `read as ${JSON.stringify(decoded.value)}`;
}

test("P-CONF-05: programs on SDK 2.4.0 read each frame of the Preview as the committed table says", async () => {
  // The SDK prints what it refuses.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const lines: string[] = [];
  for (const [index, frame] of readPreviewFrames().entries()) {
    const { message, version } = frame;
    const sent = message.method === undefined ? (message.result ?? message.error) : message.params;
    for (const entry of entriesOf(version)) {
      const outcome = outcomeOf(sent, await decodeByOfficialSdk(entry, frame));
      lines.push(`${frame.section} ${index + 1} ${kindOf(frame)} | ${entry} | ${outcome}`);
    }
  }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("frames-on-sdk-2.4.0.txt");
});
