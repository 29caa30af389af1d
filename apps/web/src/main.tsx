import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { readToken } from "./address.js";
import { App } from "./app.js";
import { preloadConversation } from "./lazy-conversation.js";
import { createLink } from "./link/link.js";
import { createPageServer } from "./link/page-server.js";

const { token, rest } = readToken(location.hash);
// The token must not stay in the address, because people copy addresses.
if (token !== undefined) history.replaceState(null, "", rest || location.pathname);

// The printed address, opened in a tab that shows this page, changes only the fragment.
addEventListener("hashchange", () => {
  if (readToken(location.hash).token !== undefined) location.reload();
});

preloadConversation();
const link = createLink(createPageServer(new URL(document.baseURI)), token);
// A phone that wakes up, or a login in another tab.
addEventListener("online", link.retry);
document.addEventListener("visibilitychange", () => document.hidden || link.retry());
createRoot(document.getElementById("page") as HTMLElement).render(
  <StrictMode>
    <App link={link} />
  </StrictMode>,
);
