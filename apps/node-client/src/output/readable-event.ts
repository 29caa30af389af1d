import type { SessionEvent } from "@turnkit/session";

/**
 * Returns an event with the output of terminals as `text` in place of `data`, which is base64. Output that is not valid
 * UTF-8 stays `data`, for example a part that ends inside a character.
 */
export function readableEvent(event: SessionEvent): object {
  if (event.type === "terminal_output_chunk") {
    const { data, ...rest } = event;
    return { ...rest, ...readable(data) };
  }
  if (event.type !== "terminal_update" || event.output == null) return event;
  const { data, ...rest } = event.output;
  return { ...event, output: { ...rest, ...readable(data) } };
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function readable(data: string): { readonly text: string } | { readonly data: string } {
  try {
    const bytes = Buffer.from(data, "base64");
    // Decoding leaves out characters that are not base64.
    return bytes.toString("base64") === data ? { text: decoder.decode(bytes) } : { data };
  } catch {
    return { data };
  }
}
