import { Window } from "happy-dom";

// Globals that react-dom reads at import. `act` waits for effects only if a test says that it is one.
const window = new Window();
Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true });
// Node 20 has none.
if (!("navigator" in globalThis)) Object.assign(globalThis, { navigator: window.navigator });

/** Returns a new element of the page, with the given content. */
export function place(html: string) {
  const element = window.document.createElement("main");
  element.innerHTML = html;
  window.document.body.append(element);
  return element;
}
