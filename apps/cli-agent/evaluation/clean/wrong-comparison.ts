export type User = { readonly id: string; readonly roles: readonly string[]; readonly blocked: boolean };
export type Article = { readonly id: string; readonly author: string; readonly tags: readonly string[] };

const EDITORS = ["editor", "admin"];

export function mayEdit(user: User, article: Article): boolean {
  if (user.blocked) return false;
  if (article.author === user.id) return true;
  return user.roles.some((role) => EDITORS.includes(role));
}

export function isDraft(article: Article): boolean {
  return article.tags.includes("draft");
}

export function hasNoTags(article: Article): boolean {
  return article.tags.length === 0;
}
