import type { RequestMessage, ResponseMessage } from "@turnkit/transport";
import { PACKED_KEY } from "../wire/packed.js";
import { CONNECTION_ID_KEY, RESUMABLE_KEY, type Resumable } from "../wire/resumption.js";
import type { RetentionOptions } from "./server-options.js";

type Fields = { readonly [key: string]: unknown };

/** Returns `true` if a client asks for a resumable connection. */
// REM-39
export function asksResumption({ params }: RequestMessage): boolean {
  return fieldsOf(fieldsOf(params)._meta)[RESUMABLE_KEY] === true;
}

/** Returns `true` if a client asks for packed frames. */
export function asksPacked({ params }: RequestMessage): boolean {
  return fieldsOf(fieldsOf(params)._meta)[PACKED_KEY] === true;
}

/** Returns `initialize` for the agent, without the questions about resumption and packed frames. */
export function withoutQuestions(message: RequestMessage): RequestMessage {
  const params = fieldsOf(message.params);
  const { [RESUMABLE_KEY]: _, [PACKED_KEY]: __, ...meta } = fieldsOf(params._meta);
  const { _meta, ...others } = params;
  return { ...message, params: Object.keys(meta).length === 0 ? others : { ...others, _meta: meta } };
}

/** Offers of a server that resumes. `connectionId` is for a WebSocket. */
export type Offer = {
  readonly retention: RetentionOptions;
  readonly connectionId: string | undefined;
  readonly isPacked: boolean;
};

/** Returns the answer of `initialize` with the offers of resumption and of packed frames. */
// REM-39
export function withOffer(
  answer: ResponseMessage,
  { retention: { messages, seconds }, connectionId, isPacked }: Offer,
): ResponseMessage {
  if (!("result" in answer)) return answer;
  const result = fieldsOf(answer.result);
  const capabilities = fieldsOf(result.capabilities);
  const resumable: Resumable = { retentionMessages: messages, retentionSeconds: seconds };
  const transport = { ...fieldsOf(capabilities.transport), resumable };
  const meta = {
    ...(connectionId !== undefined && { [CONNECTION_ID_KEY]: connectionId }),
    ...(isPacked && { [PACKED_KEY]: true }),
  };
  return {
    ...answer,
    result: {
      ...result,
      capabilities: { ...capabilities, transport },
      ...(Object.keys(meta).length > 0 && { _meta: { ...fieldsOf(result._meta), ...meta } }),
    },
  };
}

/** Returns `{}` for every value except objects. The members of a long list would be copied one by one. */
const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
