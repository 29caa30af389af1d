import type { ElicitationAnswer, PendingElicitation } from "@turnkit/session";
import { safeAddress } from "../markdown/safe-address.js";
import { visibleText } from "../visible.js";
import { RefuseButtons } from "./refuse-buttons.js";

type UrlProps = {
  readonly question: Extract<PendingElicitation, { mode: "url" }>;
  readonly answer: (answer: ElicitationAnswer) => void;
};

/** Request to visit an address. The whole address and its host are shown, and only a click opens it. */
export function UrlQuestion({ question: { message, url }, answer }: UrlProps) {
  const address = safeAddress(url);
  const parsed = address === undefined ? undefined : new URL(address);
  return (
    <>
      <div className="covered">
        <p className="plain">{visibleText(message)}</p>
        <pre className="command">{visibleText(url)}</pre>
        {parsed === undefined ? (
          <p className="failure">This address cannot be opened.</p>
        ) : (
          <p>
            On the host <strong>{parsed.host}</strong>
          </p>
        )}
        {warnings(parsed).map((warning) => (
          <p key={warning} className="failure">
            {warning}
          </p>
        ))}
      </div>
      <div className="options">
        {address === undefined ? null : (
          <a
            className="button"
            href={address}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => answer({ action: "accept" })}
          >
            Open it in a new tab
          </a>
        )}
        <RefuseButtons answer={answer} />
      </div>
    </>
  );
}

function warnings(address: URL | undefined): readonly string[] {
  if (address === undefined) return [];
  return [
    ...(address.protocol === "https:" ? [] : ["It does not begin with https."]),
    ...(/(^|\.)xn--/.test(address.hostname) ? ["The host has letters that may look like others."] : []),
    ...(address.username === "" && address.password === "" ? [] : ["It has a user name, which may pose as a host."]),
  ];
}
