import type { Message } from "@turnkit/transport";
import { headerName, mediaType } from "../../wire/headers.js";
import { isRestore, needsSession, sessionIdOf } from "../../wire/session-scope.js";
import { accepted, refuse, refuseConflict, refuseLongIds, refuseMessage } from "../answers.js";
import type { Connection } from "../connection.js";
import type { ClientCall } from "../open-requests.js";
import { readMessage } from "../read-message.js";
import type { Settings } from "../settings.js";
import { readBody } from "./read-body.js";

/** Message of a POST, and its number of characters. */
export type Posted = { readonly message: Message; readonly size: number };

/** Returns the message of a POST, or its refusal. */
// REM-05
export async function readPost(request: Request, owner: string, settings: Settings): Promise<Posted | Response> {
  const type = request.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== mediaType.json) return refuse(415, `The body is not ${mediaType.json}. Set the header Content-Type.`);
  const body = await readBody(request, owner, settings);
  if (body instanceof Response) return body;
  const message = readMessage(body);
  return "fault" in message ? refuseMessage(message.fault, message.code) : { message, size: body.length };
}

/** Passes a message of a connection to its agent. */
// REM-04, REM-25
export async function post(request: Request, { message, size }: Posted, connection: Connection): Promise<Response> {
  if ("method" in message && message.method === "initialize")
    return refuseMessage("This connection was initialized before. Send initialize without Acp-Connection-Id.");
  const named = withSession(request, message);
  if (named instanceof Response) return named;
  const call = { ...named, size };
  const place = placeOf(request, connection);
  if (place instanceof Response) return place;
  const refusal = refusalOf(call, connection);
  if (refusal !== undefined) return refusal;
  if (place === "numbered") connection.received += 1;
  await connection.receive(call);
  return accepted();
}

/**
 * Returns how to handle a numbered POST: the POST with the next number is handled, and a repeated one is accepted
 * without effect.
 */
// REM-49
function placeOf(request: Request, connection: Connection): "numbered" | undefined | Response {
  const text = request.headers.get(headerName.messageNumber);
  if (text === null || !connection.isResumable) return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    return refuse(400, `${headerName.messageNumber} is not an integer of at least 1.`);
  if (number <= connection.received) return accepted();
  return number === connection.received + 1 ? "numbered" : refuseConflict({ reason: "message_gap" });
}

/** Returns the refusal of a request that the agent must not get. */
function refusalOf(call: ClientCall, connection: Connection): Response | undefined {
  const { message, sessionId } = call;
  const { streams, holdings } = connection;
  const { requests } = holdings;
  if (!("method" in message) || !("id" in message) || requests.isRepeated(call)) return undefined;
  if (requests.isInUse(call)) return refuseMessage("The id of the request is in use. Use each id once.");
  if (!holdings.hasRoom(call))
    return refuse(429, "Requests without an answer are too many or too large. Wait for answers, and send it again.");
  const stream = sessionId === undefined ? undefined : streams.find(sessionId);
  if (!stream?.hasFailed) return undefined;
  // REM-23
  if (!isRestore(message.method)) return refuseConflict({ reason: "unread_dropped" });
  stream.hasFailed = false;
  return undefined;
}

/** Returns the message with the session that its header or its params name. */
// REM-08, REM-09, REM-10
function withSession(request: Request, message: Message): Omit<ClientCall, "size"> | Response {
  if (!("method" in message) || message.method === "$/cancel_request") return { message, sessionId: undefined };
  const header = request.headers.get(headerName.sessionId) ?? undefined;
  const named = sessionIdOf(message);
  const tooLong = refuseLongIds(header, named);
  if (tooLong !== undefined) return tooLong;
  if (header !== undefined && named !== undefined && header !== named)
    return refuse(400, `${headerName.sessionId} and params.sessionId name different sessions. Send the same id.`);
  if (!needsSession(message.method)) return { message, sessionId: named };
  const sessionId = named ?? header;
  if (sessionId === undefined)
    return refuse(400, `${message.method} names no session. Set ${headerName.sessionId} and params.sessionId.`);
  if (named !== undefined) return { message, sessionId };
  const { params = {} } = message;
  // Copying a long text or list would create a member for each of its parts.
  if (typeof params !== "object" || Array.isArray(params)) return refuseMessage("The params are not an object.");
  return { message: { ...message, params: { ...params, sessionId } }, sessionId };
}
