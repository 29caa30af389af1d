import { useLayoutEffect, useRef } from "react";

/** Distance from the end in pixels within which the view follows new text. */
const NEAR = 80;

/** Keeps the end of a growing list in view, until the person scrolls up. Returns the refs of the view and its content. */
export function useFollowedEnd() {
  const view = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current: frame } = view;
    const { current: growing } = content;
    if (frame === null || growing === null || typeof ResizeObserver === "undefined") return undefined;
    let isAtEnd = true;
    let last = { top: 0, height: 0 };
    const look = () => {
      const { scrollTop: top, scrollHeight: height, clientHeight } = frame;
      // Only a person scrolls up. Measures of entries may move the view too, but then the height shrinks.
      if (top < last.top && height >= last.height) isAtEnd = false;
      else if (height - top - clientHeight < NEAR) isAtEnd = true;
      last = { top, height };
    };
    const follow = () => {
      if (isAtEnd) frame.scrollTop = frame.scrollHeight;
    };
    const observer = new ResizeObserver(follow);
    observer.observe(growing);
    observer.observe(frame);
    frame.addEventListener("scroll", look, { passive: true });
    follow();
    return () => {
      observer.disconnect();
      frame.removeEventListener("scroll", look);
    };
  }, []);
  return [view, content] as const;
}
