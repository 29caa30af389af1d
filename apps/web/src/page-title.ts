import type { TurnStatus } from "@turnkit/react";
import { useEffect, useRef, useState } from "react";

const MARKS: Readonly<Partial<Record<TurnStatus, string>>> = { asking: "Question: ", working: "… ", sent: "… " };

/**
 * Shows the title and the work of a session in the title of the page. A person in another tab sees a question, and the end
 * of a turn until the page is looked at.
 */
export function usePageTitle(title: string | undefined, status: TurnStatus): void {
  const [isUnseen, setUnseen] = useState(false);
  const before = useRef(status);
  useEffect(() => {
    if (status === "ready" && before.current !== "ready" && document.hidden) setUnseen(true);
    before.current = status;
  }, [status]);
  useEffect(() => {
    const look = () => document.hidden || setUnseen(false);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  const mark = status === "ready" && isUnseen ? "Done: " : (MARKS[status] ?? "");
  useEffect(() => {
    document.title = `${mark}${title ? `${title} – ` : ""}turnkit`;
  }, [title, mark]);
}
