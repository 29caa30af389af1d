/** A piece of an answer of the stand-in, in the order in which it is streamed. */
export type Part =
  | { readonly type: "say"; readonly text: string }
  | { readonly type: "think"; readonly text: string }
  | { readonly type: "call"; readonly id: string; readonly name: string; readonly input: unknown }
  /** Ends the answer; what follows is not sent. An answer without it ends as its calls demand. */
  | { readonly type: "finish"; readonly reason: FinishReason; readonly usage?: Partial<Usage> }
  /** Destroys the connection. As the first part: before a status line was written. */
  | { readonly type: "cut" };

/** `stop` and `calls` follow from the parts; the others are the provider's will. */
export type FinishReason = "stop" | "calls" | "length" | "refusal";

/** Tokens that an answer claims to have cost; {@link defaultUsage} unless said otherwise. */
export type Usage = {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly thought: number;
};

/** An error instead of an answer. */
export type Failure = {
  readonly status: number;
  readonly message: string;
  /** Value of the header: seconds or a date. */
  readonly retryAfter?: string;
};

/** Whole body of a streamed answer, as it goes over the wire. */
export type Frames = { readonly frames: string };

/** Request as the stand-in understood it, with all of it as it came. */
export type ReceivedRequest = {
  readonly wire: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, any>>;
  readonly model: string;
  readonly streams: boolean;
  /** Names of the tools that the model may call. */
  readonly tools: readonly string[];
  /** Results of the tools that were called last; empty when the last message is a prompt. */
  readonly results: readonly string[];
  /** The text of the last message that a person wrote. */
  readonly prompt: string;
  /** The key that came along, wherever the format puts it. */
  readonly key: string | undefined;
  /** Settles when the answer was sent whole, or the client went away before: tells which. */
  readonly over: Promise<"answered" | "dropped">;
};

/**
 * Reaction of the stand-in to one request. Parts of an async iterable are sent as they come, so waiting in it makes a
 * slow stream. A function gets the request first.
 */
export type Step =
  | Failure
  | Frames
  | readonly Part[]
  | AsyncIterable<Part>
  | ((request: ReceivedRequest) => Exclude<Step, (...args: never[]) => unknown>);

/** Usage of an answer that states none. */
export const defaultUsage: Usage = { input: 100, cached: 20, output: 10, thought: 0 };

/** Text of the answer; streamed word by word. */
export const say = (text: string): Part => ({ type: "say", text });

/** Reasoning, where the wire format has it. */
export const think = (text: string): Part => ({ type: "think", text });

/** A tool call; its input is streamed in pieces. */
export const call = (name: string, input: unknown, id = `${name}_${++serial}`): Part => ({
  type: "call",
  id,
  name,
  input,
});

/** The end of an answer, where it is not the one that follows from the parts, or costs something else. */
export const finish = (reason: FinishReason, usage: Partial<Usage> = {}): Part => ({ type: "finish", reason, usage });

/** A whole answer in the form of the wire: events with their names, or without them. */
export const frames = (events: readonly { readonly [member: string]: unknown }[]): Frames => ({
  frames: events
    .map((data) => `${typeof data.type === "string" ? `event: ${data.type}\n` : ""}data: ${JSON.stringify(data)}\n\n`)
    .join(""),
});

/** The end of the connection in the middle of an answer. */
export const cut: Part = { type: "cut" };

/** An error with a status, such as 429 with the seconds to wait. */
export const fail = (status: number, message: string, retryAfter?: string): Failure => ({
  status,
  message,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

let serial = 0;
