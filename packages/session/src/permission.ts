import type { Meta, UnknownTag } from "./content.js";
import type { ToolCallPatch } from "./tool-call.js";

/** Option that answers a permission question. */
export type PermissionOption = {
  readonly optionId: string;
  readonly name: string;
  readonly kind: "allow_once" | "allow_always" | "reject_once" | "reject_always" | UnknownTag;
  readonly _meta?: Meta | null;
};

/** Subject of a permission question. */
export type PermissionSubject =
  | { readonly type: "tool_call"; readonly toolCall: ToolCallPatch; readonly _meta?: Meta | null }
  | {
      readonly type: "command";
      readonly command: string;
      readonly cwd: string;
      readonly toolCallId?: string | null;
      readonly terminalId?: string | null;
      readonly _meta?: Meta | null;
    }
  | { readonly type: UnknownTag };

/** Question of the agent that needs a decision before the agent continues. */
export type PermissionQuestion = {
  readonly title: string;
  readonly description?: string | null;
  readonly subject?: PermissionSubject | null;
  readonly options: readonly PermissionOption[];
  readonly _meta?: Meta | null;
};

/**
 * Outcome of a permission question. `cancelled` means cancelled work, a dismissed question, or a refusal by a policy.
 */
export type PermissionOutcome =
  | { readonly outcome: "selected"; readonly optionId: string; readonly _meta?: Meta | null }
  | { readonly outcome: "cancelled"; readonly _meta?: Meta | null };
