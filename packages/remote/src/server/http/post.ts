import type { Message, RequestMessage } from "@turnkit/transport";
import { headerName, mediaType } from "../../wire/headers.js";
import { MAX_ID_LENGTH } from "../../wire/limits.js";
import { needsSession, sessionIdOf } from "../../wire/session-scope.js";
import { accepted, refuse, refuseMessage } from "../answers.js";
import type { Connection } from "../connection.js";
import type { RemoteLimits } from "../server-options.js";
import { dropBody, readBody } from "./read-body.js";
import { readMessage } from "./read-message.js";

/** Returns the message of a POST, or its refusal. */
// REM-05
export async function readPost(request: Request, limits: RemoteLimits): Promise<Message | Response> {
  const type = request.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== mediaType.json) {
    dropBody(request);
    return refuse(415, `The body is not ${mediaType.json}. Set the header Content-Type.`);
  }
  const body = await readBody(request, limits);
  if (body instanceof Response) return body;
  const message = readMessage(body);
  return "fault" in message ? refuseMessage(message.fault, message.code) : message;
}

/** Returns `true` for the request that begins a connection. */
export function isInitialize(message: Message): message is RequestMessage {
  return "method" in message && "id" in message && message.method === "initialize";
}

/** Passes a message of a connection to its agent. */
// REM-04, REM-25
export async function post(request: Request, message: Message, connection: Connection): Promise<Response> {
  if ("method" in message && message.method === "initialize")
    return refuseMessage("This connection was initialized before. Send initialize without Acp-Connection-Id.");
  const scoped = withSession(request, message);
  if (scoped instanceof Response) return scoped;
  await connection.receive(scoped.message, scoped.sessionId);
  return accepted();
}

type Scoped = { readonly message: Message; readonly sessionId: string | undefined };

/** Returns the message with the session that its header or its params name. */
// REM-08, REM-09, REM-10
function withSession(request: Request, message: Message): Scoped | Response {
  if (!("method" in message) || message.method === "$/cancel_request") return { message, sessionId: undefined };
  const header = request.headers.get(headerName.sessionId) ?? undefined;
  const named = sessionIdOf(message);
  if ((header?.length ?? 0) > MAX_ID_LENGTH || (named?.length ?? 0) > MAX_ID_LENGTH)
    return refuse(400, `The id of the session has more than ${MAX_ID_LENGTH} characters.`);
  if (header !== undefined && named !== undefined && header !== named)
    return refuse(400, `${headerName.sessionId} and params.sessionId name different sessions. Send the same id.`);
  if (!needsSession(message.method)) return { message, sessionId: named };
  const sessionId = named ?? header;
  if (sessionId === undefined)
    return refuse(400, `${message.method} names no session. Set ${headerName.sessionId} and params.sessionId.`);
  if (named !== undefined) return { message, sessionId };
  return { message: { ...message, params: { ...(message.params as object), sessionId } }, sessionId };
}
