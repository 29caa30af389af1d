import type { Plan } from "@turnkit/session";
import { Markdown } from "./markdown/markdown.js";

const marks: Readonly<Record<string, string>> = { completed: "✓", in_progress: "▶", cancelled: "✗" };

/** Plan of the agent. It is open while one of its steps is not done. */
export function PlanView({ plan }: { readonly plan: Plan }) {
  if (plan.type === "markdown" && "content" in plan) {
    return (
      <details className="plan">
        <summary>Plan</summary>
        <Markdown text={plan.content} />
      </details>
    );
  }
  if (plan.type !== "items" || !("entries" in plan)) return null;
  const { entries } = plan;
  const done = entries.filter(({ status }) => status === "completed").length;
  const current = entries.find(({ status }) => status === "in_progress");
  return (
    <details className="plan">
      <summary>
        Plan: {done} of {entries.length} done{current ? ". Now: " : ""}
        <bdi>{current?.content}</bdi>
      </summary>
      <ol>
        {entries.map(({ content, status }, index) => (
          <li key={index} data-status={status}>
            <span aria-hidden="true">{marks[status as string] ?? "○"}</span> <bdi>{content}</bdi>
            <span className="unseen"> ({(status as string).replaceAll("_", " ")})</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
