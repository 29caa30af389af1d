import type { DoctorCheck, Finding } from "./doctor-check.js";
import { type Contact, failureOf, resultOf, seconds, wantsLogin } from "./first-contact.js";

/** Row of the doctor's own table. Its faults are problems unless the row has another severity. */
type ContactCheck = Partial<Pick<Finding, "severity">> & {
  /** Id of the check for scripts. It never changes. */
  readonly id: string;
  /** Sentence that is true if the check finds nothing. */
  readonly title: string;
  readonly advice: string;
  /** Returns `false` if the contact ended earlier. */
  readonly tested: (contact: Contact) => boolean;
  readonly seen: (contact: Contact) => string | undefined;
};

/** Milliseconds that an agent may take to answer `initialize`. */
const SLOW_START = 5000;

/** Checks of the first contact: everything that prevents a conversation with this client. */
export const contactChecks: readonly ContactCheck[] = [
  {
    id: "starts",
    title: "starts and agrees on a version",
    advice:
      "Try the command in a shell: it must wait for JSON lines on stdin. Many agents need an argument such as --acp.",
    tested: ({ start }) => start !== undefined,
    seen: ({ start }) => failureOf(start),
  },
  {
    id: "start-time",
    title: "starts soon",
    severity: "hint",
    advice:
      "Answer initialize first and load models, indexes and servers afterwards. A package runner adds its own time.",
    tested: ({ start }) => start?.status === "done",
    seen: ({ start: { ms } = { ms: 0 } }) =>
      ms <= SLOW_START ? undefined : `${seconds(ms)} from its start to the answer to initialize`,
  },
  {
    id: "login",
    title: "offers a login method if it requires a login",
    advice: "List the login methods as authMethods in the answer to initialize.",
    tested: ({ newSession }) => newSession !== undefined,
    seen: ({ start, newSession }) => {
      if (!wantsLogin(newSession) || (resultOf(start)?.authMethods.length ?? 0) > 0) return undefined;
      return "it refuses a session without a login (-32000), but offers no login method";
    },
  },
  {
    id: "new-session",
    title: "opens a session",
    advice:
      "session/new with a cwd and an empty mcpServers has to work in any folder. A missing login is the error -32000.",
    tested: ({ newSession }) => newSession !== undefined && !wantsLogin(newSession),
    seen: ({ newSession }) => failureOf(newSession),
  },
  {
    id: "own-reports",
    title: "names no mistakes of its own on stderr",
    severity: "hint",
    advice: "turnkit inside the agent wrote these lines. Each describes a wrong use of its API.",
    tested: ({ start, isLocal }) => resultOf(start) !== undefined && isLocal,
    seen: ({ ownReports }) => ownReports.join("\n") || undefined,
  },
];

export function judgeContact(contact: Contact): readonly DoctorCheck[] {
  return contactChecks.map(({ id, title, severity = "problem", advice, tested, seen: look }) => {
    if (!tested(contact)) return { id, title, result: "untested" };
    const seen = look(contact);
    return seen === undefined
      ? { id, title, result: "fine" }
      : { id, title, result: "finding", severity, advice, seen };
  });
}
