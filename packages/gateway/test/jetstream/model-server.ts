import { decodeLogMessage } from "../../src/jetstream/log-message.js";
import { RefusedFault, type StoredMessage, type StoredValue } from "../../src/jetstream/store.js";

type Kept = StoredMessage & { readonly id: string };

/** Streams and buckets of a server in memory, with the rules of JetStream. */
export class ModelServer {
  readonly values = { owners: new ModelBucket(), manifests: new ModelBucket() };
  /** Process that has written each epoch. */
  readonly writers = new Map<string, number>();
  readonly broken: string[] = [];
  #sequence = 0;
  readonly #subjects = new Map<string, Kept[]>();
  #ids = new Map<string, number>();

  append(subject: string, data: Uint8Array, { id, after, by }: { id: string; after: number; by: number }): number {
    const known = this.#ids.get(id);
    if (known !== undefined) return known;
    const messages = this.#messages(subject);
    if ((messages.at(-1)?.sequence ?? 0) !== after) throw new RefusedFault("wrong last sequence");
    this.#sequence += 1;
    messages.push({ sequence: this.#sequence, data, id });
    this.#ids.set(id, this.#sequence);
    this.#note(subject, data, by);
    return this.#sequence;
  }

  last = (subject: string): StoredMessage | undefined => this.#messages(subject).at(-1);

  next = (subject: string, from: number): StoredMessage | undefined =>
    this.#messages(subject).find(({ sequence }) => sequence >= from);

  purge(subject: string, before: number): void {
    this.#subjects.set(
      subject,
      this.#messages(subject).filter(({ sequence }) => sequence >= before),
    );
  }

  /** Forgets which ids were seen, as after the window for duplicates. */
  restart(): void {
    this.#ids = new Map();
  }

  #messages(subject: string): Kept[] {
    const messages = this.#subjects.get(subject) ?? [];
    this.#subjects.set(subject, messages);
    return messages;
  }

  // NATS-12
  #note(subject: string, data: Uint8Array, by: number): void {
    const { epoch } = decodeLogMessage(data).head;
    const before = this.#messages(subject).at(-2);
    const isLog = subject.endsWith(".ev");
    if (isLog && before !== undefined && decodeLogMessage(before.data).head.epoch > epoch)
      this.broken.push(`epoch ${epoch} came late`);
    const writer = this.writers.get(`${subject} ${epoch}`) ?? by;
    this.writers.set(`${subject} ${epoch}`, writer);
    if (writer !== by) this.broken.push(`two owners have written epoch ${epoch}`);
  }
}

/** Bucket of values by key. A removed value keeps its revision. */
export class ModelBucket {
  readonly #values = new Map<string, { readonly revision: number; readonly text: string | undefined }>();
  readonly watchers = new Set<(key: string, revision: number | undefined) => void>();
  #revision = 0;

  get(key: string): StoredValue | undefined {
    const found = this.#values.get(key);
    return found?.text === undefined ? undefined : { revision: found.revision, text: found.text };
  }

  put(key: string, text: string | undefined, revision: number): number {
    if ((this.get(key)?.revision ?? 0) !== revision) throw new RefusedFault("wrong last revision");
    this.#revision += 1;
    this.#values.set(key, { revision: this.#revision, text });
    for (const seen of this.watchers) seen(key, text === undefined ? undefined : this.#revision);
    return this.#revision;
  }

  all(prefix: string): StoredValue[] {
    return [...this.#values.keys()].filter((key) => key.startsWith(prefix)).flatMap((key) => this.get(key) ?? []);
  }
}
