/** Returns the ancestor without a parent. The agent has chosen the folders of all other sessions of the tree. */
export function rootOf<S extends { readonly parent?: S | undefined }>(session: S): S {
  let root = session;
  while (root.parent !== undefined) root = root.parent;
  return root;
}
