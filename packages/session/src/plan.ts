import type { Meta, UnknownTag } from "./content.js";

/** One step of a plan. Steps have no ids: a plan is always sent whole. */
export type PlanEntry = {
  readonly content: string;
  readonly priority: "high" | "medium" | "low" | UnknownTag;
  readonly status: "pending" | "in_progress" | "completed" | "cancelled" | UnknownTag;
  readonly _meta?: Meta | null;
};

/** The id under which the only plan of a version 1 session is kept. */
export const DEFAULT_PLAN_ID = "main";

/** A plan as a whole; it replaces what was stored under its id. */
export type Plan = { readonly planId: string; readonly _meta?: Meta | null } & (
  | { readonly type: "items"; readonly entries: readonly PlanEntry[] }
  | { readonly type: "file"; readonly uri: string }
  /** `path` is the file that holds the plan. Open it only if it is absolute and the person asks for it. */
  | { readonly type: "markdown"; readonly content: string; readonly path?: string | null }
  | { readonly type: UnknownTag }
);
