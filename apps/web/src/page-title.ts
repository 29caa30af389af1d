import type { TurnStatus } from "@turnkit/react";
import { useEffect, useRef, useState } from "react";

const MARKS: Readonly<Partial<Record<TurnStatus, string>>> = { asking: "Question: ", working: "… ", sent: "… " };

/**
 * Shows the title of a session in the title of the page, with a mark for a question or for work. A turn that ended
 * while the page was hidden also has a mark, until the page is visible.
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
