/** Places that break a rule, by the folder of the workspace or pages that they are in. */
export type PlacesByFolder = ReadonlyMap<string, readonly string[]>;

/** Numbers of places that a rule still allows, by folder. A folder without a row is allowed none. */
export type Allowance = Readonly<Record<string, number>>;

/**
 * Violations of a rule that the tree does not keep everywhere yet. The allowance shrinks only: more places than a row
 * allows are violations, and a row that allows more than there are is one too.
 */
export function shrinkingViolations(found: PlacesByFolder, allowed: Allowance, rule: string): readonly string[] {
  return [...new Set([...found.keys(), ...Object.keys(allowed)])].flatMap((folder) => {
    const places = found.get(folder) ?? [];
    const most = allowed[folder] ?? 0;
    if (places.length > most) return [`${folder} has ${places.length} ${rule}, allowed: ${most}`, ...places];
    if (places.length === most && !(most === 0 && folder in allowed)) return [];
    const row = places.length === 0 ? "delete its row" : `write ${places.length} in its row`;
    return [`${folder} has ${places.length} ${rule}, its row says ${most} and shrinks only: ${row}`, ...places];
  });
}
