import { refuse } from "../answers.js";
import type { RemoteLimits } from "../server-options.js";

/** Returns the body of a request as text, or the refusal of a body that is too large, too slow, cut or no UTF-8. */
// REM-22
export async function readBody(request: Request, { bodyBytes, bodyMs }: RemoteLimits): Promise<string | Response> {
  const tooLarge = () => refuse(413, `The body has more than ${bodyBytes} bytes. Send less, or in pieces.`);
  if (Number(request.headers.get("Content-Length")) > bodyBytes) return tooLarge();
  if (request.body === null) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const pieces: string[] = [];
  const reader = request.body.getReader();
  const drop = () => void reader.cancel().catch(() => {});
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    drop();
  }, bodyMs);
  try {
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > bodyBytes) {
        drop();
        return tooLarge();
      }
      pieces.push(decoder.decode(value, { stream: true }));
    }
    if (isLate) return refuse(408, `The body did not arrive within ${bodyMs} ms. Send it again.`);
    return pieces.join("") + decoder.decode();
  } catch {
    drop();
    return refuse(400, "The body was cut, or is no UTF-8.");
  } finally {
    clearTimeout(timer);
  }
}

/** Ends the body of a request that was answered without reading it. */
export function dropBody({ body, bodyUsed }: Request): void {
  if (body !== null && !bodyUsed) body.cancel().catch(() => {});
}
