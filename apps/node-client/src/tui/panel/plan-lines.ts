import { type PlanEntry, type SessionState, visiblePlan } from "@turnkit/session";
import type { Line } from "../../render/line.js";
import { stepLine } from "../../render/plan.js";
import { clip } from "../../render/wrap.js";
import { textLines } from "../markdown/markdown-lines.js";
import { around } from "./prompt-lines.js";

/** Returns an unfinished plan: as many steps as have room, around the current one. */
export function planLines(state: SessionState, width: number, room: number): readonly Line[] {
  const plan = visiblePlan(state);
  if (plan === undefined || room < 2) return [];
  if (plan.type === "file") return [clip([["bold", "Plan"], ` in ${(plan as { readonly uri: string }).uri}`], width)];
  if (plan.type === "markdown") {
    const { content } = plan as { readonly content: string };
    return [[["bold", "Plan"]], ...textLines(content.slice(0, 4000), width).slice(0, room - 1)];
  }
  if (plan.type !== "items") return [];
  const { entries } = plan as { readonly entries: readonly PlanEntry[] };
  const done = entries.filter(({ status }) => status === "completed" || status === "cancelled").length;
  if (done === entries.length) return [];
  const now = entries.findIndex(({ status }) => status === "in_progress");
  const lines = entries.map((entry) => clip(stepLine(entry, "short"), width));
  const head: Line = [
    ["bold", "Plan "],
    ["dim", `${done}/${entries.length}`],
  ];
  return [head, ...around(lines, now < 0 ? done : now, room - 1)];
}
