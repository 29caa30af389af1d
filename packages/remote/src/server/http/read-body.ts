import { TextPieces } from "../../wire/text-pieces.js";
import type { Full } from "../account.js";
import { refuse, refuseMuch } from "../answers.js";
import type { Settings } from "../settings.js";

/** Returns the body of a request as text, or the refusal of a body that is too large, too slow, cut, or not UTF-8. */
// REM-22
export async function readBody(
  request: Request,
  owner: string,
  { limits, reading }: Settings,
): Promise<string | Response> {
  const { bodyBytes, bodyMs } = limits;
  const tooLarge = () => refuse(413, `The body has more than ${bodyBytes} bytes. Send less, or in pieces.`);
  if (Number(request.headers.get("Content-Length")) > bodyBytes) return tooLarge();
  if (request.body === null) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const pieces = new TextPieces();
  const reader = request.body.getReader();
  const drop = () => void reader.cancel().catch(() => {});
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    drop();
  }, bodyMs);
  let size = 0;
  let full: Full | undefined;
  const holding = reading.hold(owner, (bound) => {
    full = bound;
    holding.end();
    drop();
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > bodyBytes) {
        drop();
        return tooLarge();
      }
      holding.add(value.length);
      if (full !== undefined) break;
      pieces.add(decoder.decode(value, { stream: true }));
    }
    if (full !== undefined) return refuseMuch(full);
    if (isLate) return refuse(408, `The body did not arrive within ${bodyMs} ms. Send it again.`);
    return pieces.takeWith(decoder.decode());
  } catch {
    drop();
    return refuse(400, "The body was cut, or is no UTF-8.");
  } finally {
    clearTimeout(timer);
    holding.end();
  }
}

/** Ends the body of a request that was answered without reading it. */
export function dropBody(request: Request | undefined): void {
  const { body, bodyUsed } = request ?? {};
  if (!bodyUsed) body?.cancel?.().catch(() => {});
}
