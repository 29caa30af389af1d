/** Case of the matrix: a client that sends one message about one session. */
export type Cell = {
  readonly dialect: "v1" | "v2" | "seed";
  readonly method: string;
  readonly isObserver: boolean;
  /** True if the session belongs to the group of the client. */
  readonly isMember: boolean;
  /**
   * - `attached`: it is open, and the client has attached to it, if it may.
   * - `restored`: the same, and the agent does not have it.
   * - `live`: it is open, and the client has not attached to it.
   * - `stored`: only the log has it.
   */
  readonly session: "attached" | "restored" | "live" | "stored" | "unknown";
};

/** Answer to a message, and what reaches the agent. */
export type Outcome = {
  /** `ok`, the code of the error with its reason, or `none` for a notification. */
  readonly answer: string;
  /** Methods that the agent hears, if it hears any. */
  readonly heard?: string;
};

const OBSERVER: Outcome = { answer: "-32600 observer" };
const UNKNOWN: Outcome = { answer: "-32002" };
const ok = (heard?: string): Outcome => ({ answer: "ok", ...(heard && { heard }) });

const isAttached = ({ isMember, session }: Cell): boolean =>
  isMember && (session === "attached" || session === "restored");

/** Everybody of the group may. */
const read = (cell: Cell): Outcome => (cell.isMember && cell.session !== "unknown" ? ok() : UNKNOWN);

/** Controllers may, without a session. */
const account =
  (heard: string) =>
  ({ isObserver }: Cell): Outcome =>
    isObserver ? OBSERVER : ok(heard);

/** Controllers that have attached may. */
const use =
  (heard: string) =>
  (cell: Cell): Outcome => {
    if (cell.isObserver) return OBSERVER;
    return isAttached(cell) ? ok(heard) : UNKNOWN;
  };

/** Version 2 says that closing a session which is not open succeeds. An observer only leaves. */
function close(cell: Cell): Outcome {
  if (!isAttached(cell)) return cell.dialect === "v2" ? ok() : UNKNOWN;
  return ok(cell.isObserver || cell.session === "restored" ? undefined : "session/close");
}

/** Deleting what is not there succeeds, and a session of another group is not there. */
function remove({ isObserver, isMember, session }: Cell): Outcome {
  if (isObserver) return OBSERVER;
  if (!isMember || session === "unknown") return ok();
  return ok(session === "live" || session === "attached" ? "session/close session/delete" : "session/delete");
}

function cancel(cell: Cell): Outcome {
  const reaches = !cell.isObserver && cell.isMember && cell.session === "attached";
  return { answer: "none", ...(reaches && { heard: "session/cancel" }) };
}

const list = ({ isMember, session }: Cell): Outcome => ({
  answer: isMember && session !== "unknown" ? "ok, listed" : "ok",
});

/** Methods of other versions, which the contract of seed has and its clients do not get. */
const notInSeed = [
  "session/set_mode",
  "session/set_model",
  "auth/login",
  "auth/logout",
  "tool_call/cancel",
  "terminal/cancel",
];

/** Rule of each method that a client can send. */
const rules: Readonly<Record<string, (cell: Cell) => Outcome>> = {
  // The server of remote has a connection for each `initialize`.
  initialize: () => ({ answer: "-32600" }),
  authenticate: account("auth/login"),
  logout: account("auth/logout"),
  "auth/login": account("auth/login"),
  "auth/logout": account("auth/logout"),
  "session/new": account("session/new"),
  "session/list": list,
  "session/load": read,
  "session/resume": read,
  "session/prompt": use("session/prompt"),
  "session/set_mode": use("session/set_config_option"),
  "session/set_model": use("session/set_config_option"),
  "session/set_config_option": use("session/set_config_option"),
  "tool_call/cancel": use("tool_call/cancel"),
  "terminal/cancel": use("terminal/cancel"),
  "session/close": close,
  "session/delete": remove,
  "session/cancel": cancel,
  "$/cancel_request": () => ({ answer: "none" }),
};

/** @throws Error for a method without a rule */
export function ruleOf(cell: Cell): Outcome {
  if (cell.dialect === "seed" && notInSeed.includes(cell.method)) return { answer: "-32601" };
  const rule = rules[cell.method];
  if (rule === undefined) throw new Error(`The table has no rule for ${cell.method}.`);
  return rule(cell);
}
