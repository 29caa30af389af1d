import type { Plan, PlanEntry } from "@turnkit/session";
import type { RenderContext } from "./context.js";
import type { Line } from "./line.js";
import type { Page } from "./page.js";
import type { Style } from "./style.js";

const looks: ReadonlyMap<string, { readonly log: string; readonly screen: string; readonly style: Style }> = new Map([
  ["pending", { log: "[ ]", screen: "○", style: "plain" }],
  ["in_progress", { log: "[>]", screen: "◐", style: "cyan" }],
  ["completed", { log: "[x]", screen: "✓", style: "green" }],
  ["cancelled", { log: "[-]", screen: "⊘", style: "dim" }],
]);
const unknownLook = { log: "[?]", screen: "?", style: "plain" } as const;

export function stepLine({ status, content, priority }: PlanEntry, detail: RenderContext["detail"]): Line {
  const { log, screen, style } = looks.get(String(status)) ?? unknownLook;
  if (detail !== "log") {
    return [
      [style, `  ${screen} `],
      [status === "completed" ? "dim" : "plain", content],
    ];
  }
  const urgent = priority === "high" && status !== "completed" ? " (high)" : "";
  return ["  ", [style, `${log} ${content}`], ["dim", urgent]];
}

/**
 * Creates a log of plans. On a terminal, each change shows the whole plan. With `onlyChanges`, later changes show only
 * the steps that changed.
 */
export function createPlanRenderer(page: Page, onlyChanges: boolean) {
  const shown = new Map<string, ReadonlyMap<string, string>>();

  const updateItems = (planId: string, entries: readonly PlanEntry[]) => {
    const before = shown.get(planId);
    const steps = entries.map((entry) => ({ entry, key: `${entry.status} ${entry.content}` }));
    const changed = steps.filter(({ key }) => before?.has(key) !== true);
    const removed = (before?.size ?? 0) > steps.length;
    shown.set(planId, new Map(steps.map(({ entry, key }) => [key, entry.content])));
    if (before !== undefined && changed.length === 0 && !removed) return;
    page.section("plan");
    const done = entries.filter(({ status }) => status === "completed").length;
    page.line(["bold", "Plan"], ["dim", ` ${done}/${entries.length} done`]);
    for (const { entry } of onlyChanges ? changed : steps) page.line(...stepLine(entry, "log"));
  };

  return {
    update(plan: Plan): void {
      if (plan.type === "items") return updateItems(plan.planId, plan.entries);
      page.section("plan");
      page.line(["bold", "Plan"], plan.type === "file" ? ` in ${plan.uri}` : "");
      if (plan.type === "markdown") page.block(plan.content, { limit: 40 });
    },
    removed(planId: string): void {
      shown.delete(planId);
      page.section("plan");
      page.line(["dim", "Plan removed"]);
    },
  };
}
