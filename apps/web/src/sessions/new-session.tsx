import { type SubmitEvent, useState } from "react";

/** Begins a session in a folder. Resolves to the reason if it cannot. */
export type OnNew = (cwd: string) => Promise<string | undefined>;

/** Form that begins a session in a folder. */
export function NewSession({ folder, onNew }: { readonly folder: string; readonly onNew: OnNew }) {
  const [typed, setTyped] = useState<string | undefined>();
  const [fault, setFault] = useState<string | undefined>();
  const cwd = typed ?? folder;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (cwd !== "") void onNew(cwd).then(setFault);
  };
  return (
    <form className="new-session" onSubmit={submit}>
      <label>
        Folder
        <input value={cwd} onChange={({ target }) => setTyped(target.value)} required spellCheck={false} />
      </label>
      {fault === undefined ? null : (
        <p role="alert" className="failure">
          {fault}
        </p>
      )}
      <button type="submit">New session</button>
    </form>
  );
}
