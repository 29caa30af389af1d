import { RpcError } from "@turnkit/transport";

/** Person or program to which a connection belongs, as your authentication states it. Clients cannot choose it. */
export type Principal = {
  /** Id of the principal. It is never sent to a client. */
  readonly id: string;
  /** Name that the other clients of a session see. Without a name, they see no author. */
  readonly name?: string;
  /**
   * `controller` may use every method. `observer` may list and watch sessions.
   *
   * @defaultValue `"controller"`
   */
  readonly role?: "controller" | "observer";
  /**
   * Group that owns sessions. Every principal of a group sees the sessions of this group, and no others.
   *
   * @defaultValue the id of the principal, so that it does not share its sessions
   */
  readonly group?: string;
};

/** Returns the group of a principal. An id and a group of the same text are different groups. */
export const groupOf = ({ id, group }: Principal): string => (group === undefined ? `id:${id}` : `group:${group}`);

export const isObserver = ({ role }: Principal): boolean => role === "observer";

// SHARE-08
/** @throws RpcError `-32600` for an observer */
export function mustControl(principal: Principal, what: string): void {
  if (!isObserver(principal)) return;
  const { code, message } = RpcError.invalidRequest(`an observer may not ${what}`);
  throw new RpcError(code, message, { reason: "observer" });
}
