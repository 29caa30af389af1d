import type { SessionTarget } from "@turnkit/react";

/** Takes the one-time token out of the fragment of an address. `rest` is the fragment without it. */
export function readToken(hash: string): { readonly token: string | undefined; readonly rest: string } {
  const members = new URLSearchParams(hash.slice(1));
  const token = members.get("token") ?? undefined;
  members.delete("token");
  const rest = members.toString();
  return { token, rest: rest && `#${rest}` };
}

/** Returns the fragment that opens a session, also on another device. */
export function fragmentOf({ sessionId, cwd }: { readonly sessionId: string; readonly cwd: string }): string {
  return `#${new URLSearchParams({ session: sessionId, folder: cwd })}`;
}

/** Returns the session of a fragment, or `undefined` if it has none. */
export function targetIn(hash: string): SessionTarget | undefined {
  const members = new URLSearchParams(hash.slice(1));
  const sessionId = members.get("session");
  const cwd = members.get("folder");
  return sessionId && cwd ? { sessionId, cwd } : undefined;
}
