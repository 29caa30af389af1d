import type { Contract, Schema } from "../src/index.js";
import * as v1 from "../src/v1/index.js";
import * as v1Unstable from "../src/v1/unstable/index.js";
import * as v2 from "../src/v2/index.js";
import * as v2Unstable from "../src/v2/unstable/index.js";
import type { Official } from "./official-schema.js";
import { readPreview } from "./preview-overlay.js";

/** A part of turnkit and the official schema that it is held against. */
export interface Target {
  readonly name: string;
  readonly version: "v1" | "v2";
  readonly official: Official;
  /** Our schemas, by the name of their constant. */
  readonly own: ReadonlyMap<string, Schema>;
  readonly contract: Contract;
  readonly errorCodes: Readonly<Record<string, number>>;
  /** The folders that its types are in. */
  readonly folders: readonly string[];
  readonly differences: Differences;
}

/** Intended differences between the two; all else must be equal. */
export interface Differences {
  /** Our definitions that the official schema has not, with the reason. */
  readonly definitions: Readonly<Record<string, string>>;
  /** Our methods that the official schema has not, with the reason. */
  readonly methods: Readonly<Record<string, string>>;
  /** Our members that the official schema has not, with the reason. */
  readonly members: Readonly<Record<string, string>>;
  /** Official unions and enums that are closed there and open for us, with the requirement. */
  readonly opened: Readonly<Record<string, string>>;
  /** Official unions whose tag may be missing for us (it is then that of the first variant), with the requirement. */
  readonly assumed: Readonly<Record<string, string>>;
  /** Official unions that are one object for us, with the tag. */
  readonly flattened: Readonly<Record<string, string>>;
  /** Official definitions, also within others, below which the union of content blocks stays closed. */
  readonly closed: readonly string[];
}

const seedOnly = "seed-only: models were removed from the protocol in June 2026 (V1-MODEL-01 to V1-MODEL-03)";

const v1Differences: Differences = {
  definitions: {
    promptContentBlock: "ContentBlock as the client may send it: without unknown types (V1-CONT-09)",
    modelId: seedOnly,
    modelInfo: seedOnly,
    sessionModelState: seedOnly,
    setSessionModelRequest: seedOnly,
    setSessionModelResponse: seedOnly,
    idleStopReason: "the official schema writes these stop reasons out in IdleStateUpdate (V1-UNST-10)",
  },
  methods: { "session/set_model": seedOnly },
  members: { models: seedOnly },
  opened: {
    SessionUpdate: "V1-LEN-10",
    ContentBlock: "V1-CONT-09",
    ToolCallContent: "V1-LEN-10",
    ToolKind: "V1-LEN-06",
    ToolCallStatus: "V1-LEN-06",
    StringFormat: "V1-ELIC-09",
    PlanUpdateContent: "P-PLAN-07",
  },
  assumed: {},
  flattened: { IdleStateUpdate: "stopReason" },
  closed: ["PromptRequest", "SystemPrompt"],
};

const v2Differences: Differences = {
  definitions: { stopReason: "the official schema writes the stop reasons out in IdleStateUpdate (V2-PRM-14)" },
  methods: {},
  members: {},
  opened: {},
  assumed: { AvailableCommand: "V2-CMD-04", AvailableCommandInput: "V2-CMD-04" },
  flattened: { IdleStateUpdate: "stopReason" },
  closed: [],
};

/** The four that there are. */
export const targets: readonly Target[] = [
  {
    ...parts("v1", v1, v1.contract),
    name: "v1",
    official: readPreview("v1", "schema"),
    folders: ["both", "v1"],
    differences: v1Differences,
  },
  {
    ...parts("v1", v1Unstable, { ...v1.contract, ...v1Unstable.unstableContract, ...v1Unstable.proxyContract }),
    name: "v1 unstable",
    official: readPreview("v1", "schema.unstable"),
    folders: ["both", "both/unstable", "v1", "v1/unstable"],
    differences: v1Differences,
  },
  {
    ...parts("v2", v2, v2.contract),
    name: "v2",
    official: readPreview("v2", "schema"),
    folders: ["both", "v2"],
    differences: v2Differences,
  },
  {
    ...parts("v2", v2Unstable, { ...v2.contract, ...v2Unstable.unstableContract, ...v2Unstable.proxyContract }),
    name: "v2 unstable",
    official: readPreview("v2", "schema.unstable"),
    folders: ["both", "both/unstable", "v2", "v2/unstable"],
    differences: v2Differences,
  },
];

function parts(
  version: "v1" | "v2",
  module: { readonly errorCodes: Readonly<Record<string, number>> },
  contract: Contract,
): Pick<Target, "version" | "own" | "contract" | "errorCodes"> {
  const schemas = Object.entries<object>(module).filter(([, value]) => "_zod" in value) as [string, Schema][];
  return { version, own: new Map(schemas), contract, errorCodes: module.errorCodes };
}
