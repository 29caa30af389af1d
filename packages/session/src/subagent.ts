import type { SubagentActivity } from "./activity.js";
import type { Meta } from "./content.js";

/** Child session, new or changed. An absent member stays, `null` clears it, a value replaces it. */
export type SubagentPatch = {
  /** Id of the child session. */
  readonly sessionId: string;
  readonly title?: string | null;
  readonly description?: string | null;
  /** Without `cancel` the client changes nothing about the child. */
  readonly capabilities?: { readonly cancel?: Meta | null; readonly _meta?: Meta | null } | null;
  /** `null`: not known, which is not idle. */
  readonly state?: SubagentActivity | null;
  readonly cwd?: string | null;
  readonly additionalDirectories?: readonly string[] | null;
  readonly _meta?: Meta | null;
};

/** A child session as it stands. Where it says no directory it has its parent's. */
export type SubagentState = {
  readonly sessionId: string;
  readonly title?: string;
  readonly description?: string;
  readonly capabilities?: { readonly cancel?: Meta | null; readonly _meta?: Meta | null };
  readonly activity?: SubagentActivity;
  readonly cwd?: string;
  readonly additionalDirectories?: readonly string[];
  readonly _meta?: Meta;
};
