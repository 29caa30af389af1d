import type { AvailableCommand } from "@turnkit/session";
import { type KeyboardEvent, useId, useState } from "react";

/** Commands that are listed. */
const MOST = 50;

/** Start of a prompt that may become a command. */
const BEGUN = /^\/(\S*)$/;

/** Returns the commands that a text may become, those that begin with it first. */
function fittingCommands(text: string, commands: readonly AvailableCommand[]): readonly AvailableCommand[] {
  const begun = BEGUN.exec(text)?.[1]?.toLowerCase();
  if (begun === undefined) return [];
  const names = commands.filter(({ name }) => name.toLowerCase().includes(begun));
  const isFirst = ({ name }: AvailableCommand) => Number(name.toLowerCase().startsWith(begun));
  return names.toSorted((a, b) => isFirst(b) - isFirst(a)).slice(0, MOST);
}

/**
 * Completion of a slash command: the list above the field, the attributes of the field, and its keys. `press` returns true for a
 * key that the list takes: the arrows, Enter, Tab and Escape.
 */
export function useCommandChoice(
  text: string,
  commands: readonly AvailableCommand[] | undefined,
  type: (text: string) => void,
) {
  const id = useId();
  const [at, setAt] = useState(0);
  const [closed, setClosed] = useState<string | undefined>();
  const fitting = closed === text ? [] : fittingCommands(text, commands ?? []);
  const marked = Math.min(at, fitting.length - 1);
  const choose = ({ name }: AvailableCommand) => {
    type(`/${name} `);
    setAt(0);
  };
  const press = ({ key, shiftKey }: KeyboardEvent): boolean => {
    const command = fitting[marked];
    if (command === undefined || shiftKey) return false;
    if (key === "ArrowDown") setAt((marked + 1) % fitting.length);
    else if (key === "ArrowUp") setAt((marked + fitting.length - 1) % fitting.length);
    else if (key === "Escape") setClosed(text);
    else if (key === "Tab" || (key === "Enter" && text !== `/${command.name}`)) choose(command);
    else return false;
    return true;
  };
  const isOpen = fitting.length > 0;
  const list = isOpen ? (
    <div className="commands" role="listbox" id={id} aria-label="Commands">
      {fitting.map((command, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys are those of the field.
        <div
          key={command.name}
          role="option"
          id={`${id}-${index}`}
          aria-selected={index === marked}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(command)}
        >
          <code>/{command.name}</code>{" "}
          {command.input?.hint ? <span className="quiet">{command.input.hint}</span> : null}{" "}
          <span className="quiet">{command.description}</span>
        </div>
      ))}
    </div>
  ) : null;
  const attributes = {
    // A field of several lines cannot be a combobox.
    "aria-autocomplete": "list",
    "aria-controls": isOpen ? id : undefined,
    "aria-activedescendant": isOpen ? `${id}-${marked}` : undefined,
  } as const;
  return { list, attributes, press };
}
