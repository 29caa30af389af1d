import type { RequestId } from "@turnkit/transport";
import { frameLimit, parseLine } from "@turnkit/transport/channels";
import { headerName } from "../../wire/headers.js";
import { MAX_ID_LENGTH } from "../../wire/limits.js";
import { readText } from "./read-text.js";
import { type Requests, refusalText } from "./requests.js";

/** Answer of `initialize`, and the id of the connection that it began. */
export type Initialized = {
  readonly connectionId: string;
  readonly answer: { readonly id: RequestId; readonly result?: unknown; readonly error?: unknown };
  readonly bytes: number;
};

/**
 * Posts `initialize`, and reads its answer from the body.
 *
 * @throws Error if the answer belongs to another request, or contains no id of a connection
 */
// REM-03, REM-32
export async function initialize(
  requests: Requests,
  { id, text }: { readonly id: RequestId; readonly text: string },
  signal: AbortSignal,
): Promise<Initialized> {
  const response = await requests.post(text, {}, signal);
  if (!response.ok) throw new Error(refusalText(await requests.refusal(response)));
  const connectionId = response.headers.get(headerName.connectionId);
  if (!connectionId || connectionId.length > MAX_ID_LENGTH) {
    response.body?.cancel().catch(() => {});
    const remedy = "check that the address is one of ACP, and that a server of another origin exposes the header";
    throw new Error(`the answer has no header ${headerName.connectionId}; ${remedy}`);
  }
  const body = await readText(response, frameLimit);
  if (body.length > frameLimit) throw new Error(`the answer has more than ${frameLimit} characters`);
  const answer = answerIn(body);
  if (answer === null || typeof answer !== "object" || answer.id !== id)
    throw new Error("the answer has another id than the request");
  return { connectionId, answer, bytes: body.length };
}

/** Parses the answer. The message of the parser would contain a part of the text. */
function answerIn(body: string): Initialized["answer"] | null {
  try {
    return parseLine(body) as Initialized["answer"] | null;
  } catch {
    throw new Error("the answer is no JSON; check that the address is one of ACP");
  }
}
