import type { AvailableCommand } from "@turnkit/session";
import { matchCandidates } from "../mention/match-files.js";
import { mentionBefore, mentionOf } from "../mention/mentions.js";
import type { Offer } from "./choice.js";

/** Offers that are listed. */
const MOST = 50;

/** Start of a prompt that may become a command. */
const BEGUN = /^\/(\S*)$/;

/** Offer with the text of the field and the place of the cursor after it was chosen. */
export type TextOffer = Offer & { readonly text: string; readonly cursor: number };

/** Returns the commands that a text may become, those that begin with it first. */
export function commandOffers(text: string, commands: readonly AvailableCommand[]): readonly TextOffer[] {
  const begun = BEGUN.exec(text)?.[1]?.toLowerCase();
  if (begun === undefined) return [];
  const isFirst = ({ name }: AvailableCommand) => Number(name.toLowerCase().startsWith(begun));
  return commands
    .filter(({ name }) => name.toLowerCase().includes(begun))
    .toSorted((a, b) => isFirst(b) - isFirst(a))
    .slice(0, MOST)
    .map(({ name, description, input }) => ({
      name: `/${name}`,
      isWhole: text === `/${name}`,
      notes: (
        <>
          {input?.hint ? <span className="quiet">{input.hint}</span> : null}{" "}
          <span className="quiet">{description}</span>
        </>
      ),
      ...{ text: `/${name} `, cursor: name.length + 2 },
    }));
}

/** Returns the files and folders that the mention before the cursor may mean. */
export function fileOffers(text: string, cursor: number, files: readonly string[]): readonly TextOffer[] {
  const mention = mentionBefore({ text, cursor });
  if (mention === undefined) return [];
  return matchCandidates(files, mention.path, MOST).flatMap((path) => {
    const name = mentionOf(path);
    if (name === undefined) return [];
    // In a folder, the person goes on with the names inside. The quotes of a folder stay open.
    const added = path.endsWith("/") ? name.replace(/["']$/, "") : `${name} `;
    const whole = text.slice(0, mention.start) + added;
    return [{ name, isWhole: path === mention.path, text: whole + text.slice(cursor), cursor: whole.length }];
  });
}
