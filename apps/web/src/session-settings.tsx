import type { ConfigOption, Session } from "@turnkit/client";
import { useSelector } from "@turnkit/react";
import { useId, useState } from "react";

/** Settings that the agent offers, such as its mode and model. On a small screen, a button shows and hides them. */
export function SessionSettings({ session }: { readonly session: Session }) {
  const options = useSelector(session, (state) => state.configOptions);
  const [error, setError] = useState<string | undefined>();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (!options?.length) return null;
  const set = (configId: string, value: string | boolean) => {
    setError(undefined);
    session.setConfigOption(configId, value).catch(({ message }: Error) => setError(message));
  };
  return (
    <>
      <button
        type="button"
        className="settings-button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true">⚙{"\ufe0e"}</span>
        <span className="unseen">Settings</span>
      </button>
      <div className="settings" id={id} data-settings={isOpen ? "open" : "closed"}>
        {options.map((option) => (
          <Setting key={option.configId} option={option} set={(value) => set(option.configId, value)} />
        ))}
        {error === undefined ? null : <span role="alert">{error}</span>}
      </div>
    </>
  );
}

type SettingProps = { readonly option: ConfigOption; readonly set: (value: string | boolean) => void };

function Setting({ option, set }: SettingProps) {
  if (option.type === "boolean" && "currentValue" in option) {
    return (
      <label>
        <input type="checkbox" checked={option.currentValue === true} onChange={({ target }) => set(target.checked)} />{" "}
        {option.name}
      </label>
    );
  }
  if (option.type !== "select" || !("options" in option)) return null;
  const { options, currentValue, name } = option;
  return (
    <label>
      {name}{" "}
      <select value={currentValue} onChange={({ target }) => set(target.value)}>
        {options.map((one) =>
          "groupId" in one ? (
            <optgroup key={one.groupId} label={one.name}>
              {one.options.map(({ value, name }) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </optgroup>
          ) : (
            <option key={one.value} value={one.value}>
              {one.name}
            </option>
          ),
        )}
      </select>
    </label>
  );
}
