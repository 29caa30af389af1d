import { redactText } from "@turnkit/transport/trace";
import { cut } from "../render/line.js";
import { judgeContact } from "./contact-checks.js";
import type { DoctorCheck, Finding } from "./doctor-check.js";
import { type Contact, resultOf, wantsLogin } from "./first-contact.js";

/** Result of an examination, and the document that `--json` prints. */
export type Report = {
  /** Command of the agent, or its address. */
  readonly command: readonly string[];
  readonly agent?: { readonly name: string; readonly version: string };
  /** Dialect: `v1`, `v2` or `seed`. */
  readonly protocol?: string;
  /** Milliseconds from the start until both sides agreed on a version. */
  readonly startMs?: number;
  /** `not needed` means that the agent opened a session without a login. */
  readonly login: "not needed" | "needed" | "unknown";
  readonly logins: readonly string[];
  readonly capabilities: readonly string[];
  /** `true` if a signal ended the examination. Checks may then be `untested` for this reason. */
  readonly interrupted?: true;
  readonly problems: number;
  readonly hints: number;
  readonly checks: readonly DoctorCheck[];
};

export function createReport(
  command: readonly string[],
  contact: Contact,
  results: readonly DoctorCheck[] = [],
): Report {
  const peer = resultOf(contact.start);
  const checks = [...judgeContact(contact), ...results].map(bounded);
  const count = (severity: Finding["severity"]) =>
    checks.filter((one) => one.result === "finding" && one.severity === severity).length;
  return {
    command,
    agent: peer && { name: peer.info.name, version: peer.info.version },
    protocol: peer?.dialect,
    startMs: contact.start?.status === "done" ? Math.round(contact.start.ms) : undefined,
    login: loginState(contact),
    logins: peer?.authMethods.map(({ name }) => name) ?? [],
    capabilities: peer === undefined ? [] : capabilityNames(peer.capabilities),
    ...{ problems: count("problem"), hints: count("hint"), checks },
  };
}

/** Maximum length of a finding, in characters. An agent may answer with an error of many megabytes. */
const MAX_FINDING = 4000;

/** Returns a check whose text has no secrets, and at most its maximum length. */
function bounded(check: DoctorCheck): DoctorCheck {
  if (check.result !== "finding") return check;
  return { ...check, seen: cut(redactText(check.seen.slice(0, 2 * MAX_FINDING)), MAX_FINDING) };
}

function loginState({ newSession }: Contact): Report["login"] {
  if (newSession?.status === "done") return "not needed";
  return wantsLogin(newSession) ? "needed" : "unknown";
}

/** Returns the names of all capabilities whose value is `true`. */
function capabilityNames({ _meta, ...capabilities }: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(capabilities).flatMap(([name, value]) => {
    if (value === true) return name === "sessions" ? [] : [name];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([part, is]) => (is === true ? [`${name}.${part}`] : []));
  });
}
