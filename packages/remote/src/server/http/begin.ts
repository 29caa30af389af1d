import type { RequestMessage, ResponseMessage } from "@turnkit/transport";
import { serialise } from "@turnkit/transport/channels";
import { headerName, mediaType } from "../../wire/headers.js";
import { refuse, refuseFull, refuseMuch } from "../answers.js";
import type { Connections } from "../connections.js";
import { tooMuch } from "../holdings.js";
import type { Principal } from "../server-options.js";
import type { Settings } from "../settings.js";

/** Opens a connection for `initialize`, and returns the answer of the agent. */
// REM-03
export async function begin<P extends Principal>(
  { signal }: Request,
  { message, size }: { readonly message: RequestMessage; readonly size: number },
  parts: { readonly connections: Connections<P>; readonly settings: Settings; readonly principal: P },
): Promise<Response> {
  const id = crypto.randomUUID();
  const { connections, settings, principal } = parts;
  const { held } = settings;
  let full = held.refusal(principal.id, size);
  if (full !== undefined) return refuseMuch(full);
  // The client's message waits until the agent is opened.
  const holding = held.hold(principal.id, (bound) => {
    full = bound;
    holding.end();
  });
  holding.add(size);
  const connection = await connections.open(id, principal, false);
  holding.end();
  if (full !== undefined && typeof connection === "object") connection.end(tooMuch);
  if (full !== undefined) return refuseMuch(full);
  if (typeof connection === "string") return refuseFull(connection);
  if (connection === undefined) return refuse(502, "The agent could not be started.");
  const leave = () => connection.end({ code: 1000, reason: "The client has gone." });
  signal.addEventListener("abort", leave);
  const answer = await new Promise<ResponseMessage | undefined>((resolve) => {
    connection.initialize({ message, size }, resolve);
    if (signal.aborted) leave();
  });
  signal.removeEventListener("abort", leave);
  if (answer === undefined) return refuse(502, "The agent did not answer initialize, or ended.");
  // After a refusal, the client may send another `initialize`.
  if ("error" in answer) leave();
  return new Response(serialise(answer), {
    headers: { "Content-Type": mediaType.json, [headerName.connectionId]: id },
  });
}
