import type { Meta, UnknownTag } from "./content.js";

/** Step of a plan. Steps have no ids, because a plan is always sent as a whole. */
export type PlanEntry = {
  readonly content: string;
  readonly priority: "high" | "medium" | "low" | UnknownTag;
  readonly status: "pending" | "in_progress" | "completed" | "cancelled" | UnknownTag;
  readonly _meta?: Meta | null;
};

/** Id of the single plan of a version 1 session. */
export const DEFAULT_PLAN_ID = "main";

/** Complete plan. It replaces the plan with the same id. */
export type Plan = { readonly planId: string; readonly _meta?: Meta | null } & (
  | { readonly type: "items"; readonly entries: readonly PlanEntry[] }
  | { readonly type: "file"; readonly uri: string }
  /** `path` is the file with the plan. Open this file only if the path is absolute and the person requests it. */
  | { readonly type: "markdown"; readonly content: string; readonly path?: string | null }
  | { readonly type: UnknownTag }
);
