/** Names under which a session is stored. */
export type SessionNames = {
  /** Subject of the events. */
  readonly events: string;
  /** Subject of the snapshots. */
  readonly snapshots: string;
  /** Key of the owner and of the manifest. */
  readonly key: string;
};

/** Layout of the storage of an engine. */
export type Layout = {
  /** Beginning of all names. */
  readonly name: string;
  readonly tenant: string;
  /** Number of streams among which the sessions are spread. */
  readonly streams: number;
  /** Returns a hash as hexadecimal digits. */
  readonly hash: (text: string) => Promise<string>;
};

/** Number of hexadecimal digits of a hash in a name. */
const DIGITS = 40;

/** Returns the first digits of the SHA-256 of a text. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .slice(0, DIGITS);
}

/** Returns the names of a session. Ids of sessions may have characters that subjects cannot have. */
// NATS-01
export async function namesOf({ name, tenant, streams, hash }: Layout, sessionId: string): Promise<SessionNames> {
  // As JSON, halves of surrogate pairs stay different.
  const digits = await hash(JSON.stringify(sessionId));
  const stream = Number.parseInt(digits.slice(0, 8), 16) % streams;
  const subject = `${name}.${tenant}.${stream}.${digits}`;
  return { events: `${subject}.ev`, snapshots: `${subject}.sn`, key: `${tenant}.${digits}` };
}

/** Returns a tenant as a part of subjects: `t-` and the name, or `h-` and its hash if the name has other characters. */
export const tenantOf = async (name: string, hash: Layout["hash"]): Promise<string> =>
  /^[A-Za-z0-9_-]{1,64}$/.test(name) ? `t-${name}` : `h-${await hash(JSON.stringify(name))}`;
