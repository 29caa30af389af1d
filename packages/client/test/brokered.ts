import { type AuditEvent, createPermissionBroker, type PermissionBrokerOptions } from "../src/broker/index.js";
import { OPTIONS, openSession, type RawAgent } from "./raw-agent.js";

export const selected = (optionId: string) => ({ result: { outcome: { outcome: "selected", optionId } } });
export const cancelled = { result: { outcome: { outcome: "cancelled" } } };
export const ALWAYS = [
  { optionId: "ever", name: "Always", kind: "allow_always" },
  ...OPTIONS,
  { optionId: "never", name: "Never", kind: "reject_always" },
];

/** A permission question as version 1 asks it. */
export type Asking = { readonly toolCall?: object; readonly options?: readonly object[]; readonly sessionId?: string };
export function question(agent: RawAgent, id: string, { toolCall, options = OPTIONS, sessionId = "s-1" }: Asking = {}) {
  agent.request(id, "session/request_permission", { sessionId, toolCall: { toolCallId: "t", ...toolCall }, options });
}

/** A session whose questions a broker answers, and what its audit told. */
export async function start(options: Partial<PermissionBrokerOptions>) {
  const audited: AuditEvent[] = [];
  const audit = (event: AuditEvent) => void audited.push(event);
  const opened = await openSession({
    permissions: createPermissionBroker({ audit, ...options } as PermissionBrokerOptions),
  });
  const put = async (id: string, asking?: Asking) => {
    question(opened.agent, id, asking);
    return opened.agent.answerTo(id);
  };
  const received = () =>
    audited.map((event) => (event.type === "decided" ? `${event.by} ${event.outcome}` : event.type));
  return { ...opened, audited, received, put };
}

export const command = (argv: readonly string[], more: object = {}) => ({
  toolCall: { kind: "execute", title: "Run", rawInput: { command: argv }, ...more },
});
export const edit = (path: string, more: object = {}) => ({
  toolCall: { kind: "edit", locations: [{ path }], ...more },
});
