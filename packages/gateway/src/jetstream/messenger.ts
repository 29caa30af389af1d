/**
 * Messages between processes, without storage. A message reaches only the current listeners. Without a listener, the
 * message is lost.
 */
export interface Messenger {
  /** Largest message, in bytes. */
  readonly maxBytes: number;
  /** Sends a message. The messages of one process to one subject arrive in order. */
  send(subject: string, data: Uint8Array): void;
  /** Listens to a subject. Returns a function that removes the listener. `answer` answers a request. */
  listen(subject: string, receive: (data: Uint8Array, answer: (data: Uint8Array) => void) => void): () => void;
  /** Sends a request, and returns the answer. Rejects if nobody listens, or after the time. */
  ask(subject: string, data: Uint8Array, timeoutMs: number): Promise<Uint8Array>;
}
