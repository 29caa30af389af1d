export type { AuditEvent } from "./audit-event.js";
export type { CommandAccess, CommandFacts } from "./command-facts.js";
export { commandIn } from "./command-facts.js";
export type { DecisionScope, DecisionStore, RememberOptions, StoredDecision } from "./decision-store.js";
export type { ElicitationBrokerOptions } from "./elicitation-broker.js";
export { createElicitationBroker } from "./elicitation-broker.js";
export type { AskedAbout, PermissionBrokerOptions, PermissionVerdict } from "./permission-broker.js";
export { createPermissionBroker } from "./permission-broker.js";
export type { PermissionFacts } from "./permission-facts.js";
