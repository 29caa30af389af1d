import type { RequestMessage, ResponseMessage } from "@turnkit/transport";
import { CONNECTION_ID_KEY, RESUMABLE_KEY, type Resumable } from "../wire/resumption.js";
import type { RetentionOptions } from "./server-options.js";

type Fields = { readonly [key: string]: unknown };

/** Returns `true` if a client asks for a resumable connection. */
// REM-39
export function asksResumption({ params }: RequestMessage): boolean {
  return fieldsOf(fieldsOf(params)._meta)[RESUMABLE_KEY] === true;
}

/** Returns `initialize` for the agent, without the question about resumption. */
export function withoutQuestion(message: RequestMessage): RequestMessage {
  const params = fieldsOf(message.params);
  const { [RESUMABLE_KEY]: _, ...meta } = fieldsOf(params._meta);
  const { _meta, ...others } = params;
  return { ...message, params: Object.keys(meta).length === 0 ? others : { ...others, _meta: meta } };
}

/** Returns the answer of `initialize` with the offer of resumption. `connectionId` is for a WebSocket. */
// REM-39
export function withOffer(
  answer: ResponseMessage,
  { messages, seconds }: RetentionOptions,
  connectionId?: string,
): ResponseMessage {
  if (!("result" in answer)) return answer;
  const result = fieldsOf(answer.result);
  const capabilities = fieldsOf(result.capabilities);
  const resumable: Resumable = { retentionMessages: messages, retentionSeconds: seconds };
  const transport = { ...fieldsOf(capabilities.transport), resumable };
  const meta = { ...fieldsOf(result._meta), [CONNECTION_ID_KEY]: connectionId };
  return {
    ...answer,
    result: {
      ...result,
      capabilities: { ...capabilities, transport },
      ...(connectionId !== undefined && { _meta: meta }),
    },
  };
}

/** Returns `{}` for every value except objects. The members of a long list would be copied one by one. */
const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
