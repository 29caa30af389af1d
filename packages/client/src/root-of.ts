/** Returns the root of the session's tree. The agent chose the folders of all other sessions of the tree. */
export function rootOf<S extends { readonly parent?: S | undefined }>(session: S): S {
  let root = session;
  while (root.parent !== undefined) root = root.parent;
  return root;
}
