import { createContext, type ReactNode, useContext, useState } from "react";

type Scope = {
  /** Folds that the person has opened or closed, by name. */
  readonly chosen: Map<string, boolean>;
  /** Key of the entry. */
  readonly entry: string;
};

const FoldScope = createContext<Scope | undefined>(undefined);

/** Gives the folds inside of an entry a memory that outlives the entry's elements, which leave the page when it scrolls. */
export const FoldMemory = FoldScope.Provider;

type FoldProps = {
  /** Name of the fold, once in its entry. */
  readonly name: string;
  readonly className: string;
  readonly status?: string;
  /** `true` if it is open until the person closes it. */
  readonly isOpen?: boolean;
  readonly summary: ReactNode;
  readonly children: ReactNode;
};

/** Draws a fold. What the person opened stays open, also after it was scrolled out of view. */
export function Fold({ name, className, status, isOpen = false, summary, children }: FoldProps) {
  const scope = useContext(FoldScope);
  const [own] = useState(() => new Map<string, boolean>());
  const chosen = scope?.chosen ?? own;
  const key = `${scope?.entry} ${name}`;
  const [, drawAgain] = useState(0);
  const open = chosen.get(key) ?? isOpen;
  return (
    <details
      className={className}
      data-status={status}
      open={open}
      onToggle={({ currentTarget, target }) => {
        // The browser also tells what this component did, and what a fold inside of it did.
        if (target !== currentTarget || currentTarget.open === open) return;
        chosen.set(key, currentTarget.open);
        drawAgain((count) => count + 1);
      }}
    >
      <summary>{summary}</summary>
      {open ? children : null}
    </details>
  );
}
