export type { AuditEvent } from "./audit-event.js";
export type { DecisionStore, RememberOptions, StoredDecision } from "./decision-store.js";
export type { ElicitationBrokerOptions } from "./elicitation-broker.js";
export { createElicitationBroker } from "./elicitation-broker.js";
export type { PermissionBrokerOptions, PermissionVerdict } from "./permission-broker.js";
export { createPermissionBroker } from "./permission-broker.js";
export type { PermissionFacts } from "./permission-facts.js";
