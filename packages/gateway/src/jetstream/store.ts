/** Message of a subject, with its sequence in the stream. */
export type StoredMessage = { readonly sequence: number; readonly data: Uint8Array };

/** Position of a message in its subject, and an id by which the server recognises a repeated message. */
export type MessagePosition = {
  readonly id: string;
  /** Sequence of the message before this one. 0 for the first message of the subject. */
  readonly after: number;
};

/** Ordered messages of many subjects. Sequences grow and are never repeated. */
export interface Subjects {
  /** Largest message, in bytes. */
  readonly maxBytes: number;
  /**
   * Appends a message, and returns its sequence. After any other failure than a {@link StoreFault}, the message may be stored.
   *
   * @throws StoreFault `refused` if the last message of the subject is another one than `after`
   */
  append(subject: string, data: Uint8Array, place: MessagePosition): Promise<number>;
  /** Returns the last message of a subject, as the leader of the stream has stored it. */
  last(subject: string): Promise<StoredMessage | undefined>;
  /** Returns the first message of a subject whose sequence is `from` or larger. */
  next(subject: string, from: number): Promise<StoredMessage | undefined>;
  /** Removes the messages of a subject whose sequences are smaller than `before`. */
  purge(subject: string, before: number): Promise<void>;
}

/** Value of a key. Each change has a larger revision than all changes before it, of any key. */
export type StoredValue = { readonly revision: number; readonly text: string };

/** Values by key. Only a process that has read the newest revision can change a value. */
export interface Values {
  /** Returns the value, as the leader of the stream has stored it. */
  get(key: string): Promise<StoredValue | undefined>;
  /**
   * Replaces a value, and returns the new revision. `revision` is 0 for a key without a value. After any other failure than a
   * {@link StoreFault}, the value may be stored.
   *
   * @throws StoreFault `refused` if the value has another revision
   */
  put(key: string, text: string, revision: number): Promise<number>;
  /** @throws StoreFault `refused` if the value has another revision */
  remove(key: string, revision: number): Promise<void>;
  /** Returns all values whose keys begin with `prefix`. */
  all(prefix: string): AsyncIterable<StoredValue>;
  /**
   * Calls `seen` for each revision of such a key. Calls may be late. The revision is `undefined` after the end of a
   * value.
   */
  watch(prefix: string, seen: (key: string, revision: number | undefined) => void): void;
}

/** Time of this process. It never goes back. */
export interface Clock {
  /** Returns milliseconds since any moment. */
  now(): number;
  /** Calls `run` later. Returns the function that prevents this. */
  after(ms: number, run: () => void): () => void;
}

/** Storage of an engine. */
export type Store = {
  readonly subjects: Subjects;
  /** Owners of the open sessions. */
  readonly owners: Values;
  /** Manifests of all sessions. */
  readonly manifests: Values;
};

/** Failure of a request that certainly has stored nothing. */
export abstract class StoreFault extends Error {
  abstract readonly kind: "refused" | "final";
}

/** Failure of a request because another process was faster. */
export class RefusedFault extends StoreFault {
  readonly kind = "refused";
}

/** Failure of a request that would fail again. */
export class FinalFault extends StoreFault {
  readonly kind = "final";
}

/** Returns true for a {@link StoreFault} of this kind. */
export const isStoreFault = (error: unknown, kind: StoreFault["kind"]): boolean =>
  error instanceof StoreFault && error.kind === kind;
