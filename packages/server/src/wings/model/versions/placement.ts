/** Inserts a drafted rule into the live ones at its place in the draft: directly after its predecessor. */
export function placeAmong<Rule extends { id: string }>(
  live: readonly Rule[],
  draft: readonly Rule[],
  rule: Rule,
): Rule[] {
  const position = draft.findIndex(({ id }) => id === rule.id)
  const earlier = new Set(draft.slice(0, position).map(({ id }) => id))
  const later = new Set(draft.slice(position + 1).map(({ id }) => id))
  const predecessor = live.findLastIndex(({ id }) => earlier.has(id))
  const successor = live.findIndex(({ id }) => later.has(id))
  const at = predecessor >= 0 ? predecessor + 1 : successor >= 0 ? successor : live.length
  return live.toSpliced(at, 0, rule)
}
