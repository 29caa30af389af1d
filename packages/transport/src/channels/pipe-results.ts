import type { NotificationMessage, RequestId, RequestMessage, ResponseMessage } from "../channel.js";
import { shown } from "../check-argument.js";

const REMEDY = "Return the whole message, such as { ...message, params }";

type Fields = { readonly [key: string]: unknown };

/**
 * Returns the value of the function `request` of a pipe.
 *
 * @throws TypeError if the value is neither a request nor a response, or has another id
 */
export function checkRewritten(
  value: RequestMessage | ResponseMessage,
  id: RequestId,
): RequestMessage | ResponseMessage {
  const { method } = fieldsOf(value);
  if (method === undefined) return checkResponse(value as ResponseMessage, id, "request");
  if (typeof method !== "string") throw new TypeError("the function `request` returned a method that is not a string");
  checkId(value, id, "request");
  return value;
}

/**
 * Returns the value of the function `response` of a pipe.
 *
 * @throws TypeError if the value is not a response, or has another id
 */
export function checkResponse(value: ResponseMessage, id: RequestId, name = "response"): ResponseMessage {
  const { method, result, error } = fieldsOf(value);
  const isError = typeof error === "object" && error !== null;
  if (method !== undefined || (result === undefined && !isError))
    throw new TypeError(
      `the function \`${name}\` returned no ${name === "response" ? "" : "request and no "}response, but ${shown(value)}. ${REMEDY}`,
    );
  checkId(value, id, name);
  return value;
}

/**
 * Returns the value of the function `notification` of a pipe. `null` drops the message.
 *
 * @throws TypeError if the value is neither a notification nor `null`
 */
export function checkNotification(value: NotificationMessage | null): NotificationMessage | undefined {
  if (value === null) return undefined;
  const { method, id } = fieldsOf(value);
  if (typeof method !== "string" || id !== undefined)
    throw new TypeError(`the function \`notification\` returned no notification, but ${shown(value)}. ${REMEDY}`);
  return value;
}

function checkId(value: object, id: RequestId, name: string): void {
  if (fieldsOf(value).id !== id) throw new TypeError(`the function \`${name}\` returned a message with another id`);
}

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
