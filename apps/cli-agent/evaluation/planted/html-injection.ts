export type Comment = { readonly author: string; readonly text: string; readonly at: Date };

const formatter = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

/** Draws the comments of an article into a list. */
export function showComments(list: HTMLElement, comments: readonly Comment[]): void {
  list.replaceChildren();
  for (const { author, text, at } of comments) {
    const item = document.createElement("li");
    const when = formatter.format(at);
    item.innerHTML = `<b>${author}</b> <time>${when}</time><p>${text}</p>`;
    list.append(item);
  }
  if (comments.length === 0) list.innerHTML = "<li class='empty'>Nobody has commented yet.</li>";
}
