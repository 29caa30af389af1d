import type { Session } from "@turnkit/client";
import { readUIMessageStream } from "ai";
import { readUIMessageStream as readWithVersion7 } from "ai-7";
import { expect } from "vitest";
import { type AcpChunk, type AcpUIMessage, type ChatTransportOptions, createChatTransport } from "../src/index.js";
import { partsOf } from "../src/message-from-chunks.js";

type Parts = AcpUIMessage["parts"];

/** A stream that is read chunk by chunk, and what the readers of the AI SDK make of it. */
export type Reading = {
  readonly chunks: readonly AcpChunk[];
  /** Settles with the message when the stream has ended. */
  readonly done: Promise<Result>;
};

export type Result = {
  readonly message: AcpUIMessage;
  readonly chunks: readonly AcpChunk[];
  readonly errors: readonly string[];
  /** Chunks at the end that do not belong to the message. */
  readonly finish: AcpChunk | undefined;
};

/** Reads a stream, and checks that the readers of versions 6 and 7, and the own one, make the same message of it. */
export function read(stream: ReadableStream<AcpChunk>, message?: AcpUIMessage): Reading {
  const chunks: AcpChunk[] = [];
  const collected = (async () => {
    for await (const chunk of stream as unknown as AsyncIterable<AcpChunk>) chunks.push(chunk);
    return readAgain(chunks, message);
  })();
  collected.catch(() => undefined);
  return { chunks, done: collected };
}

async function readAgain(chunks: readonly AcpChunk[], message: AcpUIMessage | undefined): Promise<Result> {
  const six = await lastOf(readUIMessageStream, chunks, message);
  const seven = await lastOf(readWithVersion7 as never, chunks, message);
  expect(seven).toEqual(six);
  if (message === undefined) expect(plain(partsOf(chunks))).toEqual(six.message.parts);
  return { ...six, chunks, finish: chunks.findLast(({ type }) => type === "finish") };
}

async function lastOf(reader: typeof readUIMessageStream, chunks: readonly AcpChunk[], start?: AcpUIMessage) {
  const errors: string[] = [];
  const stream = new ReadableStream<AcpChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(structuredClone(chunk));
      controller.close();
    },
  });
  let message = start ?? { id: "", role: "assistant", parts: [] };
  const onError = (error: unknown) => void errors.push((error as Error).message);
  for await (const now of reader<AcpUIMessage>({ stream, onError, message: structuredClone(start) })) message = now;
  return { message: plain(message), errors };
}

/** Leaves out members that are undefined. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** A chat with a session, as `useChat` runs it. */
export function chatOver(session: Session | ((chatId: string) => Session), options: ChatTransportOptions = {}) {
  const transport = createChatTransport(session, options);
  const fixed = { chatId: "chat", messageId: undefined };
  const send = async (messages: AcpUIMessage[], abortSignal?: AbortSignal) =>
    (await transport.sendMessages({
      ...fixed,
      trigger: "submit-message",
      messages,
      abortSignal,
    })) as ReadableStream<AcpChunk>;
  return {
    transport,
    send,
    ask: async (text: string, signal?: AbortSignal) => read(await send([user(text)], signal)),
    /** Responds to the approvals of a message, and reads its continuation. */
    respond: async (message: AcpUIMessage, approved: boolean, reason?: string) => {
      const responded = { ...message, parts: message.parts.map((part) => respondedTo(part, approved, reason)) };
      return read(await send([user("Hi"), responded]), responded);
    },
    reconnect: async () => {
      const stream = (await transport.reconnectToStream({ chatId: "chat" })) as ReadableStream<AcpChunk> | null;
      return stream && read(stream);
    },
  };
}

function respondedTo(part: Parts[number], approved: boolean, reason?: string): Parts[number] {
  if (part.type !== "dynamic-tool" || part.state !== "approval-requested") return part;
  return { ...part, state: "approval-responded", approval: { id: part.approval.id, approved, reason } };
}

/** A message of the user. */
export function user(text: string, ...parts: Parts): AcpUIMessage {
  return { id: "u", role: "user", parts: [...parts, { type: "text", text }] };
}

/** A short form of parts, for tables. */
export function shortly({ parts }: Pick<AcpUIMessage, "parts">): string[] {
  return parts.map((part) => {
    if (part.type === "text" || part.type === "reasoning") return `${part.type} ${part.state}: ${part.text}`;
    if (part.type === "dynamic-tool") return `${part.toolName} ${part.state}${isPreliminary(part) ? " so far" : ""}`;
    return "id" in part ? `${part.type} ${part.id}` : part.type;
  });
}

const isPreliminary = (part: object): boolean => "preliminary" in part && part.preliminary === true;
