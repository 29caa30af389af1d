import { readFileSync } from "node:fs";

/** A node of an official JSON Schema, as far as these tests look at it. */
export interface OfficialNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
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
  readonly "x-side"?: "agent" | "client" | "protocol" | "proxy";
}

/** One of the official schemas. */
export interface Official {
  /** All of it, as JSON. */
  readonly document: { readonly $defs: Readonly<Record<string, OfficialNode>> };
  /** Its definitions, by name. */
  readonly definitions: Readonly<Record<string, OfficialNode>>;
  /** The names of those that turnkit has to have: all but the envelope. */
  readonly names: readonly string[];
  /** The definition that a reference points to. */
  resolve(node: OfficialNode): OfficialNode;
}

/** The JSON-RPC envelope and its open payloads: the transport's business, so no definition of ours. */
const envelopes = /^((Agent|Client|Proxy)(Request|Response|Notification)|Ext(Request|Response|Notification))$/;

type File = "schema" | "schema.unstable";

/** Reads one of the schemas of the official SDK, as published. */
export function readPublished(version: "v1" | "v2", file: File): Official["document"] {
  const sibling = import.meta.resolve("@agentclientprotocol/sdk/schema/v1/schema.json");
  return JSON.parse(readFileSync(new URL(`../${version}/${file}.json`, sibling), "utf8"));
}

/** Returns a schema with its definitions looked up by name. */
export function officialOf(document: Official["document"]): Official {
  const definitions = document.$defs;
  return {
    document,
    definitions,
    names: Object.keys(definitions).filter((name) => !envelopes.test(name)),
    resolve(node) {
      const target = node.$ref === undefined ? node : definitions[node.$ref.slice("#/$defs/".length)];
      if (target === undefined) throw new Error(`no definition ${node.$ref}`);
      return target;
    },
  };
}

/** Our names that differ from the official ones. */
const renamed: Readonly<Record<string, string>> = { Error: "ErrorObject" };

/** The name of our type for an official definition. */
export function typeName(definition: string): string {
  return renamed[definition] ?? definition;
}

/** The name of our constant for an official definition. */
export function constantName(definition: string): string {
  const name = typeName(definition);
  return name.charAt(0).toLowerCase() + name.slice(1);
}
