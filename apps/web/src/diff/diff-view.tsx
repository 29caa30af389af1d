import type { Diff, DiffChange } from "@turnkit/session";
import { useMemo } from "react";
import { visibleText } from "../visible.js";
import { compareTexts, type DiffRow, readPatch } from "./diff-rows.js";
import { RowsView } from "./rows-view.js";

export type DiffProps = {
  readonly diff: Diff;
  /** Folder of the session. Names of files inside of it are short. */
  readonly folder: string;
  /** `true` shows all lines. By default, a long diff is cut until a click. */
  readonly isWhole?: boolean;
};

/** Change of files. Hidden characters can be seen, because a decision of a person depends on it. */
export function DiffView({ diff: { changes, patch }, folder, isWhole = false }: DiffProps) {
  const isKnown = changes.some(({ oldText, newText }) => oldText != null || newText != null);
  const text = patch?.text ?? "";
  const rows = useMemo(() => (text === "" ? [] : readPatch(visibleText(withoutNames(text, changes)))), [text, changes]);
  return (
    <>
      {isKnown || rows.length === 0
        ? changes.map((change) => <ChangeView key={change.path} change={change} folder={folder} isWhole={isWhole} />)
        : null}
      {rows.length === 0 || isKnown ? null : (
        <figure className="diff">
          <figcaption>{changes.map((change) => heading(change, folder)).join(", ") || "Patch"}</figcaption>
          <RowsView rows={rows} isWhole={isWhole} />
        </figure>
      )}
    </>
  );
}

type ChangeProps = Pick<Required<DiffProps>, "folder" | "isWhole"> & { readonly change: DiffChange };

function ChangeView({ change, folder, isWhole }: ChangeProps) {
  const { oldText, newText } = change;
  const rows = useMemo(
    (): readonly DiffRow[] => compareTexts(visibleText(oldText ?? ""), visibleText(newText ?? "")),
    [oldText, newText],
  );
  const added = rows.filter(({ kind }) => kind === "added").length;
  const removed = rows.filter(({ kind }) => kind === "removed").length;
  return (
    <figure className="diff">
      <figcaption>
        {heading(change, folder)}{" "}
        <span className="quiet">
          +{added} −{removed}
        </span>
      </figcaption>
      <RowsView rows={rows} isWhole={isWhole} />
    </figure>
  );
}

function heading({ operation, path, oldPath }: DiffChange, folder: string): string {
  const short = (one: string) => visibleText(one.startsWith(`${folder}/`) ? one.slice(folder.length + 1) : one);
  const from = oldPath === undefined ? "" : `${short(oldPath)} → `;
  return `${operation === "modify" ? "" : `${operation as string} `}${from}${short(path)}`;
}

/** Leaves out the lines of a patch that only repeat the name of the one changed file. Other names stay. */
function withoutNames(patch: string, changes: readonly DiffChange[]): string {
  const [only, second] = changes;
  if (only === undefined || second !== undefined) return patch;
  const { path } = only;
  const names = [path, `a${path}`, `b${path}`, `a/${path}`, `b/${path}`, "/dev/null"];
  const heads = [`diff --git ${path} ${path}`, `diff --git a${path} b${path}`];
  const [head = "", ...hunks] = patch.split(/^(?=@@)/m);
  const rest = head.split("\n").filter((line) => {
    const isName = /^(?:---|\+\+\+) /.test(line) && names.includes(line.slice(4).trimEnd());
    return !isName && !heads.includes(line) && !/^index [\da-f.]+(?: \d+)?$/.test(line);
  });
  return rest.join("\n") + hunks.join("");
}
