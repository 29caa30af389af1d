import { readFileSync } from "node:fs";

/** A node of the official JSON Schema, as far as these tests look at it. */
export interface OfficialNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly title?: string;
  readonly properties?: Readonly<Record<string, OfficialNode>>;
  readonly required?: readonly string[];
  readonly items?: OfficialNode;
  readonly additionalProperties?: OfficialNode | boolean;
  readonly allOf?: readonly OfficialNode[];
  readonly anyOf?: readonly OfficialNode[];
  readonly oneOf?: readonly OfficialNode[];
  readonly not?: OfficialNode;
  readonly "x-deserialize-default-on-error"?: boolean;
  readonly "x-deserialize-skip-invalid-items"?: boolean;
  readonly "x-deserialize-default-on-null"?: boolean;
  readonly "x-method"?: string;
  readonly "x-side"?: "agent" | "client" | "protocol";
}

/** The stable schema of version 1, whole. */
export const officialDocument: { readonly $defs: Readonly<Record<string, OfficialNode>> } = JSON.parse(
  readFileSync(new URL(import.meta.resolve("@agentclientprotocol/sdk/schema/v1/schema.json")), "utf8"),
);

/** Its definitions, by name. */
export const official = officialDocument.$defs;

/** The JSON-RPC envelope and its open payloads: the transport's business, so no definition of ours. */
export const envelopes: ReadonlySet<string> = new Set([
  "AgentRequest",
  "AgentResponse",
  "AgentNotification",
  "ClientRequest",
  "ClientResponse",
  "ClientNotification",
  "ExtRequest",
  "ExtResponse",
  "ExtNotification",
]);

/** The definition that a reference points to. */
export function resolve(node: OfficialNode): OfficialNode {
  const target = node.$ref === undefined ? node : official[node.$ref.slice("#/$defs/".length)];
  if (target === undefined) throw new Error(`no definition ${node.$ref}`);
  return target;
}

/** Where our name is not the official one with a small first letter. */
const renamed: Readonly<Record<string, string>> = { Error: "errorObject" };

/** The name of our constant for an official definition. */
export function constantName(definition: string): string {
  return renamed[definition] ?? definition.charAt(0).toLowerCase() + definition.slice(1);
}
